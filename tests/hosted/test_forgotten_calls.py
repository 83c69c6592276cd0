"""Calls whose client goes away leave nothing behind. Case 17, "Calls, tasks and their results"."""

import asyncio
from pathlib import Path

import pytest

from gateway.dispatch.celery_sender import CelerySender
from gateway.dispatch.dispatcher import Dispatcher
from shared.tasks import answer_key
from tests.hosted import tasks
from tests.hosted.conftest import a_call
from tests.hosted.processes import RedisServer, until

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("worker")]

BROKERS_OWN = ("_kombu.", "unacked")
"""What the broker's keys begin with: bindings, and messages between their delivery and their acknowledgement."""


async def test_three_hundred_forgotten_calls_run_nothing_and_leave_nothing(
    dispatcher: Dispatcher, sender: CelerySender, redis_server: RedisServer, tmp_path: Path
) -> None:
    traces, holds = tmp_path / "traces", tmp_path / "holds"
    traces.mkdir()
    holds.mkdir()
    await dispatcher.answer(tasks.ECHO, a_call(tasks.ECHO, text="everything is connected"))
    channels = redis_server.client.pubsub_channels()

    # Both processes are held, so that the three hundred wait in the queue.
    held = [asyncio.create_task(dispatcher.answer(tasks.HOLD, a_call(tasks.HOLD, folder=str(holds)))) for _ in range(2)]
    await until(lambda: len(list(holds.iterdir())) == 2)
    forgotten = [asyncio.create_task(dispatcher.answer(tasks.TRACE, a_call(tasks.TRACE, folder=str(traces)))) for _ in range(300)]
    await until(lambda: redis_server.client.llen("read") >= 299)
    for task in forgotten:
        task.cancel()
    ended = await asyncio.gather(*forgotten, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ended)
    assert len(sender._channel.pending) == 2

    (holds / "go").touch()
    await asyncio.gather(*held)
    await dispatcher.answer(tasks.ECHO, a_call(tasks.ECHO, text="the queue is worked off in its order"))
    assert list(traces.iterdir()) == []
    assert sender._channel.pending == {}
    assert redis_server.client.llen("read") == 0
    assert redis_server.client.pubsub_channels() == channels
    left = [key for key in redis_server.client.scan_iter() if not key.startswith(BROKERS_OWN)]
    assert len(left) >= 300
    assert all(0 < redis_server.client.ttl(key) <= 60 for key in left)


async def test_an_answer_that_comes_for_a_forgotten_call_is_deleted(
    dispatcher: Dispatcher, sender: CelerySender, redis_server: RedisServer, tmp_path: Path
) -> None:
    call = a_call(tasks.HOLD, folder=str(tmp_path))
    task = asyncio.create_task(dispatcher.answer(tasks.HOLD, call))
    await until((tmp_path / call.id).exists)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    (tmp_path / "go").touch()
    await dispatcher.answer(tasks.ECHO, a_call(tasks.ECHO, text="after it"))
    await until(lambda: not redis_server.client.exists(answer_key(call.id)))
    assert sender._channel.pending == {}
