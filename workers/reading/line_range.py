"""A range of a text's lines as an answer, measured as it is sent (LIN-20 to LIN-34): the one way for every tool that takes `lines`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import AnyStr

from shared.answer import fits
from shared.errors import ErrorCode, Refused
from shared.limits import OUTPUT_BYTE_BUDGET
from workers.reading.lines import count_lines, cut_lines, last_line_that_fits, line_start


@dataclass(frozen=True)
class LineTooLarge(Exception):  # noqa: N818 - an answer
    """Not even the first line fits into an answer (LIN-31)."""

    line: int
    """That line, from 1."""
    bytes: int
    """Size of the answer that was judged; more than the budget."""


def checked_range(lines: list[int] | None) -> tuple[int, int] | None:
    """`lines` as (start, end), from 1 and both included, or None for no range (LIN-20 to LIN-24, LIN-38).

    Raises:
        Refused: `invalid_line_range`.
    """
    if lines is None:
        return None
    if len(lines) != 2 or not 1 <= lines[0] <= lines[1]:  # noqa: PLR2004 - a start and an end
        raise Refused(ErrorCode.INVALID_LINE_RANGE)
    return lines[0], lines[1]


def line_range(
    text: AnyStr, lines: tuple[int, int], answer: Callable[[Mapping[str, object], AnyStr], bytes], sent_size: Callable[[AnyStr], int]
) -> bytes:
    """The range `lines` of `text`, clamped to its end and cut to the budget on a line, as late as it can (LIN-25 to LIN-34).

    `answer` renders the object `range` with a piece of the text; `sent_size` says how many bytes a piece takes in there. A text may be
    given as bytes, as in `workers.reading.lines`.

    Raises:
        Refused: `range_out_of_bounds`.
        LineTooLarge: there is nothing left to cut.
    """
    start, end = lines
    total = count_lines(text)
    if start > total:
        raise Refused(ErrorCode.RANGE_OUT_OF_BOUNDS, total_lines=total)

    def shown(last: int, piece: AnyStr, **reason: str) -> bytes:
        return answer({"start": start, "end": last, "total_lines": total, "truncated": bool(reason) or end > total, **reason}, piece)

    last = min(end, total)
    # An answer is never shorter than the text it shows, so a longer piece need not be rendered to know that it can't fit.
    first_line = line_start(text, start)
    if line_start(text, last - start + 2, after=first_line) - 1 - first_line <= OUTPUT_BYTE_BUDGET:
        sent = shown(last, cut_lines(text, start, last))
        if fits(sent):
            return sent
    nothing = text[:0]

    def fits_until(line: int, piece: AnyStr) -> bool:
        return len(shown(line, nothing, truncation_reason="byte_budget")) + sent_size(piece) <= OUTPUT_BYTE_BUDGET

    fitting = last_line_that_fits(text, start, last, OUTPUT_BYTE_BUDGET, fits_until)
    if fitting is not None:
        return shown(fitting, cut_lines(text, start, fitting), truncation_reason="byte_budget")
    # The size that was judged: a range that ends early says why, and that takes room too.
    reason = {} if start == last else {"truncation_reason": "byte_budget"}
    raise LineTooLarge(start, len(shown(start, nothing, **reason)) + sent_size(cut_lines(text, start, start)))
