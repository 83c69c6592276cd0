"""Around every reading task: from the wire's form to the tool's arguments, from what the tool does to the answer that is sent.

This is the only place where an exception becomes an answer. Its text never leaves the log.
"""

import traceback
from collections.abc import Callable
from typing import Any, TypeVar

import structlog
from celery.exceptions import Ignore, SoftTimeLimitExceeded

from shared.answer import fits, render, too_large
from shared.errors import Refused
from shared.wire.call import Call
from shared.wire.text import Arguments
from workers.cancellation import was_cancelled
from workers.verdicts import internal_error, resource_limit

log = structlog.get_logger()

ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


def run_call(payload: dict[str, Any], arguments_type: type[ArgumentsT], tool: Callable[[ArgumentsT, Call], bytes]) -> bytes:
    """Run `tool` for the call in `payload` and return the answer as it is sent, refusals and our own failures included.

    Raises:
        celery.exceptions.Ignore: the caller went away before the task began, or before it committed what it did; nothing is answered.
    """
    call = Call.model_validate(payload)
    with structlog.contextvars.bound_contextvars(call_id=call.id):
        if was_cancelled(call.id):
            raise Ignore
        sent = answered(call, tool.__name__, lambda: tool(arguments_type.model_validate(call.arguments), call))
        if fits(sent):
            return sent
        log.warning("answer_over_budget", tool=tool.__name__, bytes=len(sent))
        return render(too_large(sent))


def answered(call: Call, tool: str, work: Callable[[], bytes]) -> bytes:
    """What `work` answers for the tool of that name, or the answer that its exception becomes. A batch asks this for each item."""
    try:
        return work()
    except Refused as refused:
        return render(refused.answer())
    except Ignore:  # the caller went away while it ran
        raise
    except (SoftTimeLimitExceeded, MemoryError) as error:
        _let_go(error)
        log.warning("resource_limit", tool=tool, exc_info=True)
        return resource_limit(call.id)
    except Exception:  # the outermost boundary: whatever is left is our own defect
        log.exception("internal_error", tool=tool)
        return internal_error(call.id)


def _let_go(error: BaseException | None) -> None:
    """Drop what the call held in the frames that it failed in: without that, not even the log's line may find memory."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__
