"""One page of a text: from an offset, at most so many characters, and never more bytes than an answer holds.

Sections and whole documents are paged by this one function (DOC-98).
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from shared.answer import fits, render, text_size
from shared.limits import OUTPUT_BYTE_BUDGET


@dataclass(frozen=True)
class PageTooLarge(Exception):  # noqa: N818 - an answer
    """Not even one character fits beside the rest of the answer."""

    bytes: int
    """Size of the smallest page that carries content; more than the budget (DOC-97)."""


def text_page(before: Mapping[str, object], text: str, offset: int, max_chars: int, after: Mapping[str, object]) -> bytes:
    """The answer `before` + page + `after`, with `content`, `truncated` and, when text remains, `next_offset` and `remaining_chars`.

    A page over the budget ends earlier, on a character boundary, as late as it can, and says `truncation_reason` (DOC-88 to DOC-95).

    Raises:
        PageTooLarge: a page of one character would not fit (DOC-96).
    """

    def page(end: int, **reason: str) -> bytes:
        remaining = len(text) - end
        rest = {"next_offset": end, "remaining_chars": remaining, **reason} if remaining > 0 else {}
        return render({**before, "content": text[offset:end], "truncated": remaining > 0, **rest, **after})

    most = min(max_chars, max(len(text) - offset, 0))
    sent = page(offset + most)
    if fits(sent):
        return sent
    # What is around the content is measured once: it may be many times the budget. Only two numbers in it depend on where the page ends.
    around = {"content": "", "truncated": True, "next_offset": 0, "remaining_chars": 0, "truncation_reason": "byte_budget"}
    envelope = len(render({**before, **around, **after})) - len("00")

    def size(chars: int) -> int:
        end = offset + chars
        return envelope + len(f"{end}{len(text) - end}") + text_size(text[offset:end])

    # From one character to one less than what did not fit; a character takes a byte at least.
    fitting = bisect_right(range(1, min(most, OUTPUT_BYTE_BUDGET)), OUTPUT_BYTE_BUDGET, key=size)
    if not fitting:
        raise PageTooLarge(len(sent) if most <= 1 else size(1))
    return page(offset + fitting, truncation_reason="byte_budget")
