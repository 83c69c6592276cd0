"""What a caller is told when its call came to no answer: for a read, when to ask again; for a write, that it may have been carried out."""

from shared.errors import ErrorCode, Refused
from shared.limits import QUEUE_RETRY_AFTER_S
from shared.tasks import TaskKind


def unanswered(code: ErrorCode, kind: TaskKind | None) -> Refused:
    """The refusal of a call that was sent, and whose task may have run to any point (PLT-142).

    A write is never to be repeated blindly: it carries no `retry_after`, but `may_have_applied` and the tool to look with. None stands for
    a task that reads.
    """
    if kind is None or kind.check_with is None:
        return Refused(code, retry_after=QUEUE_RETRY_AFTER_S)
    message = f"What was to be written may be there or not: look with {kind.check_with} before sending it again."
    return Refused(code, may_have_applied=True, check_with=kind.check_with, message=message)
