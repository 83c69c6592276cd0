"""What an HTML scan has found: names with positions in the text, which become lines in one pass at the end."""

from workers.parsing.outline import Ceilings, Symbol
from workers.parsing.positions import lines_at


class Symbols:
    """Symbols of one text in the order in which they begin to be known. Positions are characters of the text; an end is its last one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._names: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._ceilings = Ceilings()

    def add(self, name: str, start: int, end: int | None = None) -> int:
        """Add a symbol and return its number. Without an `end` it runs to the last line until it is closed (OUT-49, OUT-50).

        Raises:
            NoOutline: `too_many_symbols`.
        """
        self._ceilings.take(name)
        self._names.append(name)
        self._starts.append(start)
        self._ends.append(len(self._text) if end is None else end)
        return len(self._names) - 1

    def close(self, number: int, end: int) -> None:
        """Symbol `number` ends with the character at `end`."""
        self._ends[number] = end

    def with_lines(self) -> list[Symbol]:
        """All symbols, with lines in place of positions."""
        line_of = lines_at(self._text, (*self._starts, *self._ends))
        rows = zip(self._names, self._starts, self._ends, strict=True)
        return [Symbol(name, line_of[start], line_of[end]) for name, start, end in rows]


class OpenSymbols:
    """What is open, by the name that closes it: a closing mark closes the nearest open one of its name, and nothing else (H2)."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._open: dict[str, list[int | None]] = {}

    def open(self, kind: str, number: int | None) -> None:
        """Open a `kind`; `number` is its symbol's, if it is one."""
        self._open.setdefault(kind, []).append(number)

    def close(self, kind: str, end: int) -> None:
        """Close the nearest open `kind` with the character at `end`; where none is open, nothing happens."""
        still_open = self._open.get(kind)
        if still_open:
            number = still_open.pop()
            if number is not None:
                self._symbols.close(number, end)
