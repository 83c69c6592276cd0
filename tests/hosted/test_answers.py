"""A result belongs to one call and comes back byte for byte, also when its notice is lost. Case 17, "Calls, tasks and their results"."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from gateway.dispatch.answer_channel import LOOK_AGAIN_S
from gateway.dispatch.celery_sender import CelerySender
from gateway.dispatch.dispatcher import Dispatcher
from shared.limits import ANSWER_TTL_S, OUTPUT_BYTE_BUDGET
from shared.tasks import answer_key
from shared.wire.call import Call
from tests.hosted import tasks
from tests.hosted.conftest import a_call
from tests.hosted.processes import RedisServer, Worker, until

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("worker")]


def echoed(call: Call) -> dict[str, object]:
    return {"ok": True, "id": call.id, "text": call.arguments["text"]}


async def test_sixty_calls_at_once_get_sixty_answers_of_their_own(dispatcher: Dispatcher) -> None:
    calls = [a_call(tasks.ECHO, text=f"file {number % 10}") for number in range(60)]
    answers = await asyncio.gather(*(dispatcher.answer(tasks.ECHO, call) for call in calls))
    assert [json.loads(answer) for answer in answers] == [echoed(call) for call in calls]


async def test_the_same_call_sent_twice_at_once_is_answered_twice(dispatcher: Dispatcher) -> None:
    calls = [a_call(tasks.LARGE), a_call(tasks.LARGE)]
    first, second = await asyncio.gather(*(dispatcher.answer(tasks.LARGE, call) for call in calls))
    assert first == second


async def test_two_hundred_calls_one_after_the_other_are_answered_and_none_waits(dispatcher: Dispatcher) -> None:
    took = []
    for number in range(200):
        call = a_call(tasks.ECHO, text=str(number))
        began = time.monotonic()
        assert json.loads(await dispatcher.answer(tasks.ECHO, call)) == echoed(call)
        took.append(time.monotonic() - began)
    assert sorted(took)[100] < LOOK_AGAIN_S / 2  # each by its own notice: what is only found by looking again waits that long


async def test_the_largest_answer_arrives_byte_for_byte(dispatcher: Dispatcher) -> None:
    answer = await dispatcher.answer(tasks.LARGE, a_call(tasks.LARGE))
    assert answer == tasks.LARGE_ANSWER
    assert len(answer) == OUTPUT_BYTE_BUDGET


async def test_an_answer_without_a_notice_is_found_by_looking_again(
    sender: CelerySender, redis_server: RedisServer, tmp_path: Path
) -> None:
    call = a_call(tasks.HOLD, folder=str(tmp_path))
    answered = await sender.submit(tasks.HOLD, call)
    redis_server.client.set(answer_key(call.id), "as if", ex=ANSWER_TTL_S)
    assert await asyncio.wait_for(answered, tasks.HOLD.deadline_s) == b"as if"
    (tmp_path / "go").touch()


async def test_an_answer_whose_notice_falls_into_a_lost_subscription_arrives(
    dispatcher: Dispatcher, redis_server: RedisServer, tmp_path: Path
) -> None:
    call = a_call(tasks.HOLD, folder=str(tmp_path))
    answer = asyncio.create_task(dispatcher.answer(tasks.HOLD, call))
    await until((tmp_path / call.id).exists)
    assert redis_server.client.execute_command("CLIENT", "KILL", "TYPE", "pubsub") >= 1
    (tmp_path / "go").touch()
    assert json.loads(await answer) == {"ok": True, "id": call.id}


async def test_a_failure_outside_every_net_says_nothing_of_what_happened(dispatcher: Dispatcher, worker: Worker) -> None:
    call = a_call(tasks.BROKEN)
    answer = json.loads(await dispatcher.answer(tasks.BROKEN, call))
    assert (answer["ok"], answer["error"], answer["call_id"]) == (False, "internal_error", call.id)
    assert "secret" not in answer["message"]
    await until(lambda: "a secret that must not leave the log" in worker.log.read_text())


async def test_a_task_that_nobody_waits_for_leaves_nothing(sender: CelerySender, redis_server: RedisServer, dispatcher: Dispatcher) -> None:
    before = set(redis_server.client.keys("ck:*"))
    await sender.send(tasks.UNATTENDED, "name", True)
    await dispatcher.answer(tasks.ECHO, a_call(tasks.ECHO, text="after it"))
    await until(lambda: not redis_server.client.llen("read"))
    assert set(redis_server.client.keys("ck:*")) <= before
