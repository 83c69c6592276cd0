"""Positions in a text to lines, counted as range reading counts them (OUT-2). Pure."""

from collections.abc import Iterable


def lines_at(text: str, positions: Iterable[int]) -> dict[int, int]:
    """The line of each position, from 1; a position is a character's, or the text's length. One pass over the text."""
    lines: dict[int, int] = {}
    line, counted = 1, 0
    for position in sorted(set(positions)):
        line += text.count("\n", counted, position)
        counted = position
        lines[position] = line
    return lines
