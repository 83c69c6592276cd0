"""Blocks put aside while the text around them is scanned, and given back as texts of their own. It knows no construct.

They are kept level by level and not scanned inside one another, so that depth costs no stack and each level at most one copy of the text.
"""

import re
from collections import deque
from typing import Final

from workers.parsing.rst.found import Aside
from workers.parsing.rst.lines import Lines

MAX_DEPTH: Final = 20
"""Blocks inside one another that are still looked into: each level costs a pass, and nobody reads an anchor at such a depth."""

# What is looked for: labels and includes. A block without either is dropped unread.
_WORTH_IT: Final = re.compile(r"\.\.[ \t\v\f]+(?:_|include[ \t\v\f]?::)", re.IGNORECASE)
_INDENT: Final = re.compile(r"^ +(?=\S)", re.MULTILINE)
_UNINDENTED: Final = re.compile(r"^\S", re.MULTILINE)


class Nested:
    """The blocks that wait, in the order in which they were met."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, int, int]] = deque()
        self._depth = 0

    def next(self) -> Lines | None:
        """The block that waits longest, or None."""
        if not self._waiting:
            return None
        text, number, self._depth = self._waiting.popleft()
        return Lines(text, number)

    def of(self, lines: Lines) -> Aside:
        """Where blocks of `lines` are put, one level deeper than `lines` itself stands."""
        return _Waiting(lines, self._waiting, self._depth + 1)


class _Waiting(Aside):
    def __init__(self, lines: Lines, waiting: deque[tuple[str, int, int]], depth: int) -> None:
        self._lines = lines
        self._waiting = waiting
        self._depth = depth

    def wants(self, place: int, stop: int) -> bool:
        return self._depth <= MAX_DEPTH and _WORTH_IT.search(self._lines.text, place, stop) is not None

    def block(self, place: int, stop: int, first: int, indent: int | None = None) -> None:
        if self.wants(place, stop):
            self._put(cut_block(self._lines, place, stop, first, indent), place)

    def text(self, text: str, place: int) -> None:
        if _WORTH_IT.search(text):
            self._put(without_indent(text), place)

    def _put(self, text: str, place: int) -> None:
        self._waiting.append((text, self._lines.number(place), self._depth))


def cut_block(lines: Lines, place: int, stop: int, first: int, indent: int | None = None) -> str:
    """The lines from `place` to `stop` with `first` columns cut off the first and `indent` off each other; None is their least.

    With `first` 0 the first line is one like the others.
    """
    head = ""
    if first:
        head, place = lines.at(place)[first:] + "\n", lines.after(place)
    return head + without_indent(expanded(lines.text[place:stop]), indent)


def expanded(block: str) -> str:
    """`block` with tabs expanded, line by line; where there are none, without a look at single lines."""
    if not any(sign in block for sign in "\t\v\f"):
        return block
    return "\n".join(Lines(block).between(0, len(block)))


def without_indent(block: str, columns: int | None = None) -> str:
    """`block` with `columns` cut off each line that has them; None is what all lines have, blank ones apart."""
    if columns is None:
        columns = 0 if _UNINDENTED.search(block) else min((len(found[0]) for found in _INDENT.finditer(block)), default=0)
    return re.sub(rf"^ {{{columns}}}", "", block, flags=re.MULTILINE) if columns else block
