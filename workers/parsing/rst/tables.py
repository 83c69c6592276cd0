"""Where a table ends, as docutils isolates it, and the cells in it, as far as labels need them.

Cells are cut by columns and rows. A cell that spans several is cut into pieces: enough for a label in it, which stands on one line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from unicodedata import east_asian_width

from workers.parsing.rst.found import Aside
from workers.parsing.rst.lines import Lines

GRID_TOP: Final = re.compile(r"\+-[-+]+-\+")
"""Top and bottom of a grid table, without white space at its end."""

SIMPLE_TOP: Final = re.compile(r"=+(?: +=+)+")
"""Top of a simple table, without white space at its end."""

MAX_TABLE: Final = 2**20
"""Characters of a table whose cells are still looked into. Its lines are held one by one, and nobody reads an anchor in a larger one."""

_NO_GRID_LINE: Final = re.compile(r"\n(?![^\S\n]*+[+|])")
_GRID_BORDER: Final = re.compile(r"\n\+-[-+]+-\+[^\S\n]*+(?=\n)")
_SPAN: Final = re.compile(r"-[ -]*")
_SIMPLE_BORDER: Final = re.compile(r"\n(?==++[ =\t\v\f]*+[^\S\n]*+(?:\n|\Z))")


def grid_table(lines: Lines, place: int, aside: Aside) -> int:
    """The place after the grid table at `place`. A table whose bottom isn't found is taken whole, as an error."""
    stop = lines.blank_or_indented(place)
    other = _NO_GRID_LINE.search(lines.text, place, stop)
    if other:
        stop = min(stop, other.end())
    last = lines.last_in(place, stop)
    if GRID_TOP.fullmatch(lines.at(last)):
        _grid_cells(lines, place, stop, aside)
        return stop
    third = lines.after(lines.after(place))
    bottom = -1
    for border in _GRID_BORDER.finditer(lines.text, third - 1, last):
        bottom = border.start() + 1
    if bottom < third:
        return stop
    # docutils steps back one line too far here: the line above the bottom is read once more, as text of its own.
    _grid_cells(lines, place, lines.after(bottom), aside)
    return lines.last_in(place, bottom)


def simple_table(lines: Lines, place: int, aside: Aside) -> int:
    """The place after the simple table at `place`. One that isn't closed is taken up to its last border, or to the end of the text."""
    top = lines.at(place)
    width = len(top)
    border = place
    borders: list[int] = []
    while found := _SIMPLE_BORDER.search(lines.text, border):
        border = found.end()
        if border >= lines.end:
            break
        if len(lines.at(border)) != width:
            return lines.after(border)
        borders.append(border)
        after = lines.after(border)
        if len(borders) == 2 or not lines.at(after):  # noqa: PLR2004 - under the head, and the bottom
            _simple_cells(lines, top, [(lines.after(above), below) for above, below in pairwise([place, *borders])], aside)
            return after
    return lines.after(borders[-1]) if borders else lines.end


def _grid_cells(lines: Lines, place: int, stop: int, aside: Aside) -> None:
    """Put each row's cells aside: between two lines that begin with `+`, and between the bars under the corners of the upper one."""
    if stop - place > MAX_TABLE or not aside.wants(place, stop):
        return
    block = [_by_columns(line) for line in lines.between(place, stop)]
    if any(len(line) != len(block[0]) or line[-1] not in "+|" for line in block):
        return  # An error, and no table.
    corners: list[int] = []
    row: list[str] = []
    first = place
    for line in block:
        if line.startswith("+"):
            _put_cells(row, [(left + 1, right) for left, right in pairwise(corners)], first, aside)
            corners, row = [index for index, sign in enumerate(line) if sign == "+"], []
        else:
            if not row:
                first = place
                corners = [corner for corner in corners if line[corner] == "|"]
            row.append(line)
        place = lines.after(place)


def _simple_cells(lines: Lines, top: str, blocks: list[tuple[int, int]], aside: Aside) -> None:
    """Put each row's cells aside: a row begins with text in the first column, and columns begin where the top's do."""
    if blocks[-1][1] - blocks[0][0] > MAX_TABLE or not any(aside.wants(*block) for block in blocks):
        return
    columns = _runs(top)
    rows = [row for block in blocks for row in _simple_rows(lines, *block, columns)]
    if all(row.is_sound(columns) for row in rows):  # else an error, and no table
        for row in rows:
            begins = [begin for begin, _ in row.runs]
            _put_cells(row.lines, [*pairwise(begins), (begins[-1], None)], row.place, aside)


@dataclass(frozen=True)
class _Row:
    """Of a simple table."""

    lines: list[str]
    place: int
    runs: list[tuple[int, int]]
    """Where its cells begin and end: the columns, or what its underline or the border below it joins them to."""

    def is_sound(self, columns: Sequence[tuple[int, int]]) -> bool:
        """Whether its cells are whole columns, with nothing between them."""
        begins, ends = [begin for begin, _ in columns], [end for _, end in columns]
        place = 0
        for begin, end in self.runs:
            if begin not in begins[place : place + 1] or end not in ends[place:]:
                return False
            place = ends.index(end) + 1
        margins = [slice(left[1], right[0]) for left, right in pairwise(self.runs)]
        return place == len(columns) and not any(line[margin].strip() for line in self.lines for margin in margins)


def _runs(underline: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"[-=]+", underline)]


def _simple_rows(lines: Lines, place: int, border: int, columns: list[tuple[int, int]]) -> Iterator[_Row]:
    """The rows of one part of a table, which `border` ends. Underlines that stand by themselves are rows without lines."""
    row: list[str] = []
    first = place
    for raw in lines.between(place, border):
        line = _by_columns(raw)
        if _SPAN.fullmatch(line):
            yield _Row(row, first, _runs(line))
            row = []
        elif line[: columns[0][1]].strip():
            if row:
                yield _Row(row, first, columns)
            row, first = [line], place
        elif row:
            row.append(line)
        place = lines.after(place)
    yield _Row(row, first, _runs(lines.at(border)))


def _put_cells(row: list[str], columns: Sequence[tuple[int, int | None]], place: int, aside: Aside) -> None:
    if row:
        for left, right in columns:
            aside.text("\n".join(line[left:right] for line in row).replace("\0", ""), place)


def _by_columns(line: str) -> str:
    """`line` with a filler after each wide character, so that an index is a column."""
    return line if line.isascii() else "".join(sign + "\0" * (east_asian_width(sign) in "WF") for sign in line)
