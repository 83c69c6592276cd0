"""The tasks of the `sync` queue: one repository, all of them, and the removal of a mirror. Only these contact a remote (PLT-111).

Whatever becomes of a task, it gives its lock back and says in the record how it ended; when even the database is gone, the lock falls by
itself after `SYNC_LOCK_S`.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pygit2
import structlog
from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded
from kombu.exceptions import OperationalError as BrokerError
from sqlalchemy.exc import SQLAlchemyError

from shared.database import repositories
from shared.database.repositories import Repository
from shared.errors import Refused
from shared.settings import settings
from shared.tasks import REMOVE_MIRROR, SYNC, SYNC_ALL, SYNC_REPOSITORY
from workers.mirror.git_process import MAX_STDERR_CHARS, GitFailed, GitOutOfMemory
from workers.mirror.mask_credentials import without_credentials
from workers.mirror.mirror_folder import MirrorFolder
from workers.mirror.search_copies import SearchCopies
from workers.mirror.sync_lock import LockLost, SyncLock
from workers.mirror.sync_mirror import MirrorSync, Synced, SyncFailed
from workers.resources import engine

log = structlog.get_logger()

OUR_DEFECT = "A defect of the service; the operator finds it in the log under the sync's id."
"""What the record says of an exception that nobody foresaw."""


@dataclass
class _Outcome:
    """What is written when the lock is given back; None when there is nothing to write and no lock any more."""

    synced: Synced | None = None


def _reason(error: Exception) -> str:
    """Why a sync failed, for the record: our own words, git's masked ones, or the system's, at most `MAX_STDERR_CHARS` characters."""
    match error:
        case GitFailed() | GitOutOfMemory():
            text = error.reason
        case SyncFailed():
            text = str(error)
        case Refused():
            text = str(error.fields.get("message", error.code))
        case SoftTimeLimitExceeded():
            text = f"It took longer than {SYNC_REPOSITORY.soft_s:.0f} s."
        case OSError():
            text = f"The disk or the system: {error.strerror or type(error).__name__}."
        case SQLAlchemyError():
            text = "The database could not be used."
        case MemoryError():
            text = "It needed more memory than its share."
        case _:
            text = f"The mirror could not be read: {type(error).__name__}."
    return without_credentials(text)[:MAX_STDERR_CHARS]


_FORESEEN = (GitFailed, SyncFailed, Refused, SoftTimeLimitExceeded, OSError, SQLAlchemyError, MemoryError, pygit2.GitError)


@contextmanager
def _giving_back(lock: SyncLock) -> Iterator[_Outcome]:
    """Around the work of a task that holds `lock`: however it ends, the lock is given back with what the work left in the outcome.

    A failure that can happen becomes `sync_status` `failed` with its reason. Any other exception is our own defect: it is recorded as such
    and goes on.
    """
    outcome = _Outcome()
    try:
        yield outcome
        if outcome.synced is not None:
            held = repositories.unlock(engine(), lock.name, lock.sync_id, outcome.synced.found, outcome.synced.changes)
            log.info("sync_ended", repo=lock.name, sync_id=lock.sync_id, held=held, fetched=outcome.synced.changes is not None)
    except LockLost:
        log.warning("lock_lost", repo=lock.name, sync_id=lock.sync_id)
    except _FORESEEN as error:
        reason = _reason(error)
        log.warning("sync_failed", repo=lock.name, sync_id=lock.sync_id, reason=reason, kind=type(error).__name__)
        _record_failure(lock, reason)
    except BaseException:
        _record_failure(lock, OUR_DEFECT)
        raise


def _record_failure(lock: SyncLock, reason: str) -> None:
    try:
        repositories.unlock(engine(), lock.name, lock.sync_id, {"sync_status": "failed", "sync_error": reason})
    except SQLAlchemyError:
        log.warning("failure_not_recorded", repo=lock.name, sync_id=lock.sync_id, exc_info=True)


def _take_lock(name: str, sync_id: str) -> tuple[Repository, SyncLock] | None:
    """The record of `name` and its lock; None when another sync holds it, there is no such repository, or the database is gone."""
    try:
        if repositories.lock(engine(), name, sync_id) and (found := repositories.find(engine(), name)) is not None:
            return found, SyncLock(engine(), name, sync_id)
    except SQLAlchemyError:
        log.warning("registry_unreachable", repo=name, sync_id=sync_id, exc_info=True)
        return None
    log.info("sync_not_begun", repo=name, sync_id=sync_id)
    return None


@shared_task(
    name=SYNC_REPOSITORY.name, soft_time_limit=SYNC_REPOSITORY.soft_s, time_limit=SYNC_REPOSITORY.hard_s, acks_late=False, max_retries=0
)
def sync_repository(name: str, sync_id: str, force: bool) -> None:  # noqa: FBT001 - as it crosses the queue
    """Bring one mirror up to date and record how that went, under `sync_id`. While another sync of it runs, nothing is done."""
    if (locked := _take_lock(name, sync_id)) is None:
        return
    repository, lock = locked
    with _giving_back(lock) as outcome:
        outcome.synced = MirrorSync(settings(), engine(), repository, lock).run(force=force)


@shared_task(bind=True, name=SYNC_ALL.name, soft_time_limit=SYNC_ALL.soft_s, time_limit=SYNC_ALL.hard_s, acks_late=False, max_retries=0)
def sync_all(self: Task[..., None]) -> None:
    """Send a sync of every repository that isn't being synced; one that isn't begun before the next pass is dropped (PLT-113)."""
    try:
        registered = repositories.all_repositories(engine())
    except SQLAlchemyError:
        log.warning("registry_unreachable", exc_info=True)
        return
    sent = failed = 0
    for repository in registered:
        if repository.syncing:
            continue
        arguments = [repository.name, uuid.uuid4().hex, False]
        expires = settings().sync_interval
        try:
            # By the task's own application: `current_app` is another one on a thread that didn't make it.
            self.app.send_task(SYNC_REPOSITORY.name, args=arguments, queue=SYNC, expires=expires, ignore_result=True, retry=False)
            sent += 1
        except (BrokerError, OSError):
            failed += 1
            log.warning("sync_not_sent", repo=repository.name, exc_info=True)
    log.info("pass_sent", repositories=len(registered), sent=sent, failed=failed)


@shared_task(name=REMOVE_MIRROR.name, soft_time_limit=REMOVE_MIRROR.soft_s, time_limit=REMOVE_MIRROR.hard_s, acks_late=False, max_retries=0)
def remove_mirror(name: str, sync_id: str) -> None:
    """Forget one repository and remove its mirror and what its searches used. While a sync of it runs, nothing is done.

    The folder leaves its place first, and comes back when the record can't be removed: never a record without its mirror.
    """
    if (locked := _take_lock(name, sync_id)) is None:
        return
    _, lock = locked
    folder = MirrorFolder(settings().mirrors_dir, name, sync_id)
    with _giving_back(lock):
        # First, so that no copy outlives its record; the next sync would make it anew.
        SearchCopies(settings().search_dir, name, folder.path, lock).remove()
        folder.move_away()
        removed = False
        try:
            removed = repositories.remove(engine(), name, sync_id)
        finally:
            if not removed:
                folder.move_back()
        if not removed:
            raise LockLost(name)
        folder.remove_moved()
        log.info("mirror_removed", repo=name, sync_id=sync_id)
