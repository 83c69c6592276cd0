"""The map of a reStructuredText file: its headings, named along the hierarchy, and its labels (OUT section 5)."""

from typing import Final

from workers.parsing.outline import MAX_SYMBOLS, Symbol, in_order, too_many_symbols
from workers.parsing.rst.blocks import scan
from workers.parsing.rst.found import Label, Listener, Title
from workers.parsing.rst.levels import Levels

MAX_NAME_CHARS: Final = 16_000_000
"""Characters of all names together. A name repeats every title above its own: a title of a megabyte over fifty thousand
others would be fifty gigabytes of names, from a file of one and a half megabytes."""


def outline(text: str) -> list[Symbol]:
    """The symbols of `text`, sorted. A file without headings and labels has none (OUT-102).

    Raises:
        NoOutline: `too_many_symbols`, the moment the ceiling is crossed.
        MemoryError: the names together pass `MAX_NAME_CHARS`.
    """
    found = _Symbols()
    scan(text, found)
    return in_order(found.finished(text.count("\n") + 1))


class _Symbols(Listener):
    wants_nested = True

    def __init__(self) -> None:
        self._symbols: list[Symbol] = []
        self._open: list[tuple[str, int]] = []  # dotted name and first line of the headings that the text stands under
        self._levels = Levels()
        self._count = 0
        self._name_chars = 0

    def title(self, title: Title) -> None:
        level = self._levels.of(title.style)
        if level is None:
            return
        self._close(level, title.line - 1)
        name = f"{self._open[-1][0]}.{title.text}" if self._open else title.text
        self._take(name)
        self._open.append((name, title.line))

    def label(self, label: Label) -> None:
        name = f"_{label.name}"
        self._take(name)
        self._symbols.append(Symbol(name, label.line, label.line))

    def finished(self, last_line: int) -> list[Symbol]:
        self._close(1, last_line)
        return self._symbols

    def _close(self, level: int, end: int) -> None:
        while len(self._open) >= level:
            name, start = self._open.pop()
            self._symbols.append(Symbol(name, start, end))

    def _take(self, name: str) -> None:
        self._count += 1
        self._name_chars += len(name)
        if self._count > MAX_SYMBOLS:
            raise too_many_symbols()
        if self._name_chars > MAX_NAME_CHARS:
            raise MemoryError("the names of the headings, each with all titles above it, take too much memory")
