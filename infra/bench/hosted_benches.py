"""The hosted form over HTTP: one call's way through Redis and a worker, bytes on the wire, load, and memory."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from itertools import cycle
from os import getpid
from pathlib import Path
from statistics import median
from typing import Any, Final

from infra.bench.empty_tool import NAME
from infra.bench.ground import (
    CODEKEEPER,
    FIRST_PAGE,
    LIST_TREE,
    READ_FILE,
    REPO,
    SOME_LINES,
    WHOLE_FILE,
    Ground,
    Hosted,
    echo_server,
    hosted,
)
from infra.bench.measure import Row, compared, in_turn, percentile, shown
from infra.bench.sources import FILE_HEBREW
from infra.bench.wire import LEGACY, MODERN, HttpClient, Received, StdioClient

_Call = tuple[str, Mapping[str, Any]]

_READ: Final = (
    "The read itself, about 0.9 ms of it in the worker (the object 0.4, the database's default branch 0.1, the mirror's opening and the "
    "tree 0.2, rendering 0.2), then 31 KB in and out of Redis and twice through the SDK's models. The floor shrank: the empty tool cost "
    "0.6 ms more while the tool's schema was made anew for each call, and the ratio looked better for it."
)

_FILE: Final[_Call] = (READ_FILE, WHOLE_FILE)
_MIX: Final[tuple[_Call, ...]] = (_FILE, (READ_FILE, SOME_LINES), (LIST_TREE, FIRST_PAGE))


async def path(ground: Ground) -> list[Row]:
    """The 31 KB file and an empty tool through Redis and a worker, and a bare echo server of the same SDK."""
    rounds = 100 if ground.quick else 500
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(HttpClient(ground.hosted.url, ground.token))
        bare = await stack.enter_async_context(HttpClient(stack.enter_context(echo_server(ground)), ground.token))
        (await client.call(*_FILE)).text()
        subjects = {
            "file": lambda: client.call(*_FILE),
            "empty": lambda: client.call(NAME, {}),
            "echo": lambda: bare.call(NAME, {}),
        }
        took = await in_turn(subjects, rounds)
    return [
        compared("31 KB file, HTTP, Redis, worker : empty tool", took["file"], took["empty"], 1.3, _READ),
        compared("empty tool, HTTP, Redis, worker : bare MCP echo", took["empty"], took["echo"]),
    ]


async def wire(ground: Ground) -> list[Row]:
    """Bytes that arrive for an answer against the bytes of its text."""
    rows: list[Row] = []
    answers: tuple[tuple[str, _Call, float], ...] = (
        ("31 KB of source", _FILE, 1.1),
        ("31 KB of Hebrew prose", (READ_FILE, {"repo": REPO, "path": FILE_HEBREW}), 1.1),
        ("200 paths", (LIST_TREE, FIRST_PAGE), 1.25),
    )

    def row(what: str, revision: str, way: str, received: Received, aim: float) -> Row:
        text = len(received.text().encode("utf-8", "backslashreplace"))
        return Row(f"bytes on the wire, {what}, {way} {revision}", f"{received.wire_bytes}", f"{text}", received.wire_bytes / text, aim)

    for revision in (LEGACY, MODERN):
        async with HttpClient(ground.hosted.url, ground.token, revision) as client:
            rows.extend([row(what, revision, "HTTP", await client.call(*call), aim) for what, call, aim in answers])
    with StdioClient([CODEKEEPER, "stdio"], ground.environment, ground.log("wire")) as lines:
        lines.initialize()
        rows.extend([row(what, LEGACY, "stdio", lines.call(*call), aim) for what, call, aim in answers])
    with StdioClient([CODEKEEPER, "stdio"], ground.environment, ground.log("wire")) as lines:
        rows.extend([row(what, MODERN, "stdio", lines.call(*call, MODERN), aim) for what, call, aim in answers])
    return rows


async def _load(url: str, token: str, calls: Iterator[_Call], clients: int, go_on: Callable[[int], bool]) -> list[float]:
    """Seconds of each call while `clients` call one after the other, until `go_on`, asked with the calls so far, says no."""
    took: list[float] = []
    begun = 0

    async def one() -> None:
        nonlocal begun
        async with HttpClient(url, token) as client:
            while go_on(begun):
                begun += 1
                began = time.perf_counter()
                received = await client.call(*next(calls))
                took.append(time.perf_counter() - began)
                if b'\\"ok\\":true' not in received.message[:300]:
                    raise RuntimeError(f"not an answer: {received.message[:300]!r}")

    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(one())
    return took


async def load(ground: Ground) -> list[Row]:
    """Calls per second of the 31 KB file at three numbers of clients."""
    seconds = 3.0 if ground.quick else 10.0
    rows: list[Row] = []
    url = ground.hosted.url
    await _load(url, ground.token, cycle([_FILE]), 4, lambda begun: begun < 50)  # noqa: PLR2004 - warm
    for clients in (1, 8, 64):
        end = time.perf_counter() + seconds
        began = time.perf_counter()
        took = await _load(url, ground.token, cycle([_FILE]), clients, lambda _, end=end: time.perf_counter() < end)
        rate = len(took) / (time.perf_counter() - began)
        times = f"median {shown(median(took))}, 99th {shown(percentile(took, 0.99))}"
        rows.append(Row(f"31 KB file hosted, clients: {clients}", f"{rate:.0f} calls/s, {times}"))
    return rows


def _memory(process: int, field: str) -> int:
    """KiB of `field` (Rss or Pss) of a process and all below it."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except FileNotFoundError:
        return 0
    own = sum(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))
    return own + sum(_memory(int(child), field) for child in children)


def _memory_of(running: Hosted) -> dict[tuple[str, str], int]:
    parts = {"gateway": running.gateway, "workers": running.worker}
    return {(part, field): _memory(process, field) for part, process in parts.items() for field in ("Rss", "Pss")}


async def memory(ground: Ground) -> list[Row]:
    """Memory of the gateway and of the worker's processes together, before, after the first calls and after ten times as many."""
    if not _memory(getpid(), "Rss"):
        return [Row("memory", "not measured: this system has no /proc")]
    first, last = (200, 1_000) if ground.quick else (1_000, 10_000)
    with hosted(ground) as running:
        calls = cycle(_MIX)
        await _load(running.url, ground.token, calls, 1, lambda begun: begun < 1)
        before = _memory_of(running)
        await _load(running.url, ground.token, calls, 8, lambda begun: begun < first)
        middle = _memory_of(running)
        await _load(running.url, ground.token, calls, 8, lambda begun: begun < last - first)
        after = _memory_of(running)
    return [
        Row(
            f"{field.upper()} of {part}, after {last} calls : after {first}",
            f"{after[part, field] / 1024:.1f} MiB", f"{middle[part, field] / 1024:.1f} MiB",
            after[part, field] / middle[part, field], 1.1, f"Before the calls: {before[part, field] / 1024:.1f} MiB.",
        )
        for part, field in after
    ]  # fmt: skip
