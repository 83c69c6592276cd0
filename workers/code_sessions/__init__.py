"""The worker's way to the reading sessions; the settings alone decide which form they have."""

from shared.code_sessions.memory import memory_sessions
from shared.code_sessions.store import SessionStore
from workers.code_sessions.redis_sessions import RedisSessions
from workers.redis_client import redis_client


def session_store() -> SessionStore:
    """The store for these settings: in Redis when `CODEKEEPER_REDIS_URL` is set, else in this process, which is the gateway's."""
    redis = redis_client()
    return memory_sessions() if redis is None else RedisSessions(redis)
