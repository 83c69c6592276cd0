"""What is in Redis that would stay there for ever."""

from typing import Final

from tests.hosted.processes import RedisServer

STAYS: Final = ("_kombu.binding.", "_kombu.binding_permanent.")
"""Celery's own: two sets for each queue, which say where its messages go and that it isn't a passing one. Made anew by whoever publishes or
consumes, as many as there are queues, and needed for as long as there is a deployment."""


def without_expiry(redis: RedisServer) -> set[str]:
    """Keys that never expire, but for `STAYS`: none, once nothing is under way."""
    return {key for key in redis.client.scan_iter() if redis.client.ttl(key) == -1 and not key.startswith(STAYS)}
