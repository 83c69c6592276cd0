"""`read_code_context` in the gateway: what a call costs, and that its arguments are the worker's to judge."""

import json
from typing import Any

import pytest

from gateway.tools.read_code_context import SCAN_UNITS, TOOL, code_units
from gateway.tools.registry import TOOLS
from shared.budget import DEAREST_READ_CPU_S
from shared.tasks import READ_CODE_CONTEXT
from tests.contract.test_tools_snapshot import SNAPSHOT
from tests.unit.gateway.test_call_tool import ADMIN, OTHER, RecordingSender, tool_calls
from workers.context.secret_scan import MAX_SCAN_S

pytestmark = pytest.mark.anyio

NAME = "read_code_context"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.rule("PLT-86", "PLT-87")
@pytest.mark.parametrize(
    ("requests", "units"),
    [([{}], 7), ([{}] * 2, 7), ([{}] * 3, 8), ([{}] * 17, 15), ([{}] * 18, 15), ([{}] * 5_000, 15), ([], 6), (None, 7), ("x", 7),
     (json.dumps([{}] * 3), 8), ({"path": "a"}, 7), (5, 7)],
)  # fmt: skip
def test_a_call_costs_what_its_files_and_its_scans_can_take_of_a_cpu(requests: Any, units: int) -> None:
    assert code_units({"requests": requests}) == units


@pytest.mark.rule("PLT-87")
def test_a_unit_is_a_cpu_second_of_a_context_as_of_every_read() -> None:
    assert SCAN_UNITS * DEAREST_READ_CPU_S >= MAX_SCAN_S
    assert code_units({"requests": [{}] * 32}) * DEAREST_READ_CPU_S >= READ_CODE_CONTEXT.soft_s


async def test_a_call_that_costs_more_than_a_whole_window_is_told_so_and_not_to_wait() -> None:
    calls = tool_calls(RecordingSender(), rate_limit="6/60")
    answer = json.loads((await calls.call(NAME, {"requests": [{}]}, ADMIN)).text)
    assert (answer["error"], "retry_after" in answer) == ("rate_limited", False)
    assert "7 units" in answer["message"]
    assert json.loads((await calls.call("codekeeper_list_repos", {}, ADMIN)).text)["ok"] is True  # nothing was spent


@pytest.mark.rule("RCC-22", "RCC-46", "PLT-140", "PLT-143")
async def test_any_arguments_reach_the_worker_as_they_were_sent_and_no_caller_but_an_admin_does() -> None:
    sender = RecordingSender()
    calls = tool_calls(sender)
    sent = {"repo": 5, "maxTokens": "4000", "requests": "no list", "unknown": {"deep": [None]}, "continueFrom": None}
    refused = await calls.call(NAME, sent, OTHER)
    assert (refused.text.split(":")[0], refused.is_error, sender.calls) == ("admin_only", True, [])
    assert (await calls.call(NAME, sent, ADMIN)).is_error is False
    ((kind, call),) = sender.calls
    assert kind is READ_CODE_CONTEXT
    assert call.arguments == {**dict.fromkeys(("ref", "maxReadBytes")), **sent}
    assert TOOLS[NAME] is TOOL


@pytest.mark.rule("RCC-45")
def test_nothing_an_agent_is_told_claims_that_a_context_suffices() -> None:
    """The sibling for candidates with priorities is another tool; neither says that what fits is what is needed."""
    told = json.loads(SNAPSHOT.read_text(encoding="utf-8"))["admin"]
    (tool,) = (tool for tool in told["tools"] if tool["name"] == NAME)
    said = json.dumps([told["instructions"], tool]).lower()
    for claim in ("suffic", "enough", "all you need", "everything you need", "adequate", "no need to"):
        assert claim not in said
