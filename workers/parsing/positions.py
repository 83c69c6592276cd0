"""Positions in a text to lines and back, counted as range reading counts them (OUT-2). Pure."""

import re
from collections.abc import Iterable
from typing import Final

_HUNDRED_LINES: Final = re.compile(r"(?:[^\n]*+\n){100}+")


def lines_at(text: str, positions: Iterable[int]) -> dict[int, int]:
    """The line of each position, from 1; a position is a character's, or the text's length. One pass over the text."""
    lines: dict[int, int] = {}
    line, counted = 1, 0
    for position in sorted(set(positions)):
        line += text.count("\n", counted, position)
        counted = position
        lines[position] = line
    return lines


class LineStarts:
    """Where lines of a text begin, asked in ascending order: one pass, without a list of the lines."""

    __slots__ = ("_line", "_position", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 1
        self._position = 0

    def start_of(self, line: int) -> int:
        """The position of the first character of `line`, from 1, which is in the text and not before the one asked for last."""
        while line - self._line >= 100 and (hundred := _HUNDRED_LINES.match(self._text, self._position)):  # noqa: PLR2004
            self._line += 100
            self._position = hundred.end()
        while self._line < line:
            self._line += 1
            self._position = self._text.index("\n", self._position) + 1
        return self._position
