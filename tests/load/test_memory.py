"""Memory of gateway and workers after many calls is that after few: nothing is kept for a call that has ended."""

from pathlib import Path

import pytest

from tests.faults.parts import Deployment, Template
from tests.load.clients import numbers, run_load
from tests.load.report import Tally

pytestmark = pytest.mark.anyio


FIRST = 1_000
"""Calls after which everything that is filled once has been filled: pools, caches, the interpreter's own."""

CALLS = 10_000

GROWTH = 0.10
"""What memory may grow by from the one to the other."""


@pytest.mark.deep
@pytest.mark.timeout(600)
async def test_memory_does_not_grow_with_the_number_of_calls(template: Template, tmp_path: Path) -> None:
    deployment = Deployment(tmp_path / "parts", template.copy(tmp_path / "data"), template.token, gateway="gateway.commands.main")
    tally = Tally(f"memory after {FIRST} and {CALLS} calls")
    try:
        deployment.start(deployment.gateways[0], deployment.reader)
        parts = {"gateway": deployment.gateways[0], "reader and its pool": deployment.reader}
        await run_load(deployment.url, deployment.token, numbers(FIRST), tally)
        before = {name: part.memory_kib() for name, part in parts.items()}
        await run_load(deployment.url, deployment.token, numbers(CALLS - FIRST), tally)
        after = {name: part.memory_kib() for name, part in parts.items()}
        tally.notes += [f"{name} {kib / 1024:.0f} to {after[name] / 1024:.0f} MiB" for name, kib in before.items()]
    finally:
        deployment.end()
        tally.report()
    for name, kib in before.items():
        assert after[name] <= kib * (1 + GROWTH), tally.notes
    assert tally.wrong == []
    assert (tally.calls, tally.answers) == (CALLS, CALLS)
