"""Check 4: how many units a user may spend in a moving window (PLT-85, PLT-86). Closed when Redis is away: an unbounded caller is worse."""

import math
import time

import structlog
from limits import RateLimitItemPerSecond
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError

from shared.budget import rate_limit
from shared.errors import ErrorCode, Refused
from shared.limits import QUEUE_RETRY_AFTER_S
from shared.settings import Settings

log = structlog.get_logger()

_MAX_CONNECTIONS = 16
"""Connections of one gateway; a call needs one for less than 1 ms, and waits when all are in use."""


def _storage(settings: Settings) -> Storage:
    if settings.redis_url is None:
        return MemoryStorage()
    from gateway.redis_pool import connection_pool  # noqa: PLC0415 - the embedded form has no use for it

    pool = connection_pool(settings.redis_url, _MAX_CONNECTIONS)
    return RedisStorage(
        f"async+{settings.redis_url}",
        implementation="redispy",
        wrap_exceptions=True,
        key_prefix="ck:limit",
        connection_pool=pool,  # type: ignore[arg-type]  # its annotation forgets that parameter
    )


class RateLimit:
    """The limit of one deployment; all gateways on one Redis share it, and all tokens of one user."""

    def __init__(self, settings: Settings) -> None:
        units, seconds = rate_limit(settings)
        self._item = RateLimitItemPerSecond(units, seconds)
        self._limiter = MovingWindowRateLimiter(_storage(settings))

    async def spend(self, user: str, units: int) -> None:
        """Take `units` from the user's window, all or none; they are never given back.

        Raises:
            Refused: `rate_limited`, with `retry_after` in seconds where waiting helps; `queue_unavailable` when Redis can't say.
        """
        if units > self._item.amount:
            message = f"It costs {units} units, and this server lets a user spend {self._item.amount} at once: ask for less in one call."
            raise Refused(ErrorCode.RATE_LIMITED, message=message)
        try:
            if await self._limiter.hit(self._item, user, cost=units):
                return
            reset_at = (await self._limiter.get_window_stats(self._item, user)).reset_time
        except StorageError as error:
            log.warning("rate_limit_unknown", reason=repr(error.storage_error))
            raise Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=QUEUE_RETRY_AFTER_S) from error
        raise Refused(ErrorCode.RATE_LIMITED, retry_after=max(1, math.ceil(reset_at - time.time())))
