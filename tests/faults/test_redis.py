"""Redis frozen, stopped, back and empty, or full: calls are refused in time, nothing is lost that needn't be, all goes on by itself."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from shared.limits import MAX_CALLS_IN_FLIGHT, MAX_REQUEST_BODY_BYTES, QUEUE_RETRY_AFTER_S
from tests.faults.clients import FILE, LIST, Clients, assert_refusals, clients_of
from tests.faults.parts import Deployment
from tests.faults.short_deadlines import DEADLINE_S
from tests.hosted.processes import RedisServer, until

pytestmark = pytest.mark.anyio

AT_ONCE = 12
"""Calls that are under way when the fault comes."""

BACK_WITHIN_S = 4
"""Seconds in which a call must be served again after the fault has gone."""


async def healthy(clients: Clients) -> None:
    """What answers also without Redis (PLT-4)."""
    response = await clients.http.get(clients.url.replace("/mcp", "/healthz"))
    assert (response.status_code, response.json()) == (200, {"status": "ok", "service": "codekeeper-mcp"})


async def served_again(clients: Clients) -> None:
    """A call is served soon, and then every one, each by its own answer."""
    end = asyncio.get_running_loop().time() + BACK_WITHIN_S
    while (await clients.read(0)).error is not None:
        assert asyncio.get_running_loop().time() < end
    await asyncio.gather(*(clients.serves(number) for number in range(40)))


@pytest.mark.rule("PLT-142", "PLT-4")
async def test_redis_frozen(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        await clients.serves(*range(4))
        held = [asyncio.create_task(clients.read(number, "held")) for number in (1, 2)]
        await until(lambda: len(deployment.held()) == 2)
        waiting = [asyncio.create_task(clients.read(number)) for number in range(AT_ONCE)]
        await until(lambda: deployment.redis.client.llen("read") == AT_ONCE)
        deployment.redis.freeze()
        new = await asyncio.gather(*(clients.read(number) for number in range(AT_ONCE)))
        assert_refusals(new, "queue_unavailable", within_s=4)
        await healthy(clients)
        deployment.redis.thaw()
        deployment.let_go()
        # Those that were under way lost nothing but time.
        assert {ended.error for ended in await asyncio.gather(*held, *waiting)} == {None}
        await served_again(clients)


@pytest.mark.rule("PLT-142", "PLT-4")
async def test_redis_stopped_and_back_empty(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        held = [asyncio.create_task(clients.read(number, "held")) for number in (1, 2)]
        await until(lambda: len(deployment.held()) == 2)
        waiting = [asyncio.create_task(clients.read(number)) for number in range(AT_ONCE)]
        await until(lambda: deployment.redis.client.llen("read") == AT_ONCE)
        deployment.redis.stop()
        new = await asyncio.gather(*(clients.read(number) for number in range(AT_ONCE)))
        assert_refusals(new, "queue_unavailable", within_s=4)
        await healthy(clients)
        deployment.redis.start()
        deployment.let_go()
        # What ran is answered; what waited in Redis went with it, and is told so at its deadline. Redis may go between taking a message
        # and saying so: that one is refused at once.
        assert {ended.error for ended in await asyncio.gather(*held)} == {None}
        await served_again(clients)
        assert_refusals(await asyncio.gather(*waiting), "deadline_exceeded", "queue_unavailable", within_s=2 * DEADLINE_S)


@contextmanager
def full(redis: RedisServer, spare_bytes: int) -> Iterator[None]:
    """Redis may take `spare_bytes` more, and then refuses every write."""
    used = int(redis.client.info("memory")["used_memory"])
    redis.client.config_set("maxmemory-policy", "noeviction")
    redis.client.config_set("maxmemory", max(used + spare_bytes, 1))
    try:
        yield
    finally:
        redis.client.config_set("maxmemory", 0)


def refused_writes(redis: RedisServer) -> int:
    found = redis.client.info("errorstats").get("errorstat_OOM", {"count": 0})
    return int(found["count"])


@pytest.mark.rule("PLT-142", "PLT-4")
async def test_redis_full(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        await clients.serves(1)
        held = [asyncio.create_task(clients.read(number, "held")) for number in (1, 2)]
        await until(lambda: len(deployment.held()) == 2)
        with full(deployment.redis, -(1 << 30)):
            refused = await asyncio.gather(*(clients.read(number) for number in range(AT_ONCE)))
            assert_refusals(refused, "queue_unavailable", within_s=4)
            await healthy(clients)
            before = refused_writes(deployment.redis)
            deployment.let_go()
            await until(lambda: refused_writes(deployment.redis) >= before + len(held))
        assert {ended.error for ended in await asyncio.gather(*held)} == {None}  # their answers were stored once there was room
        await served_again(clients)


@pytest.mark.rule("PLT-142")
async def test_redis_with_room_for_the_rate_limit_and_none_for_the_call(deployment: Deployment) -> None:
    """The body itself is what doesn't fit: Redis counts the command that it is reading."""
    async with clients_of(deployment) as clients:
        await clients.serves(1)
        with full(deployment.redis, 1 << 20):
            ended = await clients.call(FILE, repo="numbered", path="p" * (MAX_REQUEST_BODY_BYTES - 2_000), ref="main")
            assert ended.answer == {"ok": False, "error": "queue_unavailable", "retry_after": QUEUE_RETRY_AFTER_S}
            assert "maxmemory" in deployment.gateways[0].said()  # the publisher's words: the rate limit had let it in
            await clients.serves(2)
        assert (await clients.call(LIST)).answer["count"] >= 1


async def test_more_calls_at_once_than_the_rate_limit_has_connections_are_not_refused_for_it(deployment: Deployment) -> None:
    async with clients_of(deployment) as clients:
        ended = await asyncio.gather(*(clients.read(number % 200) for number in range(MAX_CALLS_IN_FLIGHT - 10)))
        # On a slow machine some may meet the tests' short deadline.
        assert {one.error for one in ended} <= {None, "deadline_exceeded"}
        assert sum(one.error is None for one in ended) > AT_ONCE


async def test_every_gateway_and_worker_came_through_without_a_restart(deployment: Deployment) -> None:
    """Where the tests before this one ran: nothing of it was started anew."""
    for part in (*deployment.gateways, deployment.reader, deployment.syncer):
        assert part.process is not None
        assert part.process.poll() is None
    async with httpx2.AsyncClient() as http:
        for part in deployment.gateways:
            await Clients(http, part.url, deployment.token).serves(*range(5))
