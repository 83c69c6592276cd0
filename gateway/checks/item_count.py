"""Check 3: how many items a batch has, before anything else is looked at (BAT-22). They are what it costs against the rate limit."""

from collections.abc import Mapping
from typing import Any

from shared.errors import ErrorCode, Refused
from shared.limits import BATCH_ITEMS_MAX
from shared.wire.text import decoded_list


def item_count(arguments: Mapping[str, Any]) -> int:
    """Units of a call whose `items` are read one by one (BAT-85). What is no list costs one: the check of the arguments refuses it.

    Raises:
        Refused: `missing_items` for none, `too_many_items` with `max` and `actual` for more than `BATCH_ITEMS_MAX`.
    """
    items = decoded_list(arguments.get("items"))
    if items is None or items == []:
        raise Refused(ErrorCode.MISSING_ITEMS)
    if not isinstance(items, list):
        return 1
    if len(items) > BATCH_ITEMS_MAX:
        raise Refused(ErrorCode.TOO_MANY_ITEMS, max=BATCH_ITEMS_MAX, actual=len(items))
    return len(items)
