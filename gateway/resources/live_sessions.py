"""What the gateway reads of the reading sessions, in either form; the settings alone decide which. It keeps and changes nothing."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from shared.code_sessions.memory import MemorySessions, memory_sessions
from shared.code_sessions.redis_keys import RUN_PREFIX, SESSION, TEXT, USER, USER_PREFIX
from shared.code_sessions.session import Session
from shared.errors import ErrorCode, Refused
from shared.limits import QUEUE_RETRY_AFTER_S
from shared.settings import Settings

log = structlog.get_logger()

_MAX_CONNECTIONS: Final = 4
"""Connections of one gateway for resources, and so how many are on their way from Redis at once, at 4 MiB each."""


@dataclass(frozen=True, slots=True)
class Live:
    """One live session, without its text."""

    run_id: str
    session: Session
    size: int
    """Bytes of UTF-8 of its resource."""


class LiveSessions(Protocol):
    """The live sessions of a deployment.

    Raises, everywhere: `Refused` with `queue_unavailable` when the store can't be reached.
    """

    async def listed(self, user: str) -> Sequence[Live]:
        """The user's, the newest success first."""

    async def size(self, user: str, run_id: str) -> int | None:
        """Bytes of the resource of the user's session at that `runId`; None where there is none."""

    async def text(self, user: str, run_id: str) -> str | None:
        """The resource itself."""

    async def close(self) -> None:
        """Let go of connections."""


def make_live_sessions(settings: Settings) -> LiveSessions:
    """The sessions for these settings: in Redis when `CODEKEEPER_REDIS_URL` is set, else in this process."""
    return LiveInMemory(memory_sessions()) if settings.redis_url is None else LiveInRedis(settings.redis_url)


class LiveInMemory:
    """`LiveSessions` of the embedded form."""

    def __init__(self, sessions: MemorySessions) -> None:
        self._sessions = sessions

    async def listed(self, user: str) -> Sequence[Live]:
        """See `LiveSessions.listed`."""
        return [Live(run_id, kept.session, kept.size) for run_id, kept in self._sessions.listed(user)]

    async def size(self, user: str, run_id: str) -> int | None:
        """See `LiveSessions.size`."""
        found = self._sessions.read(user, run_id)
        return None if found is None else found.size

    async def text(self, user: str, run_id: str) -> str | None:
        """See `LiveSessions.text`."""
        found = self._sessions.read(user, run_id)
        return None if found is None else found.text

    async def close(self) -> None:
        """See `LiveSessions.close`."""


class LiveInRedis:
    """`LiveSessions` of the hosted form: any gateway sees what any worker committed."""

    def __init__(self, redis_url: str) -> None:
        from redis.asyncio import Redis  # noqa: PLC0415 - the embedded form has no use for it

        from gateway.redis_pool import connection_pool  # noqa: PLC0415

        self._redis = Redis.from_pool(connection_pool(redis_url, _MAX_CONNECTIONS))

    async def listed(self, user: str) -> Sequence[Live]:
        """See `LiveSessions.listed`."""
        async with _reachable():
            found_ids: list[bytes] = await self._redis.zrevrange(USER_PREFIX + user, 0, -1)  # type: ignore[assignment]  # no scores asked
            run_ids = [run_id.decode() for run_id in found_ids]
            async with self._redis.pipeline(transaction=False) as pipeline:
                for run_id in run_ids:
                    pipeline.hget(RUN_PREFIX + run_id, SESSION)
                    pipeline.hstrlen(RUN_PREFIX + run_id, TEXT)
                found = await pipeline.execute()
        rows = zip(run_ids, found[::2], found[1::2], strict=True)
        return [Live(run_id, Session.model_validate_json(session), size) for run_id, session, size in rows if session is not None]

    async def size(self, user: str, run_id: str) -> int | None:
        """See `LiveSessions.size`."""
        async with _reachable(), self._redis.pipeline(transaction=False) as pipeline:
            pipeline.hget(RUN_PREFIX + run_id, USER)
            pipeline.hstrlen(RUN_PREFIX + run_id, TEXT)
            owner, size = await pipeline.execute()
        return size if owner == user.encode() else None

    async def text(self, user: str, run_id: str) -> str | None:
        """See `LiveSessions.text`."""
        async with _reachable():
            owner, text = await self._redis.hmget(RUN_PREFIX + run_id, USER, TEXT)
        return text.decode() if owner == user.encode() and isinstance(text, bytes) else None

    async def close(self) -> None:
        """See `LiveSessions.close`."""
        await self._redis.aclose()


@asynccontextmanager
async def _reachable() -> AsyncIterator[None]:
    from redis.exceptions import RedisError  # noqa: PLC0415 - as above

    try:
        yield
    except (RedisError, OSError, TimeoutError) as error:
        log.warning("code_sessions_unavailable", reason=repr(error))
        raise Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=QUEUE_RETRY_AFTER_S) from error
