"""A gateway dies, or is told to stop, in the middle of its calls: another on the same Redis goes on, and nothing stays in Redis."""

import asyncio

import httpx2
import pytest

from shared.tasks import ANSWER_CHANNEL_PREFIX
from tests.faults.clients import clients_of
from tests.faults.leftovers import without_expiry
from tests.faults.parts import Deployment, Part
from tests.hosted.processes import until

pytestmark = pytest.mark.anyio

AT_ONCE = 12

AFTER_THE_SIGNAL_S = 1
"""Seconds that calls go on after it: more than the half second after which sse-starlette ends streams by itself, less than the grace."""


def channels(deployment: Deployment) -> int:
    return len(deployment.redis.client.pubsub_channels(f"{ANSWER_CHANNEL_PREFIX}*"))


async def ended(part: Part) -> None:
    assert part.process is not None
    await asyncio.to_thread(part.stop)


async def test_a_killed_gateway_takes_only_its_own_calls_with_it(deployment: Deployment) -> None:
    async with clients_of(deployment) as ours, clients_of(deployment, gateway=1) as others:
        assert await asyncio.gather(ours.read(0), others.read(0))
        assert channels(deployment) == 2
        lost = [asyncio.create_task(ours.read(number, "held")) for number in range(AT_ONCE)]
        kept = [asyncio.create_task(others.read(number, "held")) for number in range(AT_ONCE, 2 * AT_ONCE)]
        await until(lambda: deployment.redis.client.llen("read") == 2 * AT_ONCE - 2)  # and one in each pool process
        deployment.gateways[0].kill()
        for connection_lost in await asyncio.gather(*lost, return_exceptions=True):
            assert isinstance(connection_lost, httpx2.HTTPError)
        deployment.let_go()
        assert {one.error for one in await asyncio.gather(*kept)} == {None}
        await others.serves(*range(10))
        assert channels(deployment) == 1
        # The answers of those that were lost wait for nobody, and expire.
        await until(lambda: without_expiry(deployment.redis) == set())
    deployment.gateways[0].start().wait()
    async with clients_of(deployment) as ours:
        await ours.serves(*range(10))
    assert channels(deployment) == 2


async def test_a_gateway_that_is_told_to_stop_answers_what_it_has_and_a_new_one_takes_over(deployment: Deployment) -> None:
    async with clients_of(deployment) as ours, clients_of(deployment, gateway=1) as others:
        running = [asyncio.create_task(ours.read(number, "held")) for number in (1, 2)]
        await until(lambda: len(deployment.held()) == 2)
        stopping = asyncio.create_task(ended(deployment.gateways[0]))
        await until(lambda: "Shutting down" in deployment.gateways[0].said())
        await asyncio.sleep(AFTER_THE_SIGNAL_S)
        deployment.let_go()
        assert {one.error for one in await asyncio.gather(*running)} == {None}
        await asyncio.wait_for(stopping, 20)
        await others.serves(*range(10))
    assert channels(deployment) == 1
    deployment.gateways[0].start().wait()
    async with clients_of(deployment) as ours:
        await ours.serves(*range(10))
    await until(lambda: without_expiry(deployment.redis) == set())
