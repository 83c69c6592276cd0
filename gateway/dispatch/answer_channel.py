"""How one gateway gets its answers: notices on a Redis channel of its own, bodies from keys, and a second look every second.

A notice only says that an answer is there. What is lost on the way, with a connection or in a restart, is found by looking.
"""

import asyncio
import contextlib
import uuid
from collections.abc import Coroutine
from typing import Final

import structlog
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from shared.limits import ANSWER_TTL_S
from shared.tasks import ANSWER_CHANNEL_PREFIX, answer_key, cancelled_key

log = structlog.get_logger()

SOCKET_TIMEOUT_S: Final = 1.0
"""Seconds that Redis may take to connect or to answer one command before it counts as away."""

LOOK_AGAIN_S: Final = 1.0
"""Seconds between two looks at everything that is pending."""

RECONNECT_S: Final = 0.25
"""Seconds between two attempts to subscribe while Redis is away; each attempt is bounded by the socket timeout too."""

HEALTH_CHECK_S: Final = 5
"""Seconds of silence after which the channel's connection is asked whether it still lives."""

CANCEL_AGAIN_S: Final = 0.1
"""Seconds after which a task that was cancelled, and goes on, is cancelled again."""

MAX_FETCHED_AT_ONCE: Final = 16
"""Answers in one round trip: at 256 KB each they are 4 MB."""

MAX_CONNECTIONS: Final = 8
"""Connections of one gateway beside its publishing threads': the channel's, the looks', and those of calls that are forgotten."""


async def _end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks until they have ended: a cancellation that meets the Redis client while it connects is swallowed."""
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=CANCEL_AGAIN_S)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at, so that it isn't reported as forgotten


async def _until_one_fails(*coroutines: Coroutine[None, None, None]) -> None:
    """Run them at once; when one raises, end the others and raise the same. `TaskGroup` cancels once, which isn't enough here."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        await _end(*tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()


class AnswerChannel:
    """The calls that this gateway waits for, and the subscription that ends the waiting."""

    def __init__(self, redis_url: str) -> None:
        self.name = ANSWER_CHANNEL_PREFIX + uuid.uuid4().hex
        """The channel; a task carries it as `reply_to`."""
        self.pending: dict[str, asyncio.Future[bytes]] = {}
        """What is waited for, by call id."""
        self._noticed: asyncio.Queue[str] = asyncio.Queue()
        self._subscribed = asyncio.Event()
        pool = BlockingConnectionPool.from_url(
            redis_url,
            max_connections=MAX_CONNECTIONS,
            timeout=SOCKET_TIMEOUT_S,
            socket_timeout=SOCKET_TIMEOUT_S,
            socket_connect_timeout=SOCKET_TIMEOUT_S,
            health_check_interval=HEALTH_CHECK_S,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis = Redis.from_pool(pool)
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to subscribe, and go on for ever: a Redis that is away now is found when it comes."""
        self._task = asyncio.create_task(self._stay_subscribed())

    async def close(self) -> None:
        """End the subscription and drop what is pending."""
        if self._task is not None:
            await _end(self._task)
        for answered in self.pending.values():
            answered.cancel()
        self.pending.clear()
        await self._redis.aclose()

    async def subscribed(self) -> None:
        """Wait until notices reach this gateway. The caller bounds the waiting."""
        await self._subscribed.wait()

    def expect(self, call_id: str) -> "asyncio.Future[bytes]":
        """The future of a call's answer; to be called before the task is sent."""
        self.pending[call_id] = answered = asyncio.get_running_loop().create_future()
        return answered

    async def forget(self, call_id: str) -> None:
        """Stop waiting for a call, tell its task, and delete an answer that came. Never raises, and takes the socket timeout at most.

        Without Redis nothing is told: the message expires with its deadline all the same.
        """
        self.pending.pop(call_id, None)
        if not self._subscribed.is_set():
            return
        try:
            async with asyncio.timeout(SOCKET_TIMEOUT_S), self._redis.pipeline(transaction=False) as pipeline:
                pipeline.set(cancelled_key(call_id), 1, ex=ANSWER_TTL_S)
                pipeline.unlink(answer_key(call_id))
                await pipeline.execute()
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("call_not_cancelled", call_id=call_id, reason=repr(error))

    async def _stay_subscribed(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await self._subscribe(channel)
                    await _until_one_fails(self._listen(channel), self._fetch())
            except (RedisError, OSError, TimeoutError) as error:
                if self._subscribed.is_set():
                    log.warning("redis_away", reason=repr(error))
            except Exception:  # without this task no call is ever answered, so a defect of ours mustn't end it
                log.exception("answer_channel_failed")
            finally:
                self._subscribed.clear()
            await self._redis.connection_pool.disconnect()  # what is still in the pool is as dead as the connection that failed
            await asyncio.sleep(RECONNECT_S)

    async def _subscribe(self, channel: PubSub) -> None:
        async with asyncio.timeout(SOCKET_TIMEOUT_S):
            await channel.subscribe(self.name)
            await channel.get_message(timeout=SOCKET_TIMEOUT_S)
        if not channel.subscribed:
            raise TimeoutError
        self._subscribed.set()

    async def _listen(self, channel: PubSub) -> None:
        while True:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=HEALTH_CHECK_S)
            if message is not None and message["type"] == "message":
                call_id, _, _state = message["data"].decode().partition(" ")
                self._noticed.put_nowait(call_id)

    async def _fetch(self) -> None:
        """Fetch what notices announce as they come, and once a second, first of all, whatever is pending."""
        now = asyncio.get_running_loop().time
        look_at = now()
        while True:
            call_ids: list[str] = []
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(look_at):
                    call_ids.append(await self._noticed.get())
            while not self._noticed.empty():
                call_ids.append(self._noticed.get_nowait())
            if now() >= look_at:
                call_ids.extend(self.pending)
                look_at = now() + LOOK_AGAIN_S
            for start in range(0, len(call_ids), MAX_FETCHED_AT_ONCE):
                await self._take(call_ids[start : start + MAX_FETCHED_AT_ONCE])

    async def _take(self, call_ids: list[str]) -> None:
        async with self._redis.pipeline(transaction=False) as pipeline:
            for call_id in call_ids:
                pipeline.getdel(answer_key(call_id))
            answers: list[bytes | None] = await pipeline.execute()
        for call_id, answer in zip(call_ids, answers, strict=True):
            if answer is None:
                continue
            answered = self.pending.pop(call_id, None)  # None when the call was forgotten meanwhile: its answer is dropped
            if answered is not None and not answered.done():
                answered.set_result(answer)
