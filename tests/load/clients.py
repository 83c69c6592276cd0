"""Sixteen clients of the SDK at once, each asking for one file after the other and judging every answer. Bounded in calls or in seconds."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from shared.tasks import GET_REPO_FILE
from tests.faults.clients import FILE, QUEUE_REFUSALS, assert_right
from tests.faults.parts import FILES, path_of
from tests.load.report import Tally

CLIENTS: Final = 16
SEED: Final = 20_261_201
MODES: Final = ("legacy", "2026-07-28")

DEADLINE_S: Final = GET_REPO_FILE.deadline_s or 0
"""Seconds after which the gateway must have answered a call."""

WAY_S: Final = 2
"""Seconds that a call may take beside: sixteen clients and their judge share the machine with the service."""


def numbers(calls: int) -> Iterator[int]:
    """Which files are asked for: the same ones in every run."""
    chosen = random.Random(SEED)  # noqa: S311 - no secret
    return iter([chosen.randrange(FILES) for _ in range(calls)])


@asynccontextmanager
async def load_client(url: str, token: str, mode: str) -> AsyncIterator[Client]:
    """One client, connected."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,  # type: ignore[arg-type]
    ):
        yield client


async def _ask(client: Client, number: int, tally: Tally) -> None:
    began = time.monotonic()
    try:
        result = await client.call_tool(FILE, {"repo": "numbered", "path": path_of(number), "ref": "main"})
        (block,) = result.content
        answer: dict[str, Any] = json.loads(block.text)
    except Exception as error:  # noqa: BLE001 - whatever it is, the load's judge is told
        tally.wrong.append(f"{number}: {error!r}")
        answer = {}
    took = time.monotonic() - began
    tally.calls += 1
    tally.slowest_s = max(tally.slowest_s, took)
    if took > DEADLINE_S + WAY_S:
        tally.wrong.append(f"{number}: {took:.1f} s")
    if answer.get("error") in QUEUE_REFUSALS and answer["retry_after"] > 0:
        tally.refusals[answer["error"]] += 1
    elif answer:
        try:
            assert_right(answer, number)
        except (AssertionError, KeyError) as error:
            tally.wrong.append(f"{number}: {error!r} {str(answer)[:200]}")
        else:
            tally.answers += 1


async def run_load(url: str, token: str, asked: Iterator[int], tally: Tally, go_on: Callable[[], bool] = lambda: True) -> None:
    """Ask for all of `asked` from `CLIENTS` clients, or as long as `go_on` says."""
    began = time.monotonic()

    async def one(mode: str) -> None:
        async with load_client(url, token, mode) as client:
            for number in asked:
                if not go_on():
                    break
                await _ask(client, number, tally)

    await asyncio.gather(*(one(MODES[number % 2]) for number in range(CLIENTS)))
    tally.seconds += time.monotonic() - began
