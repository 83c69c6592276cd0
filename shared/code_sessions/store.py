"""What a store of sessions does for a worker, whichever form it has. Each of its three steps happens whole or not at all."""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from shared.code_sessions.session import Session


class Unclaimed(Enum):
    """Why a session can't be gone on with."""

    STALE = "stale"
    """No live session of the user's has that `runId`: never had, not any more, or it is another user's (RCC-34)."""
    BUSY = "busy"
    """Another call goes on from it right now (RCC-36)."""


class Committed(Enum):
    """What became of a success."""

    DONE = "done"
    STALE = "stale"
    """The session that it went on from is gone: another success replaced it, or it expired. Nothing changed."""
    CANCELLED = "cancelled"
    """Nobody waits for the call any more. Nothing changed (RCC-33)."""


@dataclass(frozen=True, slots=True)
class Success:
    """What a successful read leaves."""

    user: str
    run_id: str
    """Its own, new one."""
    session: Session
    """The session after it."""
    text: str
    """The resource: the document as it is sent."""
    replaces: str | None
    """The `runId` that it went on from; None begins a session."""
    call_id: str
    """The call that made it."""


class SessionStore(Protocol):
    """The sessions of a deployment. Each method may be called from any thread.

    Raises, everywhere: `Refused` with `queue_unavailable` when the store can't be reached. What was under way then happened whole or not.
    """

    def claim(self, user: str, run_id: str, call_id: str) -> Session | Unclaimed:
        """The user's session at that `runId`, held for this call for `CODE_LEASE_S` at the most.

        A call that claims again what it holds has it: the store may ask twice after a lost connection.
        """

    def release(self, run_id: str, call_id: str) -> None:
        """End this call's hold, if it still has it."""

    def commit(self, success: Success) -> Committed:
        """Put a success in the place of the one that it went on from, with its resource, and end the hold on that; or begin a session.

        Of all commits that replace the same `runId` one is done, whoever holds it: the others are stale. A session lives for
        `CODE_SESSION_TTL_S` after its last success. A user has `CODE_SESSIONS_PER_USER` at the most: the one whose last success is the
        oldest goes.
        """
