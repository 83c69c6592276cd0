"""Batches whose workers are slow: what was read comes back, what was not is named, and the wait in the queue counts."""

import asyncio
import time
from typing import Any

import pytest

from tests.faults.clients import Clients, assert_right, clients_of
from tests.faults.parts import BATCH_READS_S, Deployment, path_of
from tests.hosted.processes import until

pytestmark = pytest.mark.anyio

BATCH = "codekeeper_read_batch"


def item(number: int, folder: str = "files") -> dict[str, Any]:
    return {"kind": "file", "repo": "numbered", "path": path_of(number, folder)}


async def when_its_time_is_over(began: float) -> None:
    await until(lambda: time.monotonic() > began + BATCH_READS_S)


@pytest.mark.rule("BAT-27", "BAT-29", "BAT-30", "BAT-75", "BAT-77", "BAT-79")
async def test_case_17_a_batch_whose_time_passes_answers_what_was_read_and_names_the_rest(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        items = [*(item(number) for number in range(11)), item(1, "held"), *(item(number) for number in range(11, 18)), item(3)]
        reading = asyncio.create_task(clients.call(BATCH, items=items))
        await until(lambda: "001" in deployment.held())
        await when_its_time_is_over(time.monotonic())
        deployment.let_go()
        answer = (await reading).answer
        assert (answer["ok"], answer["count"], answer["unread_reason"]) == (True, 12, "timeout")
        assert answer["unread"] == list(range(12, 20))  # the last one too, although its file was read
        assert [entry["index"] for entry in answer["items"]] == list(range(12))
        for number, entry in enumerate(answer["items"][:11]):
            assert_right(entry["result"], number)
        assert_right(answer["items"][11]["result"], 1, "held")
        again = (await clients.call(BATCH, items=[items[index] for index in answer["unread"]])).answer
        assert (again["count"], "unread" in again) == (8, False)


@pytest.mark.rule("BAT-76", "BAT-77", "PLT-69")
async def test_case_17_the_wait_in_the_queue_counts(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        running = [asyncio.create_task(clients.read(number, "held")) for number in (1, 2)]
        await until(lambda: len(deployment.held()) == 2)
        waiting = asyncio.create_task(clients.call(BATCH, items=[item(number) for number in range(20)]))
        await until(lambda: _is_queued(deployment))
        await when_its_time_is_over(time.monotonic())
        deployment.let_go()
        assert (await waiting).answer == {"ok": True, "count": 0, "items": [], "unread": list(range(20)), "unread_reason": "timeout"}
        assert all(ended.error is None for ended in await asyncio.gather(*running))
        await _whole(clients)


def _is_queued(deployment: Deployment) -> bool:
    return int(deployment.redis.client.llen("read")) == 1  # type: ignore[arg-type]


async def _whole(clients: Clients) -> None:
    answer = (await clients.call(BATCH, items=[item(number) for number in range(20)])).answer
    assert (answer["count"], "unread" in answer) == (20, False)
