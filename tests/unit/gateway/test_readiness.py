"""`/readyz` in the gateway: one task for all probes of five seconds, and which part a failure is laid to."""

import asyncio
import json
from typing import Any

import pytest
from starlette.requests import Request

from gateway.readiness import READY_KEPT_S, Readiness
from shared.errors import ErrorCode, Refused
from shared.tasks import READY, TaskKind
from shared.wire.call import Call

pytestmark = pytest.mark.anyio

FOUND = b'{"database":"ok","mirrors":"ok","mirrors_registered":3,"mirrors_present":2}'
ALL_OK = {"status": "ok", "broker": "ok", "worker": "ok", **json.loads(FOUND)}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Worker:
    """A `TaskSender` whose tasks answer `answer`, or raise it; None answers when `go` says so, with `FOUND`."""

    def __init__(self, answer: bytes | Exception | None) -> None:
        self.answer = answer
        self.calls: list[Call] = []
        self.forgotten: list[str] = []
        self.asked = asyncio.Event()
        self.pending: list[asyncio.Future[bytes]] = []

    async def open(self) -> None:
        return

    async def close(self) -> None:
        return

    async def submit(self, kind: TaskKind, call: Call) -> asyncio.Future[bytes]:
        assert kind.name == READY.name
        self.calls.append(call)
        self.asked.set()
        if isinstance(self.answer, Exception):
            raise self.answer
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        if self.answer is None:
            self.pending.append(future)
        else:
            future.set_result(self.answer)
        return future

    def go(self) -> None:
        self.pending.pop().set_result(FOUND)

    async def forget(self, call_id: str) -> None:
        self.forgotten.append(call_id)

    async def send(self, kind: TaskKind, *arguments: str | bool) -> None:
        raise AssertionError((kind, arguments))


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


async def probe(readiness: Readiness) -> tuple[int, dict[str, Any]]:
    response = await readiness.respond(Request({"type": "http", "method": "GET", "headers": []}))
    assert response.headers["cache-control"] == "no-store"
    body: dict[str, Any] = json.loads(bytes(response.body))
    return response.status_code, body


async def test_probes_within_five_seconds_cost_one_task_good_news_and_bad() -> None:
    clock, worker = Clock(), Worker(FOUND)
    readiness = Readiness(worker, clock)
    assert await probe(readiness) == (200, ALL_OK)
    clock.now += READY_KEPT_S - 0.01
    worker.answer = b'{"database":"unavailable","mirrors":"unknown","mirrors_registered":null,"mirrors_present":null}'
    assert await probe(readiness) == (200, ALL_OK)
    assert len(worker.calls) == 1
    clock.now += 0.01
    bad = {"status": "unavailable", "broker": "ok", "worker": "ok", "database": "unavailable", "mirrors": "unknown"}
    assert await probe(readiness) == (503, bad)
    clock.now += READY_KEPT_S - 0.01
    worker.answer = FOUND
    assert await probe(readiness) == (503, bad)
    assert len(worker.calls) == 2
    clock.now += 0.01
    assert await probe(readiness) == (200, ALL_OK)
    assert worker.forgotten == []


async def test_probes_at_once_share_one_task_and_one_that_goes_away_takes_nothing_from_the_others() -> None:
    worker = Worker(None)
    readiness = Readiness(worker, Clock())
    probes = [asyncio.create_task(probe(readiness)) for _ in range(20)]
    await worker.asked.wait()
    probes[0].cancel()
    with pytest.raises(asyncio.CancelledError):
        await probes[0]
    worker.go()
    assert await asyncio.gather(*probes[1:]) == [(200, ALL_OK)] * 19
    assert len(worker.calls) == 1
    assert worker.forgotten == []


async def test_a_task_is_told_when_nobody_waits_for_it_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.readiness.READY", TaskKind(READY.name, READY.queue, soft_s=1, hard_s=1, deadline_s=0))
    worker = Worker(None)
    status, body = await probe(Readiness(worker, Clock()))
    assert (status, body["broker"], body["worker"], body["database"], body["mirrors"]) == (503, "ok", "unavailable", "unknown", "unknown")
    assert worker.forgotten == [worker.calls[0].id]


@pytest.mark.parametrize(
    ("answer", "broker", "worker"),
    [
        (Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=5), "unavailable", "unknown"),
        (b'{"ok":false,"error":"worker_lost","retry_after":5}', "ok", "unavailable"),
        (b'{"ok":false,"error":"resource_limit","message":"m"}', "ok", "unavailable"),
        (b'{"ok":false,"error":"internal_error","message":"m"}', "ok", "unavailable"),
    ],
)
async def test_a_failure_is_laid_to_the_part_that_failed_and_says_nothing_of_what_was_not_seen(
    answer: bytes | Exception, broker: str, worker: str
) -> None:
    expected = {"status": "unavailable", "broker": broker, "worker": worker, "database": "unknown", "mirrors": "unknown"}
    assert await probe(Readiness(Worker(answer), Clock())) == (503, expected)


async def test_our_own_defect_is_kept_by_nobody_and_the_next_probe_asks_again() -> None:
    worker = Worker(RuntimeError("password=hunter2"))
    readiness = Readiness(worker, Clock())
    with pytest.raises(RuntimeError):
        await probe(readiness)
    worker.answer = FOUND
    assert await probe(readiness) == (200, ALL_OK)
