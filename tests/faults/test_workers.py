"""A worker's processes die while they work: the calls they had are told so, every other call is answered."""

import asyncio
import os
import signal

import pytest

from shared.limits import QUEUE_RETRY_AFTER_S
from tests.faults.clients import assert_refusals, clients_of
from tests.faults.parts import Deployment
from tests.faults.short_deadlines import DEADLINE_S
from tests.hosted.processes import is_alive, until

pytestmark = pytest.mark.anyio

NOTICED_WITHIN_S = 3
"""Seconds in which a process that was killed is missed: less than the 5 s between two looks of Celery's own."""


@pytest.mark.rule("PLT-142")
async def test_a_killed_pool_process_loses_its_own_call_and_no_other(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        lost, kept = (asyncio.create_task(clients.read(number, "held")) for number in (1, 2))
        await until(lambda: deployment.held().keys() >= {"001", "002"})
        os.kill(deployment.held()["001"], signal.SIGKILL)
        ended = await lost
        assert ended.answer == {"ok": False, "error": "worker_lost", "retry_after": QUEUE_RETRY_AFTER_S}
        assert ended.seconds < NOTICED_WITHIN_S
        await clients.serves(*range(20))  # in the process that replaced it
        reader = deployment.reader
        assert all(reader.sockets(child).isdisjoint(reader.sockets(reader.pid)) for child in reader.pool())
        deployment.let_go()
        assert (await kept).error is None
        assert (await clients.read(1, "held")).error is None


@pytest.mark.rule("PLT-142")
async def test_a_killed_worker_costs_its_calls_their_deadline_and_a_new_one_serves_the_rest(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        running = [asyncio.create_task(clients.read(number, "held")) for number in (1, 2)]
        await until(lambda: len(deployment.held()) == 2)
        pool = deployment.reader.pool()
        deployment.reader.kill()
        await until(lambda: not any(map(is_alive, pool)))
        await asyncio.to_thread(deployment.reader.start().wait)
        await clients.serves(*range(10))
        assert_refusals(await asyncio.gather(*running), "deadline_exceeded", within_s=2 * DEADLINE_S)
        await clients.serves(3)
