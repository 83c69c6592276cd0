"""Connections of one gateway to Redis for what a request waits for: bounded in number and in time, and replaced when Redis closed them.

Imported only where the hosted form runs: the embedded one has no use for Redis.
"""

from typing import Final

from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost

_TIMEOUT_S: Final = 1.0
"""Seconds to reach Redis, or to have its answer, before the request is refused."""

_CONNECTION_WAIT_S: Final = 5.0
"""Seconds a request waits while others use all connections: a burst on a slow machine is no missing Redis, which shows in a second."""


def connection_pool(redis_url: str, max_connections: int) -> BlockingConnectionPool:
    """A pool of at most that many connections. When all are in use a request waits; the client's own pool would refuse it."""
    return BlockingConnectionPool.from_url(
        redis_url,
        max_connections=max_connections,
        timeout=_CONNECTION_WAIT_S,
        socket_timeout=_TIMEOUT_S,
        socket_connect_timeout=_TIMEOUT_S,
        # A connection that Redis closed is replaced; without this, each one in the pool refuses a request after Redis has come back.
        retry=Retry(NoBackoff(), 1, (ConnectionLost,)),
    )
