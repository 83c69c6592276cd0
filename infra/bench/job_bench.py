"""A review job beside interactive reads: what the reads feel of it."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Final

from infra.bench.ground import CODEKEEPER, READ_FILE, REPO, SOME_LINES, WHOLE_FILE, Ground, batcher
from infra.bench.measure import Row, percentile, shown
from infra.bench.sources import files
from infra.bench.wire import HttpClient

JOB_ITEMS: Final = 1_000
PAUSE_S: Final = 0.02
"""Seconds between an answer and the next read of a client: an agent thinks, if only for a moment."""
CLIENTS: Final = 2
WARM_UP_READS: Final = 100
LARGE_BYTES: Final = 200_000
"""A file of more may not fit into one answer."""


def _items(folder: Path) -> Path:
    """Files whole and maps, of the whole repository in turn."""
    paths = [path for path, content in files().items() if path.endswith(".py") and len(content) < LARGE_BYTES]
    made = [
        {"kind": "file" if place % 2 else "outline", "repo": REPO, "path": path}
        for place, path in enumerate(islice(cycle(paths), JOB_ITEMS))
    ]
    file = folder / "items.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in made))
    return file


async def _reads(clients: list[HttpClient], go_on: Callable[[int], bool]) -> list[float]:
    """Seconds of each read while all clients read and pause in turn, until `go_on`, asked with the reads so far, says no."""
    took: list[float] = []

    async def one(client: HttpClient, first: int) -> None:
        calls = islice(cycle([WHOLE_FILE, SOME_LINES]), first, None)
        while go_on(len(took)):
            began = time.perf_counter()
            (await client.call(READ_FILE, next(calls))).text()
            took.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE_S)

    async with asyncio.TaskGroup() as group:
        for place, client in enumerate(clients):
            group.create_task(one(client, place))
    return took


async def jobs(ground: Ground) -> list[Row]:
    """Rounds in turn: reads by themselves, then as many beside a job, from its process's start to its end."""
    rounds = 2 if ground.quick else 5
    alone: list[float] = []
    beside: list[float] = []
    lasted: list[float] = []
    items = _items(ground.folder)
    with ExitStack() as stack:
        environment = stack.enter_context(batcher(ground))
        clients = [HttpClient(ground.hosted.url, ground.token) for _ in range(CLIENTS)]
        for client in clients:
            await client.__aenter__()
        await _reads(clients, lambda done: done < WARM_UP_READS)  # warm
        for number in range(rounds):
            out = ground.folder / f"results-{number}.jsonl"
            began = time.perf_counter()
            command = (CODEKEEPER, "batch", "run", str(items), "--out", str(out))
            job = await asyncio.create_subprocess_exec(*command, env=environment, stderr=asyncio.subprocess.DEVNULL)
            taken = await _reads(clients, lambda _, job=job: job.returncode is None)
            lasted.append(time.perf_counter() - began)
            if job.returncode or out.read_bytes().count(b"\n") != JOB_ITEMS:
                raise RuntimeError(f"the job ended with {job.returncode}")
            beside += taken
            alone += await _reads(clients, lambda done, taken=taken: done < len(taken))
        for client in clients:
            await client.__aexit__(None, None, None)
    what = f"reads beside a job of {JOB_ITEMS} items : reads alone"
    return [
        Row(f"{name} of {what}", shown(of(beside)), shown(of(alone)), of(beside) / of(alone), aim, note)
        for name, of, aim, note in (
            ("99th percentile", lambda took: percentile(took, 0.99), 1.5, f"{len(beside)} reads each; a job took {shown(median(lasted))}."),
            ("median", median, None, ""),
        )
    ]
