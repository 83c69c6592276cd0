"""Whether a call's client went away before its task began. Only the hosted form has to ask; embedded, such a task never starts."""

from functools import cache
from typing import Final

import structlog
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from shared.settings import settings
from shared.tasks import cancelled_key

log = structlog.get_logger()

_TIMEOUT_S: Final = 1.0
"""Seconds to ask Redis; a task that can't ask does its work."""


@cache
def _redis() -> "Redis | None":
    address = settings().redis_url
    if address is None:
        return None
    return Redis.from_url(address, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S, retry=Retry(NoBackoff(), 0))


def was_cancelled(call_id: str) -> bool:
    """Whether the gateway has said that nobody waits for `call_id` any more."""
    redis = _redis()
    if redis is None:
        return False
    try:
        return bool(redis.exists(cancelled_key(call_id)))
    except RedisError:
        log.warning("cancellation_unknown", exc_info=True)
        return False
