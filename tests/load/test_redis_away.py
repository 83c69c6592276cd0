"""Redis stopped under load: refusals meanwhile, answers afterwards without a restart, and nothing left in Redis that doesn't expire."""

import asyncio
import time
from pathlib import Path

import pytest

from shared.limits import ANSWER_TTL_S
from tests.faults.leftovers import STAYS, without_expiry
from tests.faults.parts import Deployment, Template
from tests.hosted.processes import is_alive, until
from tests.load.clients import DEADLINE_S, numbers, run_load
from tests.load.report import Tally

pytestmark = pytest.mark.anyio

MOST_CALLS = 50_000
"""Where the load ends whatever its clock says."""

AROUND_S = 1.0
"""Seconds of load before Redis is stopped, and after the first answer that follows its start."""

BACK_WITHIN_S = 5
"""Seconds from the start of an empty Redis to the first answer."""


@pytest.mark.rule("PLT-142")
@pytest.mark.parametrize(
    ("away_s", "gateway"),
    [
        # Calls whose message went with Redis end at their deadline: a sample's is short.
        pytest.param(2.0, "tests.faults.short_deadlines", id="sample"),
        pytest.param(10.0, "gateway.commands.main", id="deep", marks=[pytest.mark.deep, pytest.mark.timeout(200)]),
    ],
)
async def test_redis_stopped_under_load(template: Template, tmp_path: Path, away_s: float, gateway: str) -> None:
    deployment = Deployment(tmp_path / "parts", template.copy(tmp_path / "data"), template.token, gateway=gateway)
    tally = Tally(f"Redis stopped for {away_s:.0f} s")
    going = True
    try:
        parts = (deployment.gateways[0], deployment.reader)
        deployment.start(*parts)
        begun = [part.pid for part in parts]
        load = asyncio.create_task(run_load(deployment.url, deployment.token, numbers(MOST_CALLS), tally, lambda: going))
        await until(lambda: tally.answers > 0)
        await asyncio.sleep(AROUND_S)
        assert not tally.refusals
        deployment.redis.stop()
        await asyncio.sleep(away_s)
        # Callers that all waited for an answer when Redis went ask again at their deadline.
        await until(lambda: tally.refusals["queue_unavailable"] > 0, within_s=DEADLINE_S + 5)
        refused, answered = tally.refusals.total(), tally.answers
        deployment.redis.start()
        back = time.monotonic()
        await until(lambda: tally.answers > answered, within_s=BACK_WITHIN_S)
        tally.notes.append(f"first answer {time.monotonic() - back:.1f} s after Redis was back")
        await asyncio.sleep(AROUND_S)
        going = False
        async with asyncio.timeout(DEADLINE_S + 5):
            await load
        late = tally.refusals.total() - refused
        assert [part.pid for part in parts if is_alive(part.pid)] == begun
        await until(lambda: without_expiry(deployment.redis) == set())
        left = {key: deployment.redis.client.ttl(key) for key in deployment.redis.client.scan_iter() if not key.startswith(STAYS)}
        assert all(0 < seconds <= ANSWER_TTL_S for seconds in left.values()), left
        tally.notes.append(f"{late} of the refusals came after it; left: {len(left)} keys that expire")
    finally:
        deployment.end()
        tally.report()
    assert tally.wrong == []
    assert set(tally.refusals) <= {"queue_unavailable", "deadline_exceeded"}
