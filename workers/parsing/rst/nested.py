"""Blocks put aside while the text around them is scanned, and given back as texts of their own. It knows no construct.

They are kept level by level and not scanned inside one another, so that depth costs no stack and each level at most one copy of the text:
blocks may be a million, and so those of a level are one text with two numbers for each.
"""

import re
from array import array
from collections.abc import Iterator
from io import StringIO
from typing import Final

from workers.parsing.rst.found import Aside
from workers.parsing.rst.lines import TABS, Lines

MAX_DEPTH: Final = 20
"""Blocks inside one another that are still looked into: each level costs a pass, and nobody reads an anchor at such a depth."""

MAX_TABBED: Final = 2**22
"""Characters of a block with tabs that is still looked into: expanded, it may be eight times as long."""

# What is looked for: labels and includes. A block without either is dropped unread.
_WORTH_IT: Final = re.compile(r"\.\.[ \t\v\f]+(?:_|include[ \t\v\f]?::)", re.IGNORECASE)
_INDENT: Final = re.compile(r"^ +(?=\S)", re.MULTILINE)
_UNINDENTED: Final = re.compile(r"^\S", re.MULTILINE)


class Nested:
    """The blocks that wait, in the order in which they were met, which is that of their levels."""

    def __init__(self) -> None:
        self._depth = 0
        self._here: Iterator[Lines] = iter(())
        self._deeper = _Level()

    def next(self) -> Lines | None:
        """The block that waits longest, or None."""
        found = next(self._here, None)
        if found is None and self._deeper.starts:
            self._here, self._deeper = self._deeper.blocks(), _Level()
            self._depth += 1
            found = next(self._here)
        return found

    def of(self, lines: Lines) -> Aside:
        """Where blocks of `lines` are put, one level deeper than `lines` itself stands."""
        return _Waiting(lines, self._deeper, self._depth + 1)


class _Level:
    """Blocks of one depth, as one text."""

    def __init__(self) -> None:
        self._text = StringIO()
        self._numbers = array("I")
        self.starts = array("I")
        """Where each begins."""

    def put(self, block: str, number: int) -> None:
        """Add a block whose first line has that number."""
        self.starts.append(self._text.tell())
        self._numbers.append(number)
        self._text.write(block)

    def blocks(self) -> Iterator[Lines]:
        """Each block. None may be put any more."""
        text = self._text.getvalue()
        self._text.close()
        self.starts.append(len(text))
        for index, number in enumerate(self._numbers):
            yield Lines(text[self.starts[index] : self.starts[index + 1]], number)


class _Waiting(Aside):
    def __init__(self, lines: Lines, level: _Level, depth: int) -> None:
        self._lines = lines
        self._level = level
        self._depth = depth

    def wants(self, place: int, stop: int) -> bool:
        return self._depth <= MAX_DEPTH and _WORTH_IT.search(self._lines.text, place, stop) is not None

    def block(self, place: int, stop: int, first: int, indent: int | None = None) -> None:
        if self.wants(place, stop) and not (stop - place > MAX_TABBED and self._has_tabs(place, stop)):
            self._put(cut_block(self._lines, place, stop, first, indent), place)

    def _has_tabs(self, place: int, stop: int) -> bool:
        return any(self._lines.text.find(sign, place, stop) >= 0 for sign in TABS)

    def text(self, text: str, place: int) -> None:
        if _WORTH_IT.search(text):
            self._put(without_indent(text), place)

    def _put(self, text: str, place: int) -> None:
        self._level.put(text, self._lines.number(place))


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
    if not any(sign in block for sign in TABS):
        return block
    return "\n".join(Lines(block).between(0, len(block)))


def without_indent(block: str, columns: int | None = None) -> str:
    """`block` with `columns` cut off each line that has them; None is what all lines have, blank ones apart."""
    if columns is None:
        columns = 0 if _UNINDENTED.search(block) else min((len(found[0]) for found in _INDENT.finditer(block)), default=0)
    return re.sub(rf"^ {{{columns}}}", "", block, flags=re.MULTILINE) if columns else block
