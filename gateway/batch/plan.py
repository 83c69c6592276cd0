"""`codekeeper batch plan`: the pages of a plan, one after the other, all for the commits that the first one found."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from gateway.batch.ask import Asking, ServiceAway, refusal_of
from gateway.dispatch import make_sender
from gateway.dispatch.dispatcher import Dispatcher
from gateway.dispatch.task_sender import opened
from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.local_user import LOCAL_CALLER
from shared.settings import Settings
from shared.tasks import PLAN_REVIEW
from shared.wire.plan_review import PlanPage, PlanReviewArguments


async def planned(settings: Settings, arguments: PlanReviewArguments, write: Callable[[bytes], object]) -> str:
    """Write the items of a plan, one a line, and say on one line what it holds.

    Raises:
        Refused: the plan is refused, whichever page says so.
    """
    count, left_out = 0, Counter[str]()
    async with opened(make_sender(settings)) as sender:
        asking = Asking(Dispatcher(sender), LOCAL_CALLER, in_flight=1)
        while True:
            page = await _page(asking, arguments)
            for item in page.items:
                write(render(item) + b"\n")
            count += len(page.items)
            left_out.update(page.left_out)
            if page.next is None:
                break
            arguments = arguments.model_copy(update={"base": page.base_commit, "head": page.head_commit, "begin": page.next})
    said = f"{count} items for {page.files} changed files, {page.base_commit[:12]} to {page.head_commit[:12]}"
    return said + (f"; without items: {', '.join(f'{why} {times}' for why, times in left_out.most_common())}" if left_out else "")


async def _page(asking: Asking, arguments: PlanReviewArguments) -> PlanPage:
    try:
        answer = await asking.answer(PLAN_REVIEW, arguments.model_dump())
    except ServiceAway as away:
        raise _refused(away.refused) from away
    if (refusal := refusal_of(answer)) is not None:
        raise _refused(refusal)
    return PlanPage.model_validate_json(answer)


def _refused(answer: Mapping[str, Any]) -> Refused:
    return Refused(ErrorCode(answer["error"]), **{name: value for name, value in answer.items() if name not in {"ok", "error"}})
