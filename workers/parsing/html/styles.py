"""The inside of `<style>`: whether it is CSS, and its rules (OUT-43 to OUT-47)."""

from workers.parsing.css.rules import rules
from workers.parsing.html.jinja import without_hidden
from workers.parsing.html.piece import Piece
from workers.parsing.html.scripts import ascii_lower
from workers.parsing.html.symbols import Symbols


def is_css(type_value: str | None) -> bool:
    """Whether a style with this `type` is a style sheet: without one, or with exactly `text/css`, in any case of its ASCII letters."""
    return not type_value or ascii_lower(type_value) == "text/css"


def add_rules(style: Piece, prefix: str, symbols: Symbols) -> None:
    """Add the rules of a style sheet; one that is never closed ends with it.

    Raises:
        NoOutline: `too_many_symbols`.
    """
    for found in rules(style.masked, style.start, style.end, style.text, without_hidden):
        symbols.add(prefix + found.name, found.start, style.end if found.end is None else found.end)
