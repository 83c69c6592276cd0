"""The ladder of checks in front of a task: the first refusal decides, and what is refused costs no task."""

import asyncio
import json
import time
from typing import Any

import pytest

from gateway.call_tool import ToolCalls
from gateway.checks import gates
from gateway.checks.rate_limit import RateLimit
from gateway.dispatch.dispatcher import Dispatcher
from gateway.tools.registry import TOOLS
from gateway.tools.tool import Tool
from shared.errors import Refused
from shared.settings import Settings
from shared.tasks import GET_REPO_FILE, TASKS, TaskKind
from shared.wire.call import Call, Caller
from shared.wire.list_repos import ListReposArguments

pytestmark = pytest.mark.anyio

ADMIN = Caller(user="root", scopes=frozenset({"read"}), admin=True)
OTHER = Caller(user="dana", scopes=frozenset({"read"}), admin=False)
READ = {"repo": "r", "path": "p"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class RecordingSender:
    """A `TaskSender` that answers at once, or never, or with an exception, and records what it was asked."""

    def __init__(self, answer: bytes | None = b'{"ok":true}', error: Exception | None = None) -> None:
        self.calls: list[tuple[TaskKind, Call]] = []
        self.forgotten: list[str] = []
        self._answer, self._error = answer, error
        self.submitted = asyncio.Event()

    async def open(self) -> None:
        return

    async def close(self) -> None:
        return

    async def submit(self, kind: TaskKind, call: Call) -> asyncio.Future[bytes]:
        self.calls.append((kind, call))
        if self._error is not None:
            raise self._error
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        if self._answer is not None:
            future.set_result(self._answer)
        self.submitted.set()
        return future

    async def forget(self, call_id: str) -> None:
        self.forgotten.append(call_id)

    async def send(self, kind: TaskKind, *arguments: str | bool) -> None:
        raise AssertionError((kind, arguments))


def tool_calls(sender: RecordingSender, rate_limit: str = "1000/60", max_in_flight: int = 10) -> ToolCalls:
    return ToolCalls(RateLimit(Settings(rate_limit=rate_limit)), Dispatcher(sender, max_in_flight))


@pytest.mark.rule("PLT-66", "GRF-1")
async def test_each_refusal_comes_before_the_next_check_and_before_any_task() -> None:
    sender = RecordingSender()
    calls = tool_calls(sender, rate_limit="3/600")
    wrong = {"nonsense": 1}
    gate = await calls.call("codekeeper_get_repo_file", wrong, OTHER)  # gate before arguments: the schema stays unknown
    assert (gate.text.split(":")[0], gate.is_error) == ("admin_only", True)
    arguments = await calls.call("codekeeper_get_repo_file", wrong, ADMIN)
    assert ('"unknown_argument"' in arguments.text, arguments.is_error) == (True, True)
    for _ in range(2):
        await calls.call("codekeeper_get_repo_file", wrong, OTHER)
    limited = await calls.call("codekeeper_get_repo_file", wrong, OTHER)  # the rate limit before the gate
    assert '"rate_limited"' in limited.text
    assert sender.calls == []


@pytest.mark.rule("PLT-67", "BAT-76")
async def test_a_call_reaches_the_worker_with_its_caller_deadline_and_arguments_and_comes_back_untouched() -> None:
    sender = RecordingSender(answer='{"ok":true,"content":"שלום"}'.encode())
    before = time.time()
    answer = await tool_calls(sender).call("codekeeper_get_repo_file", {**READ, "lines": [1, 2]}, ADMIN)
    assert (answer.text, answer.is_error) == ('{"ok":true,"content":"שלום"}', False)
    ((kind, call),) = sender.calls
    assert kind is GET_REPO_FILE
    assert call.caller == ADMIN
    assert before <= call.entered <= time.time()
    assert call.deadline == call.entered + 20
    not_sent = {"ref": None, "outline": False, "symbol": None, "page": 1, "per_page": 100}
    assert call.arguments == {"repo": "r", "path": "p", "lines": [1, 2], **not_sent}
    assert sender.forgotten == []


@pytest.mark.rule("PLT-142")
async def test_a_full_gateway_refuses_and_takes_calls_again_afterwards() -> None:
    sender = RecordingSender(answer=None)
    calls = tool_calls(sender, max_in_flight=1)
    first = asyncio.create_task(calls.call("codekeeper_list_repos", {}, ADMIN))
    await sender.submitted.wait()
    full = await calls.call("codekeeper_list_repos", {}, ADMIN)
    assert full.text == '{"ok":false,"error":"queue_full","retry_after":5}'
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert sender.forgotten == [sender.calls[0][1].id]  # the client went away: its task is told
    sender._answer = b"{}"
    assert (await calls.call("codekeeper_list_repos", {}, ADMIN)).text == "{}"


@pytest.mark.rule("PLT-69", "PLT-142")
async def test_at_the_deadline_the_caller_is_answered_whatever_the_worker_does(monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = TaskKind("codekeeper.list_repos", "read", soft_s=1, hard_s=1, deadline_s=0)
    tool = Tool("slow", "t", "d", ListReposArguments, hasty, admin=True)
    monkeypatch.setattr("gateway.call_tool.TOOLS", {"slow": tool})
    sender = RecordingSender(answer=None)
    late = await tool_calls(sender).call("slow", {}, ADMIN)
    assert late.text == '{"ok":false,"error":"deadline_exceeded","retry_after":5}'
    assert len(sender.forgotten) == 1


@pytest.mark.rule("PLT-142")
async def test_a_write_without_an_answer_may_have_applied_and_is_not_to_be_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = TaskKind("codekeeper.save_file", "read", soft_s=1, hard_s=1, deadline_s=0, check_with="codekeeper_list_versions")
    tool = Tool("slow", "t", "d", ListReposArguments, hasty, admin=False, writes=True)
    monkeypatch.setattr("gateway.call_tool.TOOLS", {"slow": tool})
    writer = Caller(user="w", scopes=frozenset({"read", "write"}), admin=False)
    late = json.loads((await tool_calls(RecordingSender(answer=None)).call("slow", {}, writer)).text)
    assert "codekeeper_list_versions" in late.pop("message")
    assert late == {"ok": False, "error": "deadline_exceeded", "may_have_applied": True, "check_with": "codekeeper_list_versions"}


async def test_our_own_defect_is_internal_error_with_the_calls_id_and_no_exception_text() -> None:
    sender = RecordingSender(error=RuntimeError("password=hunter2 in /srv/secret"))
    answer = await tool_calls(sender).call("codekeeper_list_repos", {}, ADMIN)
    assert '"internal_error"' in answer.text
    assert sender.calls[0][1].id in answer.text
    assert "hunter2" not in answer.text


def closed_to(caller: Caller, tool: Tool) -> str | None:
    """The code that the gate refuses the caller with; None when it is open."""
    try:
        gates.check_gate(tool, caller)
    except Refused as refused:
        return refused.code
    return None


@pytest.mark.rule("PLT-65")
def test_every_tool_that_is_hidden_refuses_a_non_admin() -> None:
    hidden = [tool for tool in TOOLS.values() if not gates.is_shown_to(tool, OTHER)]
    assert {tool.name for tool in hidden} == {tool.name for tool in TOOLS.values() if tool.admin}
    assert {closed_to(OTHER, tool) for tool in hidden} == {"admin_only"}
    may_write = ADMIN.model_copy(update={"scopes": frozenset({"read", "write"})})
    assert {closed_to(may_write, tool) for tool in hidden} == {None}
    assert not any(gates.is_shown_to(tool, None) for tool in hidden)


@pytest.mark.rule("PLT-61")
def test_a_writing_tool_needs_the_scope_write() -> None:
    tool = Tool("w", "t", "d", ListReposArguments, GET_REPO_FILE, admin=False, writes=True)
    assert closed_to(ADMIN, tool) == "insufficient_scope"
    writer = Caller(user="w", scopes=frozenset({"read", "write"}), admin=False)
    assert closed_to(writer, tool) is None
    both = Tool("w", "t", "d", ListReposArguments, GET_REPO_FILE, admin=True, writes=True)
    assert closed_to(writer, both) == "admin_only"


def test_every_tool_has_a_task_of_the_table_with_a_deadline() -> None:
    for tool in TOOLS.values():
        assert tool.kind in TASKS
        assert tool.kind.deadline_s
        assert tool.writes == (tool.kind.check_with is not None), "a write names the tool to look with"
        assert tool.kind.check_with is None or not TOOLS[tool.kind.check_with].writes


@pytest.mark.rule("PLT-85", "PLT-86")
async def test_units_are_taken_all_or_none_and_per_user() -> None:
    limit = RateLimit(Settings(rate_limit="10/600"))
    await limit.spend("a", 8)
    with pytest.raises(Exception, match="rate_limited"):
        await limit.spend("a", 3)
    await limit.spend("a", 2)
    await limit.spend("b", 10)
    with pytest.raises(Exception, match="rate_limited") as refused:
        await limit.spend("b", 1)
    fields: dict[str, Any] = refused.value.fields  # type: ignore[attr-defined]
    assert 1 <= fields["retry_after"] <= 600
