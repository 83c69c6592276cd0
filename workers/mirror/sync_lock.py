"""The lock that a running sync holds on its repository, renewed while it works, and what it says meanwhile of how far it is."""

import re
import time
from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from shared.database import repositories
from shared.limits import SYNC_LOCK_RENEW_S, SYNC_LOCK_S

log = structlog.get_logger()

_PROGRESS_S: Final = 2.0
"""Seconds after a renewal before news of progress is worth another: whoever waits sees the bar move, and a remote, which chooses these
words, can't make a write of each of them."""

# As in `Receiving objects:  45% (9/20), 1.2 MiB | 300 KiB/s`, with or without `remote: ` before it.
_PROGRESS: Final = re.compile(rb"(?:remote: )?([A-Z][A-Za-z ]{1,40}):\s+(\d{1,3})% ")


class LockLost(Exception):  # noqa: N818 - a fact about another sync
    """Another sync holds the repository, or it was removed: this one must stop and touch nothing more."""


class SyncLock:
    """One sync's hold on one repository. `renew` may be called as often as one likes."""

    def __init__(self, engine: Engine, name: str, sync_id: str) -> None:
        """For a lock that `repositories.lock` has just given to `sync_id`."""
        self._engine = engine
        self.name = name
        self.sync_id = sync_id
        self._renewed = time.monotonic()
        self._stage: str | None = None
        self._percent: int | None = None
        self._news = False

    def renew(self) -> None:
        """Hold the lock for `SYNC_LOCK_S` seconds from now.

        A database that can't be asked is borne until the lock would have fallen: a sync of minutes needn't fail at a moment's trouble.

        Raises:
            LockLost: another has it, or may have it.
        """
        now = time.monotonic()
        try:
            held = repositories.renew_lock(self._engine, self.name, self.sync_id, self._stage, self._percent)
        except SQLAlchemyError:
            if now - self._renewed >= SYNC_LOCK_S:
                raise LockLost(self.name) from None
            log.warning("lock_not_renewed", repo=self.name, sync_id=self.sync_id, exc_info=True)
            return
        if not held:
            raise LockLost(self.name)
        self._renewed = now
        self._news = False

    def tick(self, stage: str, percent: int | None) -> None:
        """Note that `percent` (0 to 100) of `stage` is done; renew the lock after `SYNC_LOCK_RENEW_S` seconds, or sooner with news.

        Raises:
            LockLost: see `renew`.
        """
        self._news = self._news or (stage, percent) != (self._stage, self._percent)
        self._stage, self._percent = stage, percent
        if time.monotonic() - self._renewed >= (_PROGRESS_S if self._news else SYNC_LOCK_RENEW_S):
            self.renew()

    def watch(self, stage: str) -> Callable[[bytes], None]:
        """What `run_git` gives git's words to: progress is read from them, and `stage` is named until git names one."""
        seen: tuple[str, int | None] = (stage, None)

        def on_stderr(piece: bytes) -> None:
            nonlocal seen
            for found in _PROGRESS.finditer(piece):
                seen = (found.group(1).decode("ascii"), min(int(found.group(2)), 100))
            self.tick(*seen)

        return on_stderr
