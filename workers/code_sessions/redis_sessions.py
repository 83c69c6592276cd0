"""Sessions in Redis: the hosted form's store. Each step is one script, which Redis runs whole, before or after any other.

The scripts bear being asked twice, which happens after a lost connection. They name keys that they are not told, so all keys must be on one
server, as those of the queue are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog
from redis import Redis, RedisError

from shared.code_sessions.redis_keys import BUSY_PREFIX, RUN_PREFIX, SESSION, TEXT, USER, USER_PREFIX
from shared.code_sessions.session import Session
from shared.code_sessions.store import Committed, Success, Unclaimed
from shared.errors import ErrorCode, Refused
from shared.limits import CODE_SESSION_TTL_S, CODE_SESSIONS_PER_USER, QUEUE_RETRY_AFTER_S
from shared.tasks import CODE_LEASE_S, cancelled_key

log = structlog.get_logger()

_CLAIM: Final = f"""
local run, busy, user, call, lease_s = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
if redis.call('HGET', run, '{USER}') ~= user then return {{'{Unclaimed.STALE.value}'}} end
local holder = redis.call('GET', busy)
if holder and holder ~= call then return {{'{Unclaimed.BUSY.value}'}} end
redis.call('SET', busy, call, 'EX', lease_s)
return {{'held', redis.call('HGET', run, '{SESSION}')}}
"""

_RELEASE: Final = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""

# The new run is written first: a Redis without room refuses the first write, and nothing has changed then.
_COMMIT: Final = f"""
local runs, cancelled = KEYS[1], KEYS[2]
local user, new, session, text, old, ttl_s, most = unpack(ARGV)
local function run_of(id) return '{RUN_PREFIX}' .. id end
local function forget(id)
    redis.call('UNLINK', run_of(id), '{BUSY_PREFIX}' .. id)
    redis.call('ZREM', runs, id)
end
if redis.call('EXISTS', run_of(new)) == 1 then return '{Committed.DONE.value}' end
if redis.call('EXISTS', cancelled) == 1 then return '{Committed.CANCELLED.value}' end
if old ~= '' and redis.call('HGET', run_of(old), '{USER}') ~= user then return '{Committed.STALE.value}' end
redis.call('HSET', run_of(new), '{USER}', user, '{SESSION}', session, '{TEXT}', text)
redis.call('EXPIRE', run_of(new), ttl_s)
if old ~= '' then forget(old) end
local now = redis.call('TIME')
redis.call('ZADD', runs, string.format('%d%06d', now[1], now[2]), new)
redis.call('EXPIRE', runs, ttl_s)
local live = 0
for _, id in ipairs(redis.call('ZREVRANGE', runs, 0, -1)) do
    if live < tonumber(most) and redis.call('EXISTS', run_of(id)) == 1 then live = live + 1 else forget(id) end
end
return '{Committed.DONE.value}'
"""


@contextmanager
def _reachable() -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        log.warning("code_sessions_unavailable", reason=repr(error))
        raise Refused(
            ErrorCode.QUEUE_UNAVAILABLE, retry_after=QUEUE_RETRY_AFTER_S, message="The reading sessions can't be reached now."
        ) from error


class RedisSessions:
    """`SessionStore` in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._claim = redis.register_script(_CLAIM)
        self._release = redis.register_script(_RELEASE)
        self._commit = redis.register_script(_COMMIT)

    def claim(self, user: str, run_id: str, call_id: str) -> Session | Unclaimed:
        """See `SessionStore.claim`."""
        with _reachable():
            became, *session = self._claim(keys=[RUN_PREFIX + run_id, BUSY_PREFIX + run_id], args=[user, call_id, CODE_LEASE_S])
        return Session.model_validate_json(session[0]) if session else Unclaimed(became.decode())

    def release(self, run_id: str, call_id: str) -> None:
        """See `SessionStore.release`."""
        with _reachable():
            self._release(keys=[BUSY_PREFIX + run_id], args=[call_id])

    def commit(self, success: Success) -> Committed:
        """See `SessionStore.commit`."""
        state = success.session.model_dump_json()
        replaced = success.replaces or ""
        keys = [USER_PREFIX + success.user, cancelled_key(success.call_id)]
        ceilings = (CODE_SESSION_TTL_S, CODE_SESSIONS_PER_USER)
        with _reachable():
            done: bytes = self._commit(keys=keys, args=[success.user, success.run_id, state, success.text, replaced, *ceilings])
        return Committed(done.decode())
