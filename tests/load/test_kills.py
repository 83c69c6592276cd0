"""Calls from sixteen clients while pool processes are killed: each ends in its own answer or a refusal, within its deadline."""

import asyncio
import os
import random
import signal
from pathlib import Path

import pytest

from tests.faults.parts import Deployment, Part, Template
from tests.load.clients import SEED, numbers, run_load
from tests.load.report import Tally

pytestmark = pytest.mark.anyio

CALL_S = 0.05
"""Seconds that a read takes longer in these workers, at most: real ones are so short that a kill would seldom meet one."""


async def _kill_pool_processes(reader: Part, every_s: float, tally: Tally) -> None:
    chosen = random.Random(SEED)  # noqa: S311 - no secret
    while True:
        await asyncio.sleep(every_s)
        os.kill(chosen.choice(reader.pool()), signal.SIGKILL)
        tally.kills += 1


@pytest.mark.rule("PLT-142")
@pytest.mark.parametrize(
    ("calls", "every_s"),
    [pytest.param(300, 1.0, id="sample"), pytest.param(2_000, 2.0, id="deep", marks=[pytest.mark.deep, pytest.mark.timeout(400)])],
)
async def test_calls_while_pool_processes_are_killed(template: Template, tmp_path: Path, calls: int, every_s: float) -> None:
    deployment = Deployment(
        tmp_path / "parts", template.copy(tmp_path / "data"), template.token, gateway="gateway.commands.main", TESTS_CALL_S=str(CALL_S)
    )
    tally = Tally(f"a pool process killed every {every_s:.0f} s")
    try:
        deployment.start(deployment.gateways[0], deployment.reader)
        killer = asyncio.create_task(_kill_pool_processes(deployment.reader, every_s, tally))
        await run_load(deployment.url, deployment.token, numbers(calls), tally)
        killer.cancel()
        assert (await asyncio.gather(killer, return_exceptions=True)) != []
    finally:
        deployment.end()
        tally.report()
    assert tally.wrong == []
    assert tally.calls == calls
    assert tally.kills >= 3
    assert set(tally.refusals) <= {"worker_lost"}
    assert tally.refusals.total() <= tally.kills  # a process has one call at a time
