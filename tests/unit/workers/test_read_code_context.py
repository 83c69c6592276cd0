"""`read_code_context` as a function: the rounds of a session, what is refused and what that costs, and when nothing is committed."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from celery.exceptions import Ignore

from shared.code_sessions.memory import memory_sessions
from shared.code_sessions.session import run_id_of
from shared.errors import ErrorCode, Refused
from shared.forgotten_calls import note_ended, note_forgotten
from shared.limits import CODE_RESOURCE_BYTES_MAX
from shared.wire.call import Call, Caller
from shared.wire.read_code_context import ReadCodeContextArguments
from tests.git_repositories import commit_files, git_line, new_repository
from tests.service import Service, running_service
from tests.unit.workers.context.calls import tiktokens
from workers import resources
from workers.context import CodeContextPlan, CodeContextSpec, ContextOptions, MirrorCommit, read_code_context
from workers.tasks import read_code_context as module

SECRET = b"-----BEGIN RSA PRIVATE KEY-----\n"
PLANTED = "planted_5f3a"
OTHER = {"path": "other.txt", "full": True}
FILES = {
    "other.txt": b"nothing of note\n",
    "a.py": f"LIMIT = 3\n\n\ndef first(x):\n    return second(x, LIMIT)  # {PLANTED}\n\n\ndef second(x, y):\n    return x, y\n".encode(),
    "b.ts": f"export function add(a: number, b: number) {{ return a + b; }} // {PLANTED}\n".encode() * 2,
    "c.txt": "שורה\r\nline\n".encode() * 40,
    "key.txt": SECRET,
    ".env": b"x\n",
}
A = {"path": "a.py", "full": True}
FIRST = {"repo": "case", "requests": [A]}


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch) as running:
        commit_files(new_repository(running.mirror("case")), FILES)
        running.add("case", "https://h/case", "main")
        yield running
    resources.secret_paths.cache_clear()


@dataclass
class User:
    """Somebody who calls the tool, and reads its resources where the gateway does."""

    name: str = "ann"
    calls: list[Call] = field(default_factory=list)

    def call(self, *, within_s: float = 20, **arguments: Any) -> dict[str, Any]:
        caller = Caller(user=self.name, scopes=frozenset({"read"}), admin=True)
        call_id = f"{self.name}-{len(self.calls)}"
        call = Call(id=call_id, caller=caller, entered=time.time(), deadline=time.time() + within_s, arguments=arguments)
        self.calls.append(call)
        try:
            sent = module.read_code_context(ReadCodeContextArguments.model_validate(arguments), call)
        except Refused as refused:
            return dict(refused.answer())
        answer: dict[str, Any] = json.loads(sent)
        return answer

    def document(self, uri: str) -> str | None:
        run_id = run_id_of(uri)
        assert run_id is not None
        found = memory_sessions().read(self.name, run_id)
        return None if found is None else found.text

    def resources(self) -> list[str]:
        return [run_id for run_id, _ in memory_sessions().listed(self.name)]

    def error(self, **arguments: Any) -> str:
        """The code of a refusal, which changed nothing and gives no source away."""
        before = memory_sessions().listed(self.name)
        answer = self.call(**arguments)
        assert answer["ok"] is False
        assert answer["message"]
        assert PLANTED not in json.dumps(answer)
        assert memory_sessions().listed(self.name) == before
        return str(answer["error"])


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-23", "RCC-30", "RCC-31", "RCC-32", "RCC-34", "RCC-47")
def test_three_rounds_are_charged_what_they_deliver_and_each_replaces_the_resource_before() -> None:
    ann = User()
    spent, answers = 0, []
    for number, request in enumerate(({"path": "a.py", "symbols": ["first"]}, {"path": "b.ts", "full": True}, A), start=1):
        where = {"repo": "case", "maxTokens": 2_000} if number == 1 else {"continueFrom": answers[-1]["runId"]}
        answer = ann.call(**where, requests=[request])
        text = ann.document(answer["resource"])
        assert text is not None
        spent += tiktokens(text)
        run_id = answer["runId"]
        assert answer == {
            "ok": True, "status": "complete", "runId": run_id, "round": number, "tokens": tiktokens(text), "sessionTokens": spent,
            "remainingTokens": 2_000 - spent, "resource": f"codekeeper://code/{run_id}/code.json",
        }  # fmt: skip
        assert ann.resources() == [run_id]
        answers.append(answer)
    assert len({answer["runId"] for answer in answers}) == 3
    assert ann.document(answers[1]["resource"]) is None
    assert ann.error(continueFrom=answers[1]["runId"], requests=[A]) == "StaleCodeSession"
    assert ann.error(continueFrom=answers[2]["runId"], requests=[A]) == "CodeRoundLimit"
    assert ann.document(answers[2]["resource"]) is not None


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-30", "RCC-33", "RCC-34", "RCC-35")
def test_a_session_ends_at_its_budget_and_only_a_new_one_has_more(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = User()
    price = ann.call(**FIRST)["tokens"]
    begun = ann.call(**FIRST, maxTokens=price + 10)
    assert begun["remainingTokens"] == 10
    over = ann.call(continueFrom=begun["runId"], requests=[A])
    assert (over["error"], over["status"], over["requiredTokens"], over["remainingTokens"]) == ("over_budget", "over_budget", price, 10)
    assert ann.error(continueFrom=begun["runId"], requests=[A]) == "over_budget"
    assert ann.error(continueFrom=begun["runId"], requests=[A], maxTokens=5_000) == "InvalidCodeSpec"
    assert ann.document(begun["resource"]) is not None
    spent = ann.call(**FIRST, maxTokens=price)
    assert (spent["ok"], spent["remainingTokens"]) == (True, 0)
    assert ann.error(continueFrom=spent["runId"], requests=[A]) == "CodeBudgetExhausted"
    assert ann.error(**FIRST, maxTokens=price - 1) == "over_budget"
    assert ann.call(**FIRST)["remainingTokens"] == 8_000 - price  # the host's cap, in a new session
    monkeypatch.setattr(module, "settings", lambda: resources.settings().model_copy(update={"code_context_tokens": 500}))
    assert ann.call(**FIRST)["remainingTokens"] == 500 - price
    assert ann.error(**FIRST, maxTokens=501) == "InvalidCodeSpec"


@pytest.mark.rule("RCC-20", "RCC-22", "RCC-30", "RCC-46", "RCC-47", "PLT-140")
@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({}, "repo"),
        ({"requests": [A]}, "repo"),
        ({"repo": "  ", "requests": [A]}, "repo"),
        ({"repo": 5, "requests": [A]}, "repo"),
        ({**FIRST, "ref": ["main"]}, "ref"),
        ({**FIRST, "ref": False}, "ref"),
        ({"repo": "case"}, "requests"),
        ({"repo": "case", "requests": []}, "requests"),
        ({"repo": "case", "requests": "a.py"}, "requests"),
        ({"repo": "case", "requests": [{"path": "a.py"}]}, "requests[0]"),
        ({"repo": "case", "requests": [A, {"path": "../s3cret", "full": True}]}, "requests[1].path"),
        ({"repo": "case", "requests": [A, A]}, "requests"),
        ({**FIRST, "maxTokens": "4000"}, "maxTokens"),
        ({**FIRST, "maxTokens": True}, "maxTokens"),
        ({**FIRST, "maxTokens": 8_001}, "maxTokens"),
        ({**FIRST, "maxReadBytes": 16 * 1024 * 1024 + 1}, "maxReadBytes"),
        ({**FIRST, "paths": ["s3cret"]}, "arguments"),
        ({**FIRST, "s3cret": None}, "arguments"),
        ({"continueFrom": "", "requests": [A]}, "continueFrom"),
        ({"continueFrom": 7, "requests": [A]}, "continueFrom"),
        ({"continueFrom": "a" * 22}, "requests"),
        ({"continueFrom": "a" * 22, "requests": [A], "repo": "s3cret"}, "repo"),
        ({"continueFrom": "a" * 22, "requests": [A], "ref": "s3cret"}, "ref"),
        ({"continueFrom": "a" * 22, "requests": [A], "maxTokens": 10}, "maxTokens"),
    ],
)
def test_an_invalid_call_names_the_argument_and_no_value_before_anything_is_read(arguments: dict[str, Any], names: str) -> None:
    answer = User().call(**arguments)
    assert answer.keys() == {"ok", "error", "message"}
    assert (answer["ok"], answer["error"]) == (False, "InvalidCodeSpec")
    assert answer["message"].startswith(f"{names}: ")
    assert "s3cret" not in answer["message"]


@pytest.mark.usefixtures("service")
def test_null_is_not_sent_and_a_list_may_come_as_a_string_of_json() -> None:
    ann = User()
    begun = ann.call(repo="case", ref=None, maxTokens=None, maxReadBytes=None, continueFrom=None, requests=json.dumps([A]))
    assert (begun["ok"], begun["round"]) == (True, 1)
    follow_up = ann.call(repo=None, ref=None, maxTokens=None, continueFrom=begun["runId"], requests=[A])
    assert (follow_up["ok"], follow_up["round"]) == (True, 2)


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-13", "RCC-33", "RCC-46", "RCC-47")
@pytest.mark.parametrize(
    ("request_", "reason", "advice"),
    [
        ({"path": "nowhere.py", "full": True}, "not-found", "codekeeper_list_repo_tree"),
        ({"path": "a.py", "symbols": ["third"]}, "symbol-not-found", "outline"),
        ({"path": "b.ts", "symbols": ["add"]}, "ambiguous-symbol", "ranges"),
        ({"path": "a.py", "ranges": [{"startLine": 9, "endLine": 99}]}, "range-out-of-bounds", "totalLines"),
        ({"path": "c.txt", "outline": True}, "unsupported-language", "ranges or full"),
        ({"path": "key.txt", "full": True}, "security-excluded", ""),
        ({"path": ".env", "full": True}, "security-excluded", ""),
    ],
)
def test_what_cant_be_had_is_named_with_what_to_do_and_costs_nothing(request_: dict[str, Any], reason: str, advice: str) -> None:
    ann = User()
    begun = ann.call(**FIRST)
    for where in ({"repo": "case"}, {"continueFrom": begun["runId"]}):
        asked = {**where, "requests": [OTHER, request_]}
        assert ann.error(**asked) == "unavailable"
        answer = ann.call(**asked)
        assert (answer["status"], answer["audit"]["requests"][1]["reason"]) == ("unavailable", reason)
        assert answer["message"].startswith(f"requests[1]: {reason}.")
        assert advice in answer["message"]
    assert ann.call(continueFrom=begun["runId"], requests=[A])["round"] == 2


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-46", "REF-24", "REF-36")
def test_repositories_and_refs_are_refused_as_by_every_tool() -> None:
    ann = User()
    for arguments, code in (
        ({"repo": "nowhere"}, ErrorCode.REPO_NOT_MIRRORED),
        ({"repo": "../case"}, ErrorCode.INVALID_INPUT),
        ({"repo": "case", "ref": "nosuch"}, ErrorCode.REF_NOT_MIRRORED),
        ({"repo": "case", "ref": "-bad"}, ErrorCode.INVALID_REF),
    ):
        assert ann.error(**arguments, requests=[A]) == code
    assert ann.call(repo="case", ref="r" * 5_000, requests=[A])["error"] == ErrorCode.REF_TOO_LONG
    assert ann.call(repo="case", ref="", requests=[A])["ok"] is True


@pytest.mark.rule("RCC-44", "RCC-46")
def test_every_round_reads_the_first_ones_commit_under_the_first_ones_ref(service: Service) -> None:
    ann, mirror = User(), service.mirror("case")
    was = git_line(mirror, "rev-parse", "main")
    begun = ann.call(repo="case", ref="main", requests=[A])
    commit_files(mirror, {"a.py": b"other = 1\n"})
    for number in (2, 3):
        begun = ann.call(continueFrom=begun["runId"], requests=[A])
        document = json.loads(ann.document(begun["resource"]) or "")
        assert (begun["round"], document["files"][0]["full"]) == (number, FILES["a.py"].decode())
        assert {name: document["audit"][name] for name in ("repo", "ref", "commit")} == {"repo": "case", "ref": "main", "commit": was}
    new = ann.call(**FIRST)
    assert "other" in (ann.document(new["resource"]) or "")


@pytest.mark.rule("RCC-34", "RCC-46")
def test_a_session_whose_commit_left_the_mirror_is_stale(service: Service) -> None:
    ann, mirror = User(), service.mirror("case")
    begun = ann.call(**FIRST)
    tree = git_line(mirror, "rev-parse", "main^{tree}")
    git_line(mirror, "update-ref", "refs/heads/main", git_line(mirror, "commit-tree", tree, "-m", "rewritten"))
    git_line(mirror, "gc", "-q", "--prune=now")
    assert ann.error(continueFrom=begun["runId"], requests=[A]) == "StaleCodeSession"


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-34")
def test_unknown_foreign_and_malformed_run_ids_are_stale_alike() -> None:
    ann, bob = User(), User("bob")
    begun = ann.call(**FIRST)
    answers = [bob.call(continueFrom=run_id, requests=[A]) for run_id in (begun["runId"], "a" * 22, "no run id", "\ud800", "x" * 10_000)]
    assert {answer["error"] for answer in answers} == {"StaleCodeSession"}
    assert len({json.dumps(answer) for answer in answers}) == 1
    assert bob.document(begun["resource"]) is None
    assert ann.call(continueFrom=begun["runId"], requests=[A])["round"] == 2


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-36")
def test_a_session_that_is_read_is_busy_for_others_and_free_again_whatever_became_of_the_read(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = User()
    begun = ann.call(**FIRST)
    follow_up = {"continueFrom": begun["runId"], "requests": [A]}
    seen: list[dict[str, Any]] = []

    def meanwhile(options: ContextOptions, source: MirrorCommit, spec: CodeContextSpec) -> CodeContextPlan:
        monkeypatch.setattr(module, "planned", read_code_context)
        seen.append(ann.call(**follow_up))
        return read_code_context(options, source, spec)

    for request, became in (({"path": "nowhere", "full": True}, False), (A, True)):
        monkeypatch.setattr(module, "planned", meanwhile)
        assert ann.call(continueFrom=begun["runId"], requests=[request])["ok"] is became
    assert [(answer["error"], answer["retry_after"] > 0) for answer in seen] == [("Busy", True)] * 2
    monkeypatch.setattr(module, "planned", meanwhile)
    assert ann.call(**FIRST)["ok"] is True  # a first read holds nothing, and takes nothing from another session
    assert seen[2]["error"] == "StaleCodeSession"


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-33")
def test_a_call_that_is_cancelled_or_late_before_its_commit_changes_nothing() -> None:
    ann = User()
    begun = ann.call(**FIRST)
    for arguments in (FIRST, {"continueFrom": begun["runId"], "requests": [A]}):
        call_id = f"ann-{len(ann.calls)}"
        note_forgotten(call_id)
        with pytest.raises(Ignore):
            ann.call(**arguments)
        note_ended(call_id)
        assert ann.call(**arguments, within_s=-1)["error"] == "deadline_exceeded"
        assert ann.resources() == [begun["runId"]]
    assert ann.call(continueFrom=begun["runId"], requests=[A])["round"] == 2


@pytest.mark.usefixtures("service")
@pytest.mark.rule("RCC-36")
def test_a_document_longer_than_a_resource_may_be_is_refused_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CODE_RESOURCE_BYTES_MAX == 4 * 1024 * 1024
    ann = User()
    whole = ann.call(repo="case", requests=[{"path": "c.txt", "full": True}])
    size = len((ann.document(whole["resource"]) or "").encode())
    monkeypatch.setattr(module, "CODE_RESOURCE_BYTES_MAX", size)
    assert ann.call(repo="case", requests=[{"path": "c.txt", "full": True}])["ok"] is True
    monkeypatch.setattr(module, "CODE_RESOURCE_BYTES_MAX", size - 1)
    assert ann.error(repo="case", requests=[{"path": "c.txt", "full": True}]) == "answer_too_large"


@pytest.mark.rule("PLT-97", "RCC-33")
def test_an_audit_too_long_for_an_answer_gives_up_its_matches_and_no_reason(service: Service) -> None:
    names = [f"{'long_name_' * 24}{number:03}" for number in range(60)]
    module_of = "".join(f"def {name}(): return {', '.join(names[place + 1 :][:8])}\n" for place, name in enumerate(names)).encode()
    commit_files(service.mirror("case"), {f"{number}.py": module_of for number in range(32)})
    requests = [{"path": f"{number}.py", "symbols": [names[0]], "includeDependencies": True} for number in range(32)]
    answer = User().call(repo="case", requests=requests)
    assert answer["error"] == "over_budget"
    assert answer["requiredTokens"] > 8_000
    assert len(json.dumps(answer)) < 256_000
    assert answer["audit"]["matchesLeftOut"] is True
    assert [one["path"] for one in answer["audit"]["requests"]] == [f"{number}.py" for number in range(32)]
    missing = User().call(repo="case", requests=[*requests[:31], {"path": "nowhere", "full": True}])
    assert missing["audit"]["requests"][31] == {"path": "nowhere", "status": "unavailable", "reason": "not-found"}
