"""Cutting lists from their ends until an answer fits, without rendering more of them than an answer holds (DOC section 11)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from shared.answer import render
from shared.limits import OUTPUT_BYTE_BUDGET


def most_that_fit(entries: Iterable[object], room: int) -> int:
    """How many of `entries`, from the first on, take at most `room` bytes inside a JSON list, commas included.

    Entries beyond the first that doesn't fit are not looked at.
    """
    left, fitting = room + 1, 0  # one comma less than entries
    for entry in entries:
        left -= _size(entry) + 1
        if left < 0:
            break
        fitting += 1
    return fitting


def _size(entry: object) -> int:
    """Bytes of one entry in a JSON list."""
    return len(render({"": entry})) - len('{"":}')


def room_beside(answer: Mapping[str, object]) -> int:
    """Bytes that are left in the budget beside `answer` as it is; negative when it is over it by itself."""
    return OUTPUT_BYTE_BUDGET - len(render(answer))


def shown(entries: Sequence[object], total: int, room: Callable[[bool], int]) -> int:
    """How many of `entries` an answer shows, cut from the end to what fits. `total` counts those that the cap on items left out as well.

    `room(cut)` are the bytes left beside the answer without entries, when its flag says `cut`: true exactly when fewer than `total` are
    shown. The flag takes room too, and a cut list may have more of it than a whole one: `true` is shorter than `false`.
    """
    if len(entries) == total and most_that_fit(entries, room(False)) == total:
        return total
    return most_that_fit(entries[: total - 1], room(True))
