"""The pass over a batch: reads follow the groups, answers the order of the request (BAT-48 to BAT-52). Pure but for what it is given."""

from collections.abc import Callable, Sequence
from enum import StrEnum

from workers.batch.answers import Answers
from workers.batch.groups import Group


class Stopped(StrEnum):
    """Why a pass ended before the last item: `unread_reason`."""

    BYTE_BUDGET = "byte_budget"
    TIMEOUT = "timeout"


def in_order(
    groups: Sequence[Group], answers: Answers, late: Callable[[], bool], read: Callable[[Group], Callable[[int], bytes]]
) -> Stopped | None:
    """Fill `answers` from the first item on; None when all of them entered.

    `read` reads a group and returns what answers one of its items, which is let go of before the next group is read (BAT-42). `late` is
    asked before every read of the mirror and nowhere else (BAT-77 to BAT-79).
    """
    group_of = {index: group for group in groups for index in group.members}
    for index in range(len(group_of)):
        if answers.wants(index) and not answers.waits(index):
            if group_of[index].reads and late():
                return Stopped.TIMEOUT
            _answer(group_of[index], answers, read)
        if not answers.wants(index):
            return Stopped.BYTE_BUDGET
        answers.enter(index)
    return None


def _answer(group: Group, answers: Answers, read: Callable[[Group], Callable[[int], bytes]]) -> None:
    """All items of a group at one occasion, but those that can't be sent any more (BAT-49, BAT-60)."""
    answer_of = read(group)
    for member in group.members:
        if not answers.wants(member):
            return
        answers.offer(member, answer_of(member))
