"""The boundary around every task: refusals, our own defects and the net become answers, and exception text becomes none."""

import json
from typing import Any

import pytest
from celery.exceptions import Ignore, SoftTimeLimitExceeded

from shared.errors import ErrorCode, Refused
from shared.wire.call import Call
from shared.wire.list_repos import ListReposArguments
from workers import run_call as module
from workers.run_call import run_call

PAYLOAD = {
    "id": "call-1",
    "caller": {"user": "u", "scopes": ["read"], "admin": True},
    "entered": 1e9,
    "deadline": 2e9,
    "arguments": {"limit": 7},
}


def run(tool: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run_call(PAYLOAD, ListReposArguments, tool))
    return answer


def raising(error: BaseException) -> Any:
    def tool(_arguments: ListReposArguments, _call: Call) -> bytes:
        raise error

    return tool


def test_what_the_tool_returns_is_sent_untouched() -> None:
    sent = b'{"ok":true,"text":"\\u05e9"}'
    assert run_call(PAYLOAD, ListReposArguments, lambda arguments, call: sent) is sent
    seen = []
    run_call(PAYLOAD, ListReposArguments, lambda arguments, call: seen.append((arguments.limit, call.id)) or b"{}")
    assert seen == [(7, "call-1")]


def test_a_refusal_is_an_answer_with_its_fields() -> None:
    assert run(raising(Refused(ErrorCode.NOT_FOUND, ref="main"))) == {"ok": False, "error": "not_found", "ref": "main"}


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded(), MemoryError()])
def test_a_call_that_met_its_share_is_resource_limit_with_its_id(error: BaseException) -> None:
    answer = run(raising(error))
    assert (answer["ok"], answer["error"], answer["call_id"]) == (False, "resource_limit", "call-1")


@pytest.mark.parametrize("error", [RuntimeError("hunter2"), KeyError("hunter2"), RecursionError("hunter2"), UnicodeError("hunter2")])
def test_our_own_defect_is_internal_error_and_its_text_stays_in_the_log(error: BaseException) -> None:
    answer = run(raising(error))
    assert (answer["ok"], answer["error"], answer["call_id"]) == (False, "internal_error", "call-1")
    assert "hunter2" not in str(answer)


@pytest.mark.rule("PLT-97")
def test_an_answer_over_the_budget_is_replaced_by_the_nets_refusal_and_one_within_it_is_not() -> None:
    over = b'{"ok":true,"x":"' + b"x" * 256_000 + b'"}'
    assert run(lambda arguments, call: over) == {"ok": False, "error": "answer_too_large", "bytes": len(over), "max": 256_000}
    exact = over[: 256_000 - 2] + b'"}'
    assert run_call(PAYLOAD, ListReposArguments, lambda arguments, call: exact) is exact
    fat = run(raising(Refused(ErrorCode.NOT_FOUND, ref="r" * 300_000)))  # a refusal included
    assert fat["error"] == "answer_too_large"


def test_a_call_whose_client_went_away_while_it_ran_is_answered_nothing() -> None:
    with pytest.raises(Ignore):
        run(raising(Ignore()))


def test_a_call_whose_client_went_away_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "was_cancelled", lambda call_id: call_id == "call-1")
    with pytest.raises(Ignore):
        run_call(PAYLOAD, ListReposArguments, raising(AssertionError("it ran")))
