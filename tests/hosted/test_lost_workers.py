"""What becomes of a call whose worker dies, is stuck, or never was. Case 17, "Calls, tasks and their results"."""

import asyncio
import json
import os
import signal
import time
from pathlib import Path

import pytest

from gateway.dispatch.celery_sender import CelerySender
from gateway.dispatch.dispatcher import Dispatcher
from shared.errors import ErrorCode, Refused
from shared.limits import QUEUE_RETRY_AFTER_S
from shared.tasks import cancelled_key
from tests.hosted import tasks
from tests.hosted.conftest import a_call
from tests.hosted.processes import RedisServer, Worker, is_alive, until

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("redis_server")]


@pytest.mark.rule("PLT-142")
@pytest.mark.usefixtures("worker")
async def test_a_killed_pool_process_loses_its_own_call_and_no_other(dispatcher: Dispatcher, tmp_path: Path) -> None:
    killed, undisturbed = (a_call(tasks.HOLD, folder=str(tmp_path)) for _ in range(2))
    answers = [asyncio.create_task(dispatcher.answer(tasks.HOLD, call)) for call in (killed, undisturbed)]
    await until(lambda: (tmp_path / killed.id).exists() and (tmp_path / undisturbed.id).exists())

    os.kill(int((tmp_path / killed.id).read_text()), signal.SIGKILL)
    assert json.loads(await answers[0]) == {"ok": False, "error": "worker_lost", "retry_after": QUEUE_RETRY_AFTER_S}

    (tmp_path / "go").touch()
    assert json.loads(await answers[1]) == {"ok": True, "id": undisturbed.id}
    again = a_call(tasks.HOLD, folder=str(tmp_path))
    assert json.loads(await dispatcher.answer(tasks.HOLD, again)) == {"ok": True, "id": again.id}


@pytest.mark.rule("PLT-142")
async def test_a_killed_worker_ends_at_the_deadline_and_leaves_no_process(dispatcher: Dispatcher, worker: Worker, tmp_path: Path) -> None:
    call = a_call(tasks.HOLD, within_s=1.5, folder=str(tmp_path))
    answer = asyncio.create_task(dispatcher.answer(tasks.HOLD, call))
    await until((tmp_path / call.id).exists)
    pool = worker.pool()
    worker.kill()
    with pytest.raises(Refused) as refused:
        await answer
    assert refused.value.answer() == {"ok": False, "error": "deadline_exceeded", "retry_after": QUEUE_RETRY_AFTER_S}
    assert time.time() >= call.deadline
    assert len(pool) == 2
    await until(lambda: not any(map(is_alive, pool)))

    worker.start()
    after = a_call(tasks.ECHO, text="served")
    assert json.loads(await dispatcher.answer(tasks.ECHO, after))["text"] == "served"


@pytest.mark.rule("PLT-142")
async def test_without_a_worker_a_call_ends_at_its_deadline_and_is_not_run_later(
    dispatcher: Dispatcher, no_worker: Worker, redis_server: RedisServer, tmp_path: Path
) -> None:
    call = a_call(tasks.TRACE, within_s=1, folder=str(tmp_path))
    with pytest.raises(Refused) as refused:
        await dispatcher.answer(tasks.TRACE, call)
    assert (refused.value.code, refused.value.fields) == (ErrorCode.DEADLINE_EXCEEDED, {"retry_after": QUEUE_RETRY_AFTER_S})
    assert time.time() >= call.deadline
    # Without the word that nobody waits, only the message's expiry keeps the task from running.
    assert redis_server.client.delete(cancelled_key(call.id)) == 1

    no_worker.start()
    await dispatcher.answer(tasks.ECHO, a_call(tasks.ECHO, text="the queue is worked off in its order"))
    assert not (tmp_path / call.id).exists()


@pytest.mark.rule("PLT-142")
async def test_a_message_that_expired_in_the_queue_is_answered_when_a_worker_drops_it(sender: CelerySender, no_worker: Worker) -> None:
    call = a_call(tasks.ECHO, within_s=0.2, text="too late")
    answered = await sender.submit(tasks.ECHO, call)
    no_worker.start()
    assert time.time() > call.deadline
    assert json.loads(await asyncio.wait_for(answered, 20)) == {  # a new worker's first message
        "ok": False,
        "error": "deadline_exceeded",
        "retry_after": QUEUE_RETRY_AFTER_S,
    }


async def test_a_limit_that_passed_while_the_worker_stood_still_spares_a_process_that_has_ended_its_task(
    dispatcher: Dispatcher, worker: Worker, tmp_path: Path
) -> None:
    pool = worker.pool()
    call = a_call(tasks.BRIEF, folder=str(tmp_path))
    answer = asyncio.create_task(dispatcher.answer(tasks.BRIEF, call))
    await until((tmp_path / call.id).exists)
    began = time.monotonic()
    worker.freeze()  # as it stands still while Redis is away
    (tmp_path / "go").touch()
    assert json.loads(await answer)["ok"]
    await until(lambda: time.monotonic() > began + tasks.BRIEF.hard_s)
    worker.thaw()
    for _ in range(10):
        await dispatcher.answer(tasks.ECHO, a_call(tasks.ECHO, text="the loop goes on"))
    await until(lambda: time.monotonic() > began + 2 * tasks.BRIEF.hard_s)
    assert worker.pool() == pool


@pytest.mark.usefixtures("worker")
async def test_the_hard_limit_ends_a_task_that_nothing_else_ends(dispatcher: Dispatcher, tmp_path: Path) -> None:
    call = a_call(tasks.STUCK, folder=str(tmp_path))
    answer = json.loads(await dispatcher.answer(tasks.STUCK, call))
    assert (answer["error"], answer["call_id"]) == ("resource_limit", call.id)
    assert "retry_after" not in answer
    after = a_call(tasks.ECHO, text="the process was replaced")
    assert json.loads(await dispatcher.answer(tasks.ECHO, after))["ok"]


@pytest.mark.usefixtures("worker")
async def test_the_hard_limit_leaves_no_git_process(dispatcher: Dispatcher, tmp_path: Path) -> None:
    pipe = tmp_path / "nobody-writes-here"
    os.mkfifo(pipe)

    def git_processes() -> list[Path]:
        return [found.parent for found in Path("/proc").glob("[0-9]*/cmdline") if str(pipe).encode() in _read(found)]

    call = a_call(tasks.STUCK_GIT, path=str(pipe))
    answer = asyncio.create_task(dispatcher.answer(tasks.STUCK_GIT, call))
    await until(git_processes)
    assert json.loads(await answer)["error"] == "resource_limit"
    await until(lambda: not git_processes())


def _read(cmdline: Path) -> bytes:
    try:
        return cmdline.read_bytes()
    except OSError:  # it has ended meanwhile
        return b""
