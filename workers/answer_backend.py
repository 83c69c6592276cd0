"""The way of an answer back to the gateway that asked: Celery's result backend, cut down to one key and one notice.

The value under a call's key is always the final text, whatever became of the task, so a gateway needs no logic by state. The text
never passes through publish: a subscriber that is slow loses notices at most, and finds the answer by looking again.
"""

import time
from functools import cached_property
from typing import Any, Final

import structlog
from billiard.exceptions import SoftTimeLimitExceeded, TimeLimitExceeded, WorkerLostError
from celery import states
from celery.backends.base import BaseBackend
from celery.exceptions import TaskRevokedError
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from shared.limits import ANSWER_TTL_S
from shared.tasks import ANSWER_CHANNEL_PREFIX, TaskKind, answer_key, task_named
from workers.verdicts import deadline_exceeded, internal_error, resource_limit, worker_lost

log = structlog.get_logger()

_SOCKET_TIMEOUT_S: Final = 1.0
"""Seconds one attempt may wait for Redis, to connect and to answer."""

_STORE_FOR_S: Final = 4.0
"""Seconds after which no new attempt to store begins: longer than Redis needs to start again. The worker's main process
stores the answers of lost calls itself, and watches no time limit meanwhile, so this stays below every deadline less its hard limit."""

_PAUSE_S: Final = 0.2
"""Seconds between two attempts."""


def final_answer(call_id: str, result: object, kind: TaskKind | None) -> bytes:
    """The text that the caller gets for what Celery says of the task: its return value, or the exception that ended it."""
    if isinstance(result, bytes):
        return result
    if isinstance(result, TimeLimitExceeded | SoftTimeLimitExceeded | MemoryError):
        return resource_limit(call_id, kind)
    if isinstance(result, WorkerLostError):
        return worker_lost(kind)
    if isinstance(result, TaskRevokedError):
        # Nobody revokes by hand here, so a revoked task expired in the queue, unless its process was told to end while it ran.
        return worker_lost(kind) if str(result) == "terminated" else deadline_exceeded(kind)
    return internal_error(call_id)


class AnswerBackend(BaseBackend):
    """Puts a call's answer where its gateway looks, and tells it so."""

    supports_autoexpire = True
    url: str  # Celery's: what follows the `+` of the setting `result_backend`

    @cached_property
    def _redis(self) -> Redis:
        # One attempt a command: the loop in `store_result` decides how often, and for how long.
        return Redis.from_url(
            self.url, socket_timeout=_SOCKET_TIMEOUT_S, socket_connect_timeout=_SOCKET_TIMEOUT_S, retry=Retry(NoBackoff(), 0)
        )

    def store_result(
        self,
        task_id: str,
        result: Any,
        state: str,
        traceback: str | None = None,  # noqa: ARG002 - Celery's signature; a traceback belongs into the log
        request: Any = None,
        **_: Any,
    ) -> Any:
        """Store the answer for `ANSWER_TTL_S` and send the notice `<id> <state>`, in one transaction. Never raises for Redis' sake.

        A task that nobody waits for, which has no gateway's channel in `reply_to`, leaves nothing. The first answer of a call
        stands: a process that is lost after it answered changes nothing.
        """
        channel = getattr(request, "reply_to", None) or ""
        if state not in states.READY_STATES or not channel.startswith(ANSWER_CHANNEL_PREFIX):
            return result
        if not isinstance(result, bytes):
            log.warning("task_ended_without_answer", call_id=task_id, state=state, reason=repr(result))
        text = final_answer(task_id, result, task_named(getattr(request, "task", None)))
        until = time.monotonic() + _STORE_FOR_S
        while True:
            try:
                with self._redis.pipeline(transaction=True) as transaction:
                    transaction.set(answer_key(task_id), text, ex=ANSWER_TTL_S, nx=True)
                    transaction.publish(channel, f"{task_id} {state}")
                    transaction.execute()
            except RedisError as error:
                if time.monotonic() >= until:
                    log.error("answer_dropped", call_id=task_id, state=state, reason=repr(error))  # noqa: TRY400 - a traceback adds nothing
                    return result
                time.sleep(_PAUSE_S)
            else:
                return result

    def _get_task_meta_for(self, task_id: str) -> dict[str, Any]:
        # Celery asks when a process was lost, lest a success be overwritten; `nx` above sees to that.
        return {"task_id": task_id, "status": states.PENDING, "result": None}
