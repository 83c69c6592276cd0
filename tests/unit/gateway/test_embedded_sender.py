"""The embedded form: tasks by name on threads, one pool a queue, arguments as on the wire."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from celery.exceptions import Ignore

from gateway.dispatch.embedded_sender import EmbeddedSender
from shared.settings import Settings
from shared.tasks import READ, SYNC, TaskKind
from shared.wire.call import Call, Caller
from workers.cancellation import was_cancelled

pytestmark = pytest.mark.anyio

BOUND_S = 10
"""Seconds within which anything here must happen."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def sender() -> AsyncIterator[EmbeddedSender]:
    made = EmbeddedSender(Settings(read_pool=1, sync_pool=1))
    await made.open()
    yield made
    await made.close()


def task(sender: EmbeddedSender, name: str, work: Any, queue: str = READ) -> TaskKind:
    def run(*arguments: Any) -> Any:
        return work(*arguments)

    sender._app.task(name=name, shared=False)(run)  # no other test's application gets it
    return TaskKind(name, queue, soft_s=1, hard_s=2, deadline_s=5)


def a_call(call_id: str = "call-1", **arguments: Any) -> Call:
    caller = Caller(user="u", scopes=frozenset({"read"}), admin=True)
    return Call(id=call_id, caller=caller, entered=time.time(), deadline=time.time() + 5, arguments=arguments)


@pytest.mark.rule("PLT-68")
async def test_a_task_that_blocks_stalls_neither_the_event_loop_nor_another_queue(sender: EmbeddedSender) -> None:
    begun, release, synced = threading.Event(), threading.Event(), threading.Event()
    blocking = task(sender, "test.block", lambda payload: begun.set() or (release.wait(BOUND_S) and b"read"))
    syncing = task(sender, "test.sync", lambda name, force: synced.set(), queue=SYNC)
    async with asyncio.timeout(BOUND_S):
        answer = await sender.submit(blocking, a_call())
        await asyncio.to_thread(begun.wait, BOUND_S)  # the loop runs on while the only reading thread is blocked
        await sender.send(syncing, "name", True)
        assert await asyncio.to_thread(synced.wait, BOUND_S)
        assert not answer.done()
        release.set()
        assert await answer == b"read"


async def test_a_forgotten_call_that_has_not_begun_never_does(sender: EmbeddedSender) -> None:
    begun, release = threading.Event(), threading.Event()
    ran: list[str] = []
    blocking = task(sender, "test.block", lambda payload: begun.set() or (release.wait(BOUND_S) and b"first"))
    recording = task(sender, "test.record", lambda payload: ran.append(payload["id"]) or b"ran")
    async with asyncio.timeout(BOUND_S):
        first = await sender.submit(blocking, a_call("first"))
        await asyncio.to_thread(begun.wait, BOUND_S)
        await sender.submit(recording, a_call("second"))
        third = await sender.submit(recording, a_call("third"))
        await sender.forget("second")
        await sender.forget("never heard of")
        release.set()
        assert (await first, await third) == (b"first", b"ran")
    assert ran == ["third"]
    assert sender._running == {}


@pytest.mark.rule("RCC-33")
async def test_a_task_that_runs_can_ask_whether_its_call_was_forgotten_and_nothing_is_kept_of_that(sender: EmbeddedSender) -> None:
    begun, release = threading.Event(), threading.Event()
    seen: list[bool] = []

    def work(payload: Any) -> bytes:
        seen.append(was_cancelled(payload["id"]))
        begun.set()
        release.wait(BOUND_S)
        seen.append(was_cancelled(payload["id"]))
        return b""

    async with asyncio.timeout(BOUND_S):
        answer = await sender.submit(task(sender, "test.ask", work), a_call("running"))
        await asyncio.to_thread(begun.wait, BOUND_S)
        await sender.forget("running")
        release.set()
        await answer
        await sender.forget("running")
    assert seen == [False, True]
    assert not was_cancelled("running")
    assert sender._running == {}


async def test_arguments_pass_through_json_and_a_defect_reaches_the_caller_of_submit(sender: EmbeddedSender) -> None:
    seen: list[Any] = []
    keeping = task(sender, "test.keep", lambda payload: seen.append(payload) or b"")

    def fail(_payload: Any) -> bytes:
        raise RuntimeError

    def ignore(_payload: Any) -> bytes:
        raise Ignore

    async with asyncio.timeout(BOUND_S):
        await (await sender.submit(keeping, a_call(lines=[1, 2])))
        with pytest.raises(RuntimeError):
            await (await sender.submit(task(sender, "test.fail", fail), a_call("call-2")))
        assert await (await sender.submit(task(sender, "test.ignore", ignore), a_call("call-3"))) is None
    assert seen[0]["caller"] == {"user": "u", "scopes": ["read"], "admin": True}  # a set went out, a list came in
    assert seen[0]["arguments"] == {"lines": [1, 2]}
