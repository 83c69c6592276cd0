"""The same calls to the embedded form, from as many clients: no queue, the same answers."""

from pathlib import Path

import pytest

from tests.end_to_end.services import environment_of, gateway
from tests.faults.parts import Template
from tests.load.clients import numbers, run_load
from tests.load.report import Tally


@pytest.mark.anyio
@pytest.mark.parametrize("calls", [pytest.param(300, id="sample"), pytest.param(2_000, id="deep", marks=pytest.mark.deep)])
async def test_calls_to_the_embedded_form(template: Template, tmp_path: Path, calls: int) -> None:
    tally = Tally("embedded")
    with gateway(environment_of(template.copy(tmp_path / "data")), tmp_path / "log") as url:
        await run_load(url, template.token, numbers(calls), tally)
    tally.report()
    assert tally.wrong == []
    assert (tally.calls, tally.answers) == (calls, calls)
