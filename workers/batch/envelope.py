"""What stands around the items of a batch's answer, and the room that it leaves them (BAT-23 to BAT-31, BAT-65). Pure."""

from collections.abc import Sequence

from shared.answer import render
from shared.limits import OUTPUT_BYTE_BUDGET
from workers.batch.in_order import Stopped


def room_for_items(requested: int) -> int:
    """Bytes for all answers of a batch of `requested` items, commas included, beside the envelope at its largest.

    It is what one answer may take, too: `max` of `item_too_large` (BAT-68).
    """
    largest = max(len(_envelope(requested, list(range(requested)), stopped)) for stopped in Stopped)
    return OUTPUT_BYTE_BUDGET - largest


def assembled(answers: Sequence[bytes], requested: int, stopped: Stopped | None) -> bytes:
    """The batch's answer as it is sent; `answers` are those of the first items, rendered, and are sent as they are."""
    before, items, after = _envelope(len(answers), list(range(len(answers), requested)), stopped).partition(b'"items":[')
    return b"".join((before, items, b",".join(answers), after))


def _envelope(count: int, unread: list[int], stopped: Stopped | None) -> bytes:
    tail = {} if stopped is None else {"unread": unread, "unread_reason": stopped.value}
    return render({"ok": True, "count": count, "items": [], **tail})
