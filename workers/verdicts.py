"""What a caller is told when no tool could answer: the answers, as they are sent, about calls that failed on our side."""

from shared import errors
from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.limits import QUEUE_RETRY_AFTER_S


def internal_error(call_id: str) -> bytes:
    """Our own defect."""
    return render(errors.internal_error(call_id).answer())


def resource_limit(call_id: str) -> bytes:
    """The call met its share of time or memory. No `retry_after`: the same call would meet it again."""
    message = "The call met its share of time or memory. Ask for less of it at once."
    return render(Refused(ErrorCode.RESOURCE_LIMIT, call_id=call_id, message=message).answer())


def worker_lost() -> bytes:
    """The process that ran the call died (PLT-142)."""
    return render(Refused(ErrorCode.WORKER_LOST, retry_after=QUEUE_RETRY_AFTER_S).answer())


def deadline_exceeded() -> bytes:
    """The call waited in the queue until its deadline, and did not run (PLT-142)."""
    return render(Refused(ErrorCode.DEADLINE_EXCEEDED, retry_after=QUEUE_RETRY_AFTER_S).answer())
