"""Sessions in this process's memory: the embedded form's store. They are gone when the process ends."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from shared.code_sessions.session import Session
from shared.code_sessions.store import Committed, Success, Unclaimed
from shared.forgotten_calls import was_forgotten
from shared.limits import (
    CODE_MEMORY_BYTES_MAX,
    CODE_MEMORY_SESSIONS_MAX,
    CODE_SESSION_TTL_S,
    CODE_SESSIONS_PER_USER,
)
from shared.tasks import CODE_LEASE_S


@dataclass(slots=True)
class Kept:
    """One live session."""

    user: str
    session: Session
    text: str
    expires: float
    """The clock's second at which it is gone."""
    held_by: str | None = None
    held_until: float = 0.0

    @property
    def size(self) -> int:
        """Bytes of UTF-8 of its text."""
        return len(self.text) if self.text.isascii() else len(self.text.encode())

    @property
    def memory_bytes(self) -> int:
        """Bytes of memory that its text takes at the most: four for each character where one is outside ASCII."""
        return len(self.text) * (1 if self.text.isascii() else 4)


class MemorySessions:
    """`SessionStore` in memory, and what the gateway reads of it. One lock; nothing under it waits."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        max_sessions: int = CODE_MEMORY_SESSIONS_MAX,
        max_bytes: int = CODE_MEMORY_BYTES_MAX,
    ) -> None:
        """`clock` counts seconds. The two ceilings are those of all users together."""
        self._clock = clock
        self._max_sessions = max_sessions
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        """By `runId`, the oldest success first, which is also the order in which they expire."""

    def claim(self, user: str, run_id: str, call_id: str) -> Session | Unclaimed:
        """See `SessionStore.claim`."""
        with self._lock:
            found = self._live(user, run_id)
            if found is None:
                return Unclaimed.STALE
            if found.held_by not in (None, call_id) and self._clock() < found.held_until:
                return Unclaimed.BUSY
            found.held_by, found.held_until = call_id, self._clock() + CODE_LEASE_S
            return found.session

    def release(self, run_id: str, call_id: str) -> None:
        """See `SessionStore.release`."""
        with self._lock:
            found = self._kept.get(run_id)
            if found is not None and found.held_by == call_id:
                found.held_by = None

    def commit(self, success: Success) -> Committed:
        """See `SessionStore.commit`. Here all users share two ceilings more: the committing user's oldest sessions go before others'."""
        with self._lock:
            if was_forgotten(success.call_id):
                return Committed.CANCELLED
            if success.replaces is not None:
                if self._live(success.user, success.replaces) is None:
                    return Committed.STALE
                del self._kept[success.replaces]
            self._kept[success.run_id] = Kept(success.user, success.session, success.text, self._clock() + CODE_SESSION_TTL_S)
            self._make_room(success.user)
            return Committed.DONE

    def read(self, user: str, run_id: str) -> Kept | None:
        """The user's live session at that `runId`."""
        with self._lock:
            return self._live(user, run_id)

    def listed(self, user: str) -> list[tuple[str, Kept]]:
        """The user's live sessions by `runId`, the newest success first."""
        with self._lock:
            self._drop_expired()
            return [(run_id, kept) for run_id, kept in reversed(self._kept.items()) if kept.user == user]

    def _live(self, user: str, run_id: str) -> Kept | None:
        self._drop_expired()
        found = self._kept.get(run_id)
        return None if found is None or found.user != user else found

    def _drop_expired(self) -> None:
        while self._kept and next(iter(self._kept.values())).expires <= self._clock():
            self._kept.popitem(last=False)

    def _make_room(self, user: str) -> None:
        """Drop what is too much, never the newest. A user makes room for itself first, the oldest success before the others."""
        *older, _newest = self._kept
        own = [run_id for run_id in older if self._kept[run_id].user == user]
        while len(own) >= CODE_SESSIONS_PER_USER:
            del self._kept[own.pop(0)]
        others = [run_id for run_id in older if run_id in self._kept and run_id not in own]
        for run_id in (*own, *others):
            if len(self._kept) <= self._max_sessions and sum(kept.memory_bytes for kept in self._kept.values()) <= self._max_bytes:
                return
            del self._kept[run_id]


@cache
def memory_sessions() -> MemorySessions:
    """This process's sessions."""
    return MemorySessions()
