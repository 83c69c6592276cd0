"""What a caller is told when no tool could answer: the answers, as they are sent, about calls that failed on our side."""

from shared import errors
from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.tasks import TaskKind
from shared.unanswered import unanswered


def internal_error(call_id: str) -> bytes:
    """Our own defect."""
    return render(errors.internal_error(call_id).answer())


def resource_limit(call_id: str, ended: TaskKind | None = None) -> bytes:
    """The call met its share of time or memory. No `retry_after`: the same call would meet it again.

    `ended` is the task that was ended from outside, at a point that nobody knows; None when it gave up by itself, and undid what it wrote.
    """
    if ended is not None and ended.check_with is not None:
        return render(unanswered(ErrorCode.RESOURCE_LIMIT, ended).answer())
    message = "The call met its share of time or memory. Ask for less of it at once."
    return render(Refused(ErrorCode.RESOURCE_LIMIT, call_id=call_id, message=message).answer())


def worker_lost(kind: TaskKind | None = None) -> bytes:
    """The process that ran the call died (PLT-142)."""
    return render(unanswered(ErrorCode.WORKER_LOST, kind).answer())


def deadline_exceeded(kind: TaskKind | None = None) -> bytes:
    """The call waited in the queue until its deadline, and did not run (PLT-142)."""
    return render(unanswered(ErrorCode.DEADLINE_EXCEEDED, kind).answer())
