"""What every outline scanner returns, and what it raises when there is no map (OUT section 1). Pure data.

A scanner is a function `outline(text) -> list[Symbol]` in a folder of its own, registered in `registry.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

MAX_SYMBOLS: Final = 50_000
"""Symbols in one file's map (OUT-12): far above any file that a person wrote. A scan stops where it is crossed."""

MAX_NAME_CHARACTERS: Final = 2**23
"""Characters of all names of one map together: 167 for each of `MAX_SYMBOLS`. A name may repeat what stands above it, so that a class whose
name is a megabyte long, over fifty thousand methods, would be fifty gigabytes of names. At four bytes a character it is 32 MiB, which with
the text and what a scan holds besides is within a read's price (`DEAREST_READ_BYTES`)."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named range of lines: from 1, both ends included, counted as `text.split("\\n")` counts (OUT-1, OUT-2)."""

    name: str
    start: int
    end: int


class NoOutline(Exception):  # noqa: N818 - a status and no error (GRF-22)
    """A file without a map. `reason` and `fields` are the answer's (GRF-56)."""

    def __init__(self, reason: str, **fields: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fields = fields


def too_many_symbols() -> NoOutline:
    """What a scanner raises the moment it would return symbol number `MAX_SYMBOLS` + 1 (OUT-13, OUT-14)."""
    return NoOutline("too_many_symbols", max=MAX_SYMBOLS)


class Ceilings:
    """What every scan of one file counts while it goes on: the symbols that it has found, and the characters of their names."""

    __slots__ = ("_characters", "_symbols")

    def __init__(self) -> None:
        self._symbols = 0
        self._characters = 0

    def take(self, name: str) -> None:
        """Count one more symbol of that name.

        Raises:
            NoOutline: `too_many_symbols`, when it is one too many or when its name makes all names longer than `MAX_NAME_CHARACTERS`.
        """
        self._symbols += 1
        self._characters += len(name)
        if self._symbols > MAX_SYMBOLS or self._characters > MAX_NAME_CHARACTERS:
            raise too_many_symbols()


def has_lone_carriage_return(text: str) -> bool:
    """Whether a `\\r` stands anywhere but before a `\\n` (OUT-9): parsers count it as a line end, range reads don't."""
    return text.count("\r") != text.count("\r\n")


def in_order(symbols: Iterable[Symbol]) -> list[Symbol]:
    """By `start`, ties by `name` in code points, then by `end`, then as in the file (OUT-6, OUT-7)."""
    return sorted(symbols, key=lambda symbol: (symbol.start, symbol.name, symbol.end))
