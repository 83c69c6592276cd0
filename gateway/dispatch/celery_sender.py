"""The hosted form: tasks go to Redis by name, answers come back through this gateway's own channel.

Redis away refuses a call at once, closed and not open; nothing here holds a call, or a thread, for longer than its bounds say.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from gateway.dispatch.answer_channel import AnswerChannel
from shared.errors import ErrorCode, Refused
from shared.limits import QUEUE_RETRY_AFTER_S
from shared.settings import Settings
from shared.tasks import CELERY_SETTINGS, TaskKind
from shared.unanswered import unanswered
from shared.wire.call import Call

log = structlog.get_logger()

PUBLISHING_THREADS: Final = 4
"""Threads that hand messages to Redis. One message takes about 1 ms; the number bounds what a Redis that doesn't answer can hold."""

SOCKET_TIMEOUT_S: Final = 1.0
"""Seconds that Redis may take to connect, or to take one message; with Celery's defaults a frozen Redis held a thread for 24 s."""

SUBSCRIBED_WITHIN_S: Final = 1.0
"""Seconds a call waits for the subscription, which is missing at the start and while Redis comes back."""

SENT_WITHIN_S: Final = 2.5
"""Seconds until a message must have been taken, waiting for a publishing thread included; then the call is refused.

A Redis that doesn't answer shows in one socket timeout; the rest is room for a burst on a slow machine.
"""


class CelerySender:
    """`TaskSender` through Redis. Imports no task: they are known by name only."""

    def __init__(self, settings: Settings) -> None:
        if settings.redis_url is None:
            raise ValueError("the hosted form needs CODEKEEPER_REDIS_URL")
        self._app = Celery("codekeeper", broker=settings.redis_url, set_as_current=False)
        self._app.conf.update(
            CELERY_SETTINGS,
            broker_pool_limit=PUBLISHING_THREADS,
            broker_connection_timeout=SOCKET_TIMEOUT_S,
            broker_transport_options={
                "socket_timeout": SOCKET_TIMEOUT_S,
                "socket_connect_timeout": SOCKET_TIMEOUT_S,
                "max_retries": 0,
            },
        )
        self._publishers = ThreadPoolExecutor(PUBLISHING_THREADS, thread_name_prefix="codekeeper-publish")
        self._channel = AnswerChannel(settings.redis_url)

    async def open(self) -> None:
        """See `TaskSender.open`. Returns at once: the gateway starts, and says that it is healthy, without Redis too."""
        self._channel.open()

    async def close(self) -> None:
        """See `TaskSender.close`."""
        await self._channel.close()
        self._publishers.shutdown(wait=False, cancel_futures=True)
        self._app.close()

    async def submit(self, kind: TaskKind, call: Call) -> "asyncio.Future[bytes]":
        """See `TaskSender.submit`. A read that may or may not have been taken counts as not taken: the caller asks again."""
        answered = self._channel.expect(call.id)
        try:
            await self._hand_over(kind, partial(self._publish_call, kind, call))
        except BaseException:
            self._channel.pending.pop(call.id, None)
            raise
        return answered

    async def forget(self, call_id: str) -> None:
        """See `TaskSender.forget`."""
        await self._channel.forget(call_id)

    async def send(self, kind: TaskKind, *arguments: str | bool) -> None:
        """See `TaskSender.send`."""
        await self._hand_over(kind, partial(self._app.send_task, kind.name, arguments, queue=kind.queue, ignore_result=True, retry=False))

    async def _hand_over(self, kind: TaskKind, publish: Callable[[], object]) -> None:
        """Run `publish` on a publishing thread. On a timeout, one that hasn't begun never does.

        Raises:
            Refused: `queue_unavailable`, within `SUBSCRIBED_WITHIN_S` and `SENT_WITHIN_S`.
        """
        try:
            async with asyncio.timeout(SUBSCRIBED_WITHIN_S):
                await self._channel.subscribed()
        except TimeoutError as error:
            log.warning("queue_unavailable", reason="not subscribed")
            raise Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=QUEUE_RETRY_AFTER_S) from error
        try:
            async with asyncio.timeout(SENT_WITHIN_S):
                await asyncio.get_running_loop().run_in_executor(self._publishers, publish)
        except (OperationalError, OSError, TimeoutError) as error:
            log.warning("queue_unavailable", reason=repr(error))
            raise unanswered(ErrorCode.QUEUE_UNAVAILABLE, kind) from error

    def _publish_call(self, kind: TaskKind, call: Call) -> None:
        left = call.deadline - time.time()
        if left <= 0:
            return  # the gateway's timer is about to answer
        self._app.send_task(
            kind.name,
            [call.model_dump(mode="json")],
            task_id=call.id,
            queue=kind.queue,
            expires=left,
            reply_to=self._channel.name,
            # Celery would put a shortened copy of the arguments into the message's header, for logs and events that nobody reads.
            argsrepr="",
            kwargsrepr="",
            retry=False,
        )
