"""Reading sessions when gateways take turns, calls race, workers die, clients leave, Redis goes: one winner, and nothing half done."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from shared.code_sessions.redis_keys import BUSY_PREFIX, RUN_PREFIX
from shared.code_sessions.session import resource_uri
from shared.tasks import CODE_LEASE_S
from tests.faults.clients import STATELESS, Clients, Ended, clients_of
from tests.faults.leftovers import without_expiry
from tests.faults.parts import Deployment, content_of, path_of
from tests.faults.test_clients_gone import goes_away
from tests.hosted.processes import until

pytestmark = pytest.mark.anyio

TOOL: Final = "read_code_context"
AT_ONCE: Final = 8


def a_file(number: int, folder: str = "files") -> dict[str, Any]:
    return {"requests": [{"path": path_of(number, folder), "full": True}]}


async def begin(clients: Clients, number: int = 1) -> str:
    """The `runId` of a new session."""
    return run_id_of(await clients.call(TOOL, repo="numbered", **a_file(number)))


async def follow(clients: Clients, run_id: str, number: int, folder: str = "files") -> Ended:
    return await clients.call(TOOL, continueFrom=run_id, **a_file(number, folder))


def run_id_of(ended: Ended) -> str:
    assert ended.answer["ok"] is True, ended.answer
    run_id: str = ended.answer["runId"]
    return run_id


async def document(clients: Clients, run_id: str) -> str | None:
    """The resource, as the SDK's client reads it at this gateway; None when it isn't found."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {clients.token}"}, timeout=30) as http,
        Client(streamable_http_client(clients.url, http_client=http)) as client,
    ):
        try:
            (content,) = (await client.read_resource(resource_uri(run_id))).contents
        except MCPError as error:
            if "not found" in error.message:
                return None
            raise
        text: str = content.text
        return text


@asynccontextmanager
async def both_gateways(deployment: Deployment) -> AsyncIterator[tuple[Clients, Clients]]:
    async with clients_of(deployment) as one, clients_of(deployment, gateway=1) as other:
        yield one, other


@pytest.mark.rule("RCC-31", "RCC-32", "RCC-34")
async def test_gateways_take_turns_and_a_session_ends_with_its_keys(deployment: Deployment) -> None:
    async with both_gateways(deployment) as (one, other):
        first = await begin(one, 7)
        assert content_of(7).replace("\n", "\\n") in (await document(other, first) or "")
        second = await follow(other, first, 8)
        assert second.answer["round"] == 2
        assert await document(one, first) is None
        third = await follow(one, run_id_of(second), 9)
        assert third.answer["round"] == 3
        assert content_of(9).replace("\n", "\\n") in (await document(other, run_id_of(third)) or "")
        assert (await follow(other, run_id_of(third), 1)).error == "CodeRoundLimit"
        expires = await begin(one)
        assert without_expiry(deployment.redis) == set()
        deployment.redis.client.pexpire(RUN_PREFIX + expires, 0)
        assert await document(one, expires) is None
        assert (await follow(other, expires, 1)).error == "StaleCodeSession"


@pytest.mark.rule("RCC-32", "RCC-34", "RCC-36")
async def test_of_follow_ups_that_race_through_two_gateways_one_wins(deployment: Deployment) -> None:
    async with both_gateways(deployment) as gateways:
        run_id = await begin(gateways[0])
        for number in (2, 3):
            ended = await asyncio.gather(*(follow(gateways[place % 2], run_id, place) for place in range(AT_ONCE)))
            won = [one for one in ended if one.error is None]
            assert {one.error for one in ended if one.error is not None} <= {"Busy", "StaleCodeSession"}
            assert [one.answer["round"] for one in won] == [number]
            assert await document(gateways[1], run_id) is None
            run_id = run_id_of(won[0])
            assert await document(gateways[1], run_id) is not None


@pytest.mark.rule("RCC-33", "RCC-36")
async def test_a_killed_worker_leaves_its_session_busy_until_its_hold_ends_and_otherwise_as_it_was(deployment: Deployment) -> None:
    async with both_gateways(deployment) as (one, other):
        run_id = await begin(one)
        lost = asyncio.create_task(follow(one, run_id, 3, "held"))
        await until(lambda: "003" in deployment.held())
        assert (await follow(other, run_id, 1)).error == "Busy"
        os.kill(deployment.held()["003"], signal.SIGKILL)
        assert (await lost).error == "worker_lost"
        busy = await follow(other, run_id, 1)
        assert (busy.error, busy.answer["retry_after"]) == ("Busy", 2)
        assert 0 < deployment.redis.client.ttl(BUSY_PREFIX + run_id) <= CODE_LEASE_S
        assert await document(other, run_id) is not None
        deployment.redis.client.pexpire(BUSY_PREFIX + run_id, 0)
        assert (await follow(other, run_id, 1)).answer["round"] == 2


@pytest.mark.rule("RCC-33")
async def test_a_client_that_leaves_before_the_commit_changes_nothing(deployment: Deployment) -> None:
    async with both_gateways(deployment) as (one, other):
        run_id = await begin(one)
        cancelled = set(deployment.redis.client.scan_iter("ck:cancelled:*"))
        connection = await goes_away(deployment, TOOL, {"continueFrom": run_id, **a_file(4, "held")}, STATELESS)
        await until(lambda: "004" in deployment.held())
        connection.close()
        await until(lambda: set(deployment.redis.client.scan_iter("ck:cancelled:*")) - cancelled)
        deployment.let_go()
        await until(lambda: not deployment.redis.client.exists(BUSY_PREFIX + run_id))
        assert await document(other, run_id) is not None
        assert (await follow(other, run_id, 1)).answer["round"] == 2


@pytest.mark.rule("RCC-33", "PLT-142")
async def test_redis_gone_before_the_commit_is_said_and_nothing_is_half_done(deployment: Deployment) -> None:
    async with both_gateways(deployment) as (one, other):
        run_id = await begin(one)
        follow_up = asyncio.create_task(follow(one, run_id, 5, "held"))
        first = asyncio.create_task(one.call(TOOL, repo="numbered", **a_file(6, "held")))
        await until(lambda: deployment.held().keys() >= {"005", "006"})
        said = len(deployment.reader.said())
        deployment.redis.stop()
        deployment.let_go()
        await until(lambda: deployment.reader.said()[said:].count("code_sessions_unavailable") >= 2)
        deployment.redis.start()
        for ended in await asyncio.gather(follow_up, first):
            assert (ended.error, ended.answer["retry_after"] > 0) == ("queue_unavailable", True)
        assert list(deployment.redis.client.scan_iter("ck:code:*")) == []  # it came back empty
        assert (await follow(other, run_id, 1)).error == "StaleCodeSession"
        assert await document(other, await begin(one)) is not None
