"""Redis stopped, frozen, or back and empty. Case 17, "Calls, tasks and their results"."""

import asyncio
import json
import threading
from pathlib import Path

import pytest

from gateway.dispatch.celery_sender import PUBLISHING_THREADS, CelerySender
from gateway.dispatch.dispatcher import Dispatcher
from shared.errors import ErrorCode, Refused
from shared.limits import QUEUE_RETRY_AFTER_S
from shared.settings import Settings
from tests.hosted import tasks
from tests.hosted.conftest import a_call
from tests.hosted.processes import RedisServer, until

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("worker")]


async def refusal_of(dispatcher: Dispatcher, within_s: float = 10) -> ErrorCode:
    """The code of a refused call; one that has to wait for longer is `deadline_exceeded`."""
    with pytest.raises(Refused) as refused:
        await dispatcher.answer(tasks.ECHO, a_call(tasks.ECHO, within_s=within_s, text="refused"))
    assert refused.value.fields == {"retry_after": QUEUE_RETRY_AFTER_S}
    return refused.value.code


async def served(dispatcher: Dispatcher, within_s: float = 10) -> None:
    """A call that is answered before its deadline."""
    call = a_call(tasks.ECHO, within_s=within_s, text="served")
    assert json.loads(await dispatcher.answer(tasks.ECHO, call))["id"] == call.id


def every_publishing_thread_is_free(sender: CelerySender) -> bool:
    """Whether all of them meet; one that Redis holds would come after 24 s, with Celery's own timeouts."""
    barrier = threading.Barrier(PUBLISHING_THREADS + 1)
    for _ in range(PUBLISHING_THREADS):
        sender._publishers.submit(barrier.wait, 10)
    try:
        barrier.wait(10)
    except threading.BrokenBarrierError:
        return False
    return True


@pytest.mark.rule("PLT-142")
async def test_redis_stopped_refuses_a_call_soon_and_back_empty_serves_the_next(dispatcher: Dispatcher, redis_server: RedisServer) -> None:
    await served(dispatcher)
    redis_server.stop()
    for _ in range(2):
        assert await refusal_of(dispatcher) == ErrorCode.QUEUE_UNAVAILABLE
    redis_server.start()
    await served(dispatcher)
    await asyncio.gather(*(served(dispatcher) for _ in range(60)))


async def test_redis_restarted_between_two_calls_is_not_noticed_by_the_second(dispatcher: Dispatcher, redis_server: RedisServer) -> None:
    await asyncio.gather(*(served(dispatcher) for _ in range(20)))
    redis_server.stop()
    redis_server.start()
    await served(dispatcher)


async def test_an_answer_that_ends_while_redis_is_away_is_not_lost(
    dispatcher: Dispatcher, redis_server: RedisServer, tmp_path: Path
) -> None:
    call = a_call(tasks.HOLD, within_s=10, folder=str(tmp_path))
    answer = asyncio.create_task(dispatcher.answer(tasks.HOLD, call))
    await until((tmp_path / call.id).exists)
    redis_server.stop()
    (tmp_path / "go").touch()
    redis_server.start()
    assert json.loads(await answer) == {"ok": True, "id": call.id}
    await asyncio.gather(*(served(dispatcher) for _ in range(20)))


@pytest.mark.rule("PLT-142")
async def test_redis_frozen_refuses_within_bounds_and_holds_no_thread(
    dispatcher: Dispatcher, sender: CelerySender, redis_server: RedisServer
) -> None:
    await asyncio.gather(*(served(dispatcher) for _ in range(10)))
    redis_server.freeze()
    refusals = await asyncio.gather(*(refusal_of(dispatcher, within_s=4) for _ in range(20)))
    assert set(refusals) <= {ErrorCode.QUEUE_UNAVAILABLE, ErrorCode.DEADLINE_EXCEEDED}
    assert await refusal_of(dispatcher) == ErrorCode.QUEUE_UNAVAILABLE
    assert await asyncio.to_thread(every_publishing_thread_is_free, sender)
    assert sender._channel.pending == {}
    redis_server.thaw()
    await served(dispatcher)


async def test_a_gateway_that_starts_before_redis_serves_once_it_is_there(redis_server: RedisServer) -> None:
    redis_server.stop()
    sender = CelerySender(Settings(redis_url=redis_server.url))
    await sender.open()
    dispatcher = Dispatcher(sender)
    assert await refusal_of(dispatcher) == ErrorCode.QUEUE_UNAVAILABLE
    redis_server.start()
    await served(dispatcher)
    await sender.close()
