"""A batch in the gateway: how many items it may have, what they cost and in which order that is found out, and how the tool is shown."""

import json
from typing import Any

import pytest
from structlog.testing import capture_logs

from gateway.checks.gates import is_shown_to
from gateway.tools.registry import TOOLS
from shared.tasks import READ, READ_BATCH
from shared.wire.read_batch import FileItem, ReadBatchArguments, SectionItem
from tests.unit.gateway.test_call_tool import ADMIN, OTHER, RecordingSender, tool_calls

pytestmark = pytest.mark.anyio

BATCH = "codekeeper_read_batch"
ITEM = {"kind": "file", "repo": "r", "path": "p"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.rule("BAT-22")
@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({}, {"error": "missing_items"}),
        ({"items": []}, {"error": "missing_items"}),
        ({"items": None}, {"error": "missing_items"}),
        ({"items": "[]"}, {"error": "missing_items"}),
        ({"items": [ITEM] * 21}, {"error": "too_many_items", "max": 20, "actual": 21}),
        ({"items": [None] * 5_000, "ref": "x"}, {"error": "too_many_items", "max": 20, "actual": 5_000}),
        ({"items": json.dumps([ITEM] * 21)}, {"error": "too_many_items", "max": 20, "actual": 21}),
    ],
)
@pytest.mark.parametrize("caller", [ADMIN, OTHER])
async def test_none_or_too_many_items_is_said_before_the_rate_limit_the_gate_and_the_arguments(
    arguments: dict[str, Any], refusal: dict[str, Any], caller: Any
) -> None:
    sender = RecordingSender()
    calls = tool_calls(sender, rate_limit="1/600")
    for _ in range(2):  # it costs nothing
        answer = await calls.call(BATCH, arguments, caller)
        assert (json.loads(answer.text), answer.is_error) == ({"ok": False, **refusal}, False)
    assert sender.calls == []


@pytest.mark.rule("PLT-66", "BAT-6")
async def test_then_the_rate_limit_then_the_gate_then_the_arguments() -> None:
    sender = RecordingSender()
    calls = tool_calls(sender, rate_limit="6/600")
    wrong = {"items": [ITEM] * 2, "ref": "main"}
    gate = await calls.call(BATCH, wrong, OTHER)
    assert (gate.text.split(":")[0], gate.is_error) == ("admin_only", True)
    arguments = await calls.call(BATCH, wrong, ADMIN)
    assert (json.loads(arguments.text)["error"], json.loads(arguments.text)["arguments"]) == ("unknown_argument", ["ref"])
    for items in ("x", 5, {"kind": "file"}):
        refused = json.loads((await calls.call(BATCH, {"items": items}, ADMIN)).text)
        assert (refused["error"], [problem["where"] for problem in refused["problems"]]) == ("invalid_arguments", ["items"])
    assert json.loads((await calls.call(BATCH, wrong, ADMIN)).text)["error"] == "rate_limited"  # of 6 units 1 is left
    assert sender.calls == []


@pytest.mark.rule("BAT-85", "BAT-86", "BAT-87", "PLT-86")
async def test_a_batch_costs_a_unit_an_item_all_or_none_and_gives_none_back() -> None:
    sender = RecordingSender(answer=b'{"ok":true,"count":0,"items":[],"unread":[0,1,2,3,4,5],"unread_reason":"timeout"}')
    calls = tool_calls(sender, rate_limit="10/600")
    assert json.loads((await calls.call(BATCH, {"items": [ITEM] * 6}, ADMIN)).text)["count"] == 0
    refused = json.loads((await calls.call(BATCH, {"items": [ITEM] * 5}, ADMIN)).text)
    assert (refused["ok"], refused["error"]) == (False, "rate_limited")
    assert 1 <= refused["retry_after"] <= 600
    assert len(sender.calls) == 1  # nothing was read
    for _ in range(4):  # the units that the refused batch would have cost are still there, and not one of the first batch's
        assert json.loads((await calls.call("codekeeper_list_repos", {}, ADMIN)).text)["ok"] is True
    assert json.loads((await calls.call("codekeeper_list_repos", {}, ADMIN)).text)["error"] == "rate_limited"


@pytest.mark.rule("BAT-20", "BAT-88")
async def test_items_reach_the_worker_as_they_were_sent_and_the_call_is_one_line_of_the_log() -> None:
    sender = RecordingSender()
    items = [ITEM, {"kind": "file", "lines": [True, 5]}, "no item", None, {"kind": "section", "path": "\ud800", "x": {"y": [1.5]}}]
    with capture_logs() as logs:
        await tool_calls(sender).call(BATCH, {"items": items}, ADMIN)
        await tool_calls(sender).call(BATCH, {"items": json.dumps(items)}, ADMIN)
    assert [(entry["event"], entry["tool"]) for entry in logs] == [("tool_called", BATCH)] * 2
    for kind, call in sender.calls:
        assert kind is READ_BATCH
        assert call.deadline == call.entered + 35
        assert ReadBatchArguments.model_validate(json.loads(json.dumps(call.model_dump(mode="json")))["arguments"]).items == items


@pytest.mark.rule("BAT-3", "BAT-4", "BAT-5", "BAT-7", "BAT-72", "BAT-74", "PLT-93", "PLT-94")
def test_it_is_an_admins_reading_tool_with_a_declared_size_on_the_queue_of_reads() -> None:
    tool = TOOLS[BATCH]
    assert (tool.admin, tool.writes, tool.kind.queue) == (True, False, READ)
    assert (is_shown_to(tool, ADMIN), is_shown_to(tool, OTHER), is_shown_to(tool, None)) == (True, False, False)
    for name in (BATCH, "codekeeper_get_repo_file", "codekeeper_docs_get_section", "codekeeper_list_repo_tree"):
        assert TOOLS[name].meta() == {"anthropic/maxResultSizeChars": 256_000}


@pytest.mark.rule("BAT-8", "BAT-12", "BAT-15", "BAT-19")
def test_the_schema_that_is_shown_is_that_of_the_models_that_judge() -> None:
    shown = TOOLS[BATCH].input_schema()["properties"]["items"]
    assert (shown["minItems"], shown["maxItems"]) == (1, 20)
    judges = {"section": SectionItem, "file": FileItem}
    for variant, (kind, model) in zip(shown["items"]["anyOf"], judges.items(), strict=True):
        judged = model.model_json_schema()
        assert variant["properties"]["kind"]["const"] == kind
        assert (variant["additionalProperties"], variant["required"]) == (judged["additionalProperties"], judged["required"])
        assert variant["properties"] == {
            name: {key: value for key, value in field.items() if key != "title"} for name, field in judged["properties"].items()
        }
    assert [list(variant["properties"]) for variant in shown["items"]["anyOf"]] == [
        ["kind", "path", "section", "repo"], ["kind", "repo", "path", "lines"],
    ]  # fmt: skip
