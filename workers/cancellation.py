"""Whether a call's client went away: asked before its task begins, and by a store before it commits what the call did."""

import structlog
from redis import RedisError

from shared.forgotten_calls import was_forgotten
from shared.tasks import cancelled_key
from workers.redis_client import redis_client

log = structlog.get_logger()


def was_cancelled(call_id: str) -> bool:
    """Whether the gateway has said that nobody waits for `call_id` any more. A task that can't ask does its work."""
    redis = redis_client()
    if redis is None:
        return was_forgotten(call_id)
    try:
        return bool(redis.exists(cancelled_key(call_id)))
    except RedisError:
        log.warning("cancellation_unknown", exc_info=True)
        return False
