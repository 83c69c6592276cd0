"""What a failed look into a mirror is called, and when a running sync is the truer answer."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from shared.database import repositories
from shared.errors import ErrorCode, Refused, SyncMayExplain
from shared.limits import SYNC_RETRY_AFTER_S
from workers.mirror.memory import raise_if_memory_was_short

log = structlog.get_logger()


class ReadFailedForNow(SyncMayExplain):
    """`read_failed` because git did not start, or not end in time: it says nothing of the mirror, and the next try may succeed."""


def read_failed(repo: str, what: str, *, for_now: bool = False) -> SyncMayExplain:
    """`read_failed`: the repository is here and could not be read (REF-37). `what` says at which step, in our own words.

    `for_now` makes it a `ReadFailedForNow`. Called where the exception that says so is being handled.

    Raises:
        MemoryError: it could not be read because this process met its share of memory.
    """
    raise_if_memory_was_short(repo, sys.exception())
    message = f"Reading failed: {what}. Retry later; if it repeats, it is the operator's."
    return (ReadFailedForNow if for_now else SyncMayExplain)(ErrorCode.READ_FAILED, repo=repo, message=message)


def sync_is_running(engine: Engine, repo: str) -> bool:
    """Whether a sync of `repo` runs now; an error while asking counts as no (REF-34)."""
    try:
        found = repositories.find(engine, repo)
    except SQLAlchemyError:
        log.warning("sync_state_unknown", repo=repo, exc_info=True)
        return False
    return found is not None and found.syncing


def refuse_during_sync(engine: Engine, repo: str) -> None:
    """Called where something failed: while a sync runs, "try again" is the answer (REF-28).

    Raises:
        Refused: `sync_in_progress`.
    """
    if sync_is_running(engine, repo):
        raise sync_in_progress(repo)


def sync_in_progress(repo: str) -> Refused:
    """The refusal of what failed while a sync of that repository ran."""
    return Refused(
        ErrorCode.SYNC_IN_PROGRESS,
        retry_after=SYNC_RETRY_AFTER_S,
        message="A sync of this repository is running; wait and retry instead of concluding that it is not there.",
        repo=repo,
    )


@contextmanager
def a_sync_may_explain(engine: Engine, repo: str, ask: Callable[[Engine, str], bool] = sync_is_running) -> Iterator[None]:
    """Around a read: when it fails while a sync runs, the answer is `sync_in_progress` (REF-28); a success never asks (REF-30).

    `ask` is how it is found out whether one runs.
    """
    try:
        yield
    except SyncMayExplain as failure:
        if failure.code is ErrorCode.READ_FAILED:
            log.warning("read_failed", repo=repo, message=failure.fields.get("message"), exc_info=failure.__cause__)
        if not ask(engine, repo):
            raise
        raise sync_in_progress(repo) from failure
