"""The embedded schedule: a first pass soon, then one an interval, whatever becomes of a pass."""

import asyncio

import pytest

from gateway import schedule
from shared.errors import ErrorCode, Refused
from shared.tasks import SYNC_ALL, TaskKind
from tests.unit.gateway.test_call_tool import RecordingSender

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.rule("PLT-113", "PLT-120")
async def test_a_pass_that_cannot_be_sent_does_not_end_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    passes: list[TaskKind] = []
    three = asyncio.Event()

    class FailingOnce(RecordingSender):
        async def send(self, kind: TaskKind, *_arguments: str | bool) -> None:
            passes.append(kind)
            if len(passes) == 1:
                raise Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=5)
            if len(passes) == 3:
                three.set()

    real_sleep = asyncio.sleep

    async def record(seconds: float) -> None:
        slept.append(seconds)
        await real_sleep(0)

    monkeypatch.setattr(schedule.asyncio, "sleep", record)
    running = asyncio.create_task(schedule.sync_on_schedule(FailingOnce(), interval_s=300))
    async with asyncio.timeout(5):
        await three.wait()
    running.cancel()
    assert slept[:3] == [10, 300, 300]
    assert passes[:3] == [SYNC_ALL] * 3
