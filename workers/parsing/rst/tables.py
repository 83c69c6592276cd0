"""Where a table ends, as docutils isolates it, and the cells in it, as far as labels need them.

Cells are cut by columns and rows. A cell that spans several is cut into pieces: enough for a label in it, which stands on one line.
"""

import re
from collections.abc import Iterator, Sequence
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
            _simple_cells(lines, top, list(pairwise([lines.after(place), *borders])), aside)
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
    runs = [found.span() for found in re.finditer(r"=+", top)]
    columns = [*pairwise(start for start, _ in runs), (runs[-1][0], None)]
    margins = [slice(left[1], right[0]) for left, right in pairwise(runs)]
    rows: list[tuple[list[str], int]] = []
    for block in blocks:
        rows += _simple_rows(lines, *block, runs[0][1])
    if not any(line[margin].strip() for row, _ in rows for line in row for margin in margins):  # else an error, and no table
        for row, place in rows:
            _put_cells(row, columns, place, aside)


def _simple_rows(lines: Lines, place: int, stop: int, first_column: int) -> Iterator[tuple[list[str], int]]:
    """The rows of one part of a table, each with its place. A row over columns that are joined is left out."""
    row: list[str] = []
    first = place
    for raw in lines.between(place, stop):
        line = _by_columns(raw)
        if _SPAN.fullmatch(line):
            row = []
        elif line[:first_column].strip():
            if row:
                yield row, first
            row, first = [line], place
        elif row:
            row.append(line)
        place = lines.after(place)
    if row:
        yield row, first


def _put_cells(row: list[str], columns: Sequence[tuple[int, int | None]], place: int, aside: Aside) -> None:
    if row:
        for left, right in columns:
            aside.text("\n".join(line[left:right] for line in row).replace("\0", ""), place)


def _by_columns(line: str) -> str:
    """`line` with a filler after each wide character, so that an index is a column."""
    return line if line.isascii() else "".join(sign + "\0" * (east_asian_width(sign) in "WF") for sign in line)
