"""Which scanner reads which file, and what every scan has in common: one line here is one more language (OUT section 1)."""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from workers.parsing.css.outline import outline as css
from workers.parsing.html.outline import outline as html
from workers.parsing.outline import MAX_SYMBOLS, NoOutline, Symbol, has_lone_carriage_return, in_order, too_many_symbols
from workers.parsing.python.outline import outline as python
from workers.parsing.rst.outline import outline as rst

Scanner: TypeAlias = Callable[[str], list[Symbol]]

SCANNERS: Final[Mapping[str, Scanner]] = {
    ".py": python,
    ".pyi": python,
    ".html": html,
    ".htm": html,
    ".jinja": html,
    ".jinja2": html,
    ".j2": html,
    ".css": css,
    ".rst": rst,
}
"""Extension to scanner (GRF-42). What begins with a dot and has no other is a name without an extension."""


def has_scanner(file_name: str) -> bool:
    """Whether a file of that name (or path) can have a map (GRF-42)."""
    return _suffix(file_name) in SCANNERS


def scan(file_name: str, text: str) -> list[Symbol]:
    """The map of a file in its order, from its name (or path) and its whole decoded text without a BOM.

    Raises:
        NoOutline: `unsupported_language`, before the text is looked at; `inconsistent_line_endings`; `too_many_symbols`; `parse_error`.
    """
    scanner = SCANNERS.get(_suffix(file_name))
    if scanner is None:
        raise NoOutline("unsupported_language")
    if has_lone_carriage_return(text):
        raise NoOutline("inconsistent_line_endings")
    symbols = scanner(text)
    if len(symbols) > MAX_SYMBOLS:
        raise too_many_symbols()
    return in_order(symbols)


def _suffix(file_name: str) -> str:
    return PurePosixPath(file_name).suffix.lower()
