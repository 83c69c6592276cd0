"""Answers that are lists: cut to what fits, and then they say so, or a page that is refused whole (PLT-95)."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from shared.answer import fits, render
from shared.errors import ErrorCode, Refused
from shared.limits import OUTPUT_BYTE_BUDGET

RecordT = TypeVar("RecordT")


def render_list(records: Sequence[RecordT], answer: Callable[[Sequence[RecordT]], Mapping[str, object]], *, more: bool = False) -> bytes:
    """`answer` of all records, or of as many from the front as fit, as it is sent (PLT-95: a list that can't be paged).

    When some were left out for that, or there are `more` than the caller has, it says `truncated`, at its end.
    """
    sent = render({**answer(records), "truncated": True} if more else answer(records))
    if fits(sent):
        return sent

    def cut(kept: int) -> bytes:
        return render({**answer(records[:kept]), "truncated": True})

    return cut(bisect_left(range(1, len(records)), True, key=lambda too_many: not fits(cut(too_many))))


def render_page(answer: Mapping[str, object], per_page: int) -> bytes:
    """`answer`, one page of a list that is paged by number, as it is sent.

    Raises:
        Refused: `page_too_large`: it doesn't fit, and a page is never cut, since what it lacks would be on no page (PLT-95).
    """
    sent = render(answer)
    if not fits(sent):
        raise Refused(ErrorCode.PAGE_TOO_LARGE, bytes=len(sent), max=OUTPUT_BYTE_BUDGET, per_page=per_page)
    return sent
