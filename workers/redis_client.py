"""This process's connection to Redis, in the hosted form. Made at first use, so that none is inherited over a fork."""

from functools import cache
from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost
from redis.retry import Retry

from shared.settings import settings

_TIMEOUT_S: Final = 1.0
"""Seconds to connect, and to have an answer."""


@cache
def redis_client() -> Redis | None:
    """The client, or None in the embedded form.

    A connection that Redis closed is replaced, and what was asked over it is asked a second time: what is sent must bear that.
    """
    address = settings().redis_url
    if address is None:
        return None
    return Redis.from_url(
        address, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S, retry=Retry(NoBackoff(), 1, (ConnectionLost,))
    )
