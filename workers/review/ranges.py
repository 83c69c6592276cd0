"""Changed ranges as a reader asks for them: none too long, and not too many for one file. Pure functions of numbers."""

from collections.abc import Iterator, Sequence

from shared.limits import REVIEW_RANGE_LINES, REVIEW_RANGES_MAX

Range = tuple[int, int]
"""First and last line, from 1, both included."""


def readable(changed: Sequence[Range]) -> list[Range]:
    """`changed`, which is in order and doesn't overlap, in pieces of at most `REVIEW_RANGE_LINES` lines.

    More than `REVIEW_RANGES_MAX` ranges become one before they are cut, from the first line to the last: it holds all of them.
    """
    if len(changed) > REVIEW_RANGES_MAX:
        changed = [(changed[0][0], changed[-1][1])]
    return [piece for first, last in changed for piece in _pieces(first, last)]


def _pieces(first: int, last: int) -> Iterator[Range]:
    for start in range(first, last + 1, REVIEW_RANGE_LINES):
        yield start, min(start + REVIEW_RANGE_LINES - 1, last)
