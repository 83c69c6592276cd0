"""Lines of a text, counted and cut as the contract counts them: separated by `\\n` and nothing else. Pure functions of text.

A text may be given as the bytes that it is stored in, UTF-8 or Latin-1: a line end is the same byte in both, and no part of any other
character. Then indexes and lengths count bytes.

No function here splits a whole text: a file of ten million line ends would become ten million strings.
"""

from bisect import bisect_right
from collections.abc import Callable
from typing import AnyStr, Final

_BLOCK_CHARS: Final = 65_536
"""Characters in which line ends are counted at once while a line is looked for."""


def _line_end(text: AnyStr) -> AnyStr:
    if isinstance(text, str):
        return "\n"
    return b"\n"


def count_lines(text: AnyStr) -> int:
    """Lines of `text`: `len(text.split("\\n"))`, so an empty text has one (LIN-1, LIN-2)."""
    return text.count(_line_end(text)) + 1


def count_index_lines(text: AnyStr) -> int:
    """Lines as the tree's index counts them: parts of split on newline, less an empty last one (TREE-40)."""
    return count_lines(text) - (text.endswith(_line_end(text)) or not text)


def line_start(text: AnyStr, line: int, after: int = 0) -> int:
    """Index of the first character of `line`, counted from 1 at index `after`, itself a line's start.

    `line` must exist, or be one past the last line; then the index is one past the end, as if a line end closed the text.
    """
    end = _line_end(text)
    position, ends_to_pass = after, line - 1
    while ends_to_pass:
        block_end = min(position + _BLOCK_CHARS, len(text))
        ends = text.count(end, position, block_end)
        if ends < ends_to_pass and block_end < len(text):
            position, ends_to_pass = block_end, ends_to_pass - ends
            continue
        for _ in range(min(ends, ends_to_pass)):
            position = text.index(end, position) + 1
        return position if ends >= ends_to_pass else len(text) + 1
    return position


def cut_lines(text: AnyStr, start: int, end: int) -> AnyStr:
    """Lines `start` to `end`, both included, without the line end after the last (LIN-7, LIN-13). Both must exist."""
    first = line_start(text, start)
    return text[first : line_start(text, end - start + 2, after=first) - 1]


def last_line_that_fits(text: AnyStr, start: int, end: int, max_chars: int, fits: Callable[[int, AnyStr], bool]) -> int | None:
    """The last line `e`, `start <= e < end`, for which `fits(e, lines start to e)` holds, or None when not even `start` does.

    `fits` must not become true again once it was false. No line that reaches more than `max_chars` characters past the start
    is tried, so that the work is bounded by the budget and not by the text.
    """
    first = line_start(text, start)
    window = text[first : first + max_chars + 1]
    line_end = _line_end(text)
    ends = [first + index for index in range(len(window)) if window.startswith(line_end, index)][: end - start]

    def over(index: int) -> bool:
        return not fits(start + index, text[first : ends[index]])

    fitting = bisect_right(range(len(ends)), False, key=over)
    return start + fitting - 1 if fitting else None
