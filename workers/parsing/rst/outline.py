"""The map of a reStructuredText file: its headings, named along the hierarchy, and its labels (OUT section 5)."""

from workers.parsing.outline import Ceilings, Symbol, in_order
from workers.parsing.rst.blocks import scan
from workers.parsing.rst.found import Label, Listener, Title
from workers.parsing.rst.levels import Levels


def outline(text: str) -> list[Symbol]:
    """The symbols of `text`, sorted. A file without headings and labels has none (OUT-102).

    Raises:
        NoOutline: `too_many_symbols`, the moment the ceiling is crossed.
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
        self._ceilings = Ceilings()

    def title(self, title: Title) -> None:
        level = self._levels.of(title.style)
        if level is None:
            return
        self._close(level, title.line - 1)
        name = f"{self._open[-1][0]}.{title.text}" if self._open else title.text
        self._ceilings.take(name)
        self._open.append((name, title.line))

    def label(self, label: Label) -> None:
        name = f"_{label.name}"
        self._ceilings.take(name)
        self._symbols.append(Symbol(name, label.line, label.line))

    def finished(self, last_line: int) -> list[Symbol]:
        self._close(1, last_line)
        return self._symbols

    def _close(self, level: int, end: int) -> None:
        while len(self._open) >= level:
            name, start = self._open.pop()
            self._symbols.append(Symbol(name, start, end))
