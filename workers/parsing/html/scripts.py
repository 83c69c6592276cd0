"""The inside of `<script>`: whether it is JavaScript, and its functions (OUT-35 to OUT-41, OUT-47)."""

from typing import Final

from workers.parsing.html.javascript import definitions
from workers.parsing.html.piece import Piece
from workers.parsing.html.symbols import Symbols
from workers.parsing.html.tags import WHITESPACE

_JAVASCRIPT: Final = frozenset(
    [
        "",
        "module",
        "application/ecmascript",
        "application/javascript",
        "application/x-ecmascript",
        "application/x-javascript",
        "text/ecmascript",
        "text/javascript",
        "text/javascript1.0",
        "text/javascript1.1",
        "text/javascript1.2",
        "text/javascript1.3",
        "text/javascript1.4",
        "text/javascript1.5",
        "text/jscript",
        "text/livescript",
        "text/x-ecmascript",
        "text/x-javascript",
    ]
)
"""No type, a module, or one of the MIME Sniffing standard's JavaScript type essences (OUT-38)."""


def is_javascript(type_value: str | None) -> bool:
    """Whether a script with this `type` is JavaScript; anything else, parameters included, makes a data block (OUT-36, OUT-37)."""
    if not type_value:
        return True
    trimmed = type_value.strip(WHITESPACE)
    return bool(trimmed) and ascii_lower(trimmed) in _JAVASCRIPT


def ascii_lower(text: str) -> str:
    """`text` with its ASCII letters lower-cased and no others: the Kelvin sign is no k."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def add_functions(script: Piece, prefix: str, symbols: Symbols) -> None:
    """Add the functions of a script; one that is never closed ends with it.

    Raises:
        NoOutline: `too_many_symbols`.
    """
    for found in definitions(script.masked, script.text, script.start, script.end):
        symbols.add(prefix + found.name, found.start, script.end if found.end is None else found.end - 1)
