"""A template's map: Jinja's blocks, elements with an id, the inside of scripts and styles (OUT-29 to OUT-50). No tree is built (OUT-48)."""

from typing import Final

from workers.parsing.html import jinja
from workers.parsing.html.piece import Piece
from workers.parsing.html.scripts import add_functions, is_javascript
from workers.parsing.html.styles import add_rules, is_css
from workers.parsing.html.symbols import OpenSymbols, Symbols
from workers.parsing.html.tags import Tag, tags
from workers.parsing.outline import Symbol

_VOID: Final = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
"""Elements that have no closing tag."""

_ALWAYS: Final = frozenset(["script", "style"])
"""Elements that are symbols without an id too (OUT-34, OUT-42), and never self-closing."""


def outline(text: str) -> list[Symbol]:
    """The symbols of the template `text`. Linear in the text's length.

    Raises:
        NoOutline: `too_many_symbols`.
    """
    symbols = Symbols(text)
    masked = jinja.read(text, symbols)
    still_open = OpenSymbols(symbols)
    for tag in tags(masked):
        if tag.is_closing:
            still_open.close(tag.name, tag.end - 1)
        else:
            _open(text, masked, tag, symbols, still_open)
    return symbols.with_lines()


def _open(text: str, masked: str, tag: Tag, symbols: Symbols, still_open: OpenSymbols) -> None:
    name = _name(text, masked, tag)
    is_whole = tag.name in _VOID or (tag.is_self_closing and tag.name not in _ALWAYS)
    number = symbols.add(name, tag.start, tag.end - 1 if is_whole else None) if name else None
    if is_whole:
        return
    still_open.open(tag.name, number)
    if tag.name in _ALWAYS:
        type_value = _value(text, tag, "type")
        prefix = f"{name}." if _value(text, tag, "id") else ""
        if tag.name == "script" and is_javascript(type_value):
            add_functions(Piece(text, masked, tag.end, tag.content_end), prefix, symbols)
        elif tag.name == "style" and is_css(type_value):
            add_rules(Piece(text, masked, tag.end, tag.content_end), prefix, symbols)


def _name(text: str, masked: str, tag: Tag) -> str | None:
    """`tag#id`, or the tag of a script or style; None for an element that is no symbol (OUT-33)."""
    start, end = tag.name_span
    # A name with an expression in it is shown as it is written.
    tag_name = tag.name if text[start:end] == masked[start:end] else text[start:end]
    anchor = _value(text, tag, "id")
    if anchor:
        return f"{tag_name}#{anchor}"
    return tag_name if tag.name in _ALWAYS else None


def _value(text: str, tag: Tag, attribute: str) -> str | None:
    """The value of `id` or `type` as it is written; None without the attribute."""
    span = tag.attributes.get(attribute)
    return text[span[0] : span[1]] if span else None
