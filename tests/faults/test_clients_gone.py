"""A client that goes away cancels its call, in either revision, and leaves nothing behind. Case 17, "Calls, tasks and their results"."""

import asyncio
import json
import urllib.parse
from typing import Any

import pytest

from shared.limits import ANSWER_TTL_S
from tests.faults.clients import FILE, REVISIONS, clients_of, request_of
from tests.faults.leftovers import without_expiry
from tests.faults.parts import Deployment, path_of
from tests.hosted.processes import RedisServer, until

pytestmark = pytest.mark.anyio

GONE = 20
"""Clients that go away."""


async def goes_away(deployment: Deployment, tool: str, arguments: dict[str, Any], revision: str) -> asyncio.StreamWriter:
    """Send a call's request over a connection of its own, which is given back open."""
    request = request_of(deployment.token, tool, arguments, revision)
    body = json.dumps(request["json"]).encode()
    where = urllib.parse.urlsplit(deployment.url)
    head = {"Host": where.netloc, "Content-Type": "application/json", "Content-Length": str(len(body)), **request["headers"]}
    _, writer = await asyncio.open_connection(where.hostname, where.port)
    lines = [f"POST {where.path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items())]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()
    return writer


def keys(redis: RedisServer, kind: str) -> set[str]:
    return set(redis.client.scan_iter(f"ck:{kind}:*"))


async def test_clients_that_go_away_cancel_their_calls_and_leave_nothing(deployment: Deployment) -> None:
    redis = deployment.redis
    async with clients_of(deployment) as clients:
        await clients.serves(1)
        await until(lambda: redis.client.hlen("unacked") == 0)  # an answer may be faster than its message's acknowledgement
        deployment.reader.kill()
        channels, cancelled_before, answers_before = redis.client.pubsub_channels(), keys(redis, "cancelled"), keys(redis, "answer")
        connections = [
            await goes_away(deployment, FILE, {"repo": "numbered", "path": path_of(number), "ref": "main"}, REVISIONS[number % 2])
            for number in range(GONE)
        ]
        await until(lambda: redis.client.llen("read") == GONE)
        assert keys(redis, "cancelled") == cancelled_before
        for connection in connections:
            connection.close()
        await until(lambda: len(keys(redis, "cancelled") - cancelled_before) == GONE)
        assert redis.client.pubsub_channels() == channels
        assert all(0 < redis.client.ttl(key) <= ANSWER_TTL_S for key in keys(redis, "cancelled"))

        deployment.reader.start().wait()
        await clients.serves(2)
        assert redis.client.llen("read") == 0
        assert keys(redis, "answer") <= answers_before  # none of them ran
        await until(lambda: without_expiry(redis) == set())
        assert redis.client.pubsub_channels() == channels
