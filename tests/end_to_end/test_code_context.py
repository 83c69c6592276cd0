"""Reading sessions as a client has them, in both forms: the summary, the resource, two follow-ups, and everybody else kept out."""

import json
from typing import Any

import pytest
from mcp import MCPError

from tests.end_to_end.services import Connection, Service
from tests.git_repositories import CASES
from workers.tokens.encoding import encoding

TOOL = "read_code_context"
PARSE = (CASES / "12-ts-overloads" / "parse.ts").read_text(encoding="utf-8")
CARD = (CASES / "11-tsx-arrow-components" / "Card.tsx").read_text(encoding="utf-8")
MARKERS = (CASES / "01-token-special-literals" / "markers.py").read_text(encoding="utf-8")

ROUNDS: list[dict[str, Any]] = [
    {"path": "parse.ts", "symbols": ["Reader.read"], "includeDependencies": True},
    {"path": "parse.ts", "outline": True},
    {"path": "parse.ts", "ranges": [{"startLine": 20, "endLine": 20}, {"startLine": 1, "endLine": 2}]},
]


def call(connection: Connection, **arguments: Any) -> dict[str, Any]:
    reply = connection.call(TOOL, **arguments)
    assert reply.is_error is False
    return reply.json


def tiktokens(text: str) -> int:
    return len(encoding().encode_ordinary(text))


def is_gone(connection: Connection, uri: str) -> bool:
    with pytest.raises(MCPError, match="not found"):
        connection.document(uri)
    return uri not in {one.uri for one in connection.resources()}


@pytest.mark.rule("RCC-24", "RCC-25", "RCC-31", "RCC-32", "RCC-34", "RCC-46", "RCC-47")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_session_of_three_rounds(service: Service, mode: str) -> None:
    ours, theirs = service.connection(mode=mode), service.connection("colleague", mode)
    answer: dict[str, Any] = {}
    spent = 0
    for number, request in enumerate(ROUNDS, start=1):
        where = {"repo": "case-12", "maxTokens": 3_000} if number == 1 else {"continueFrom": answer["runId"]}
        before, answer = answer, call(ours, **where, requests=[request])
        text = ours.document(answer["resource"])
        document = json.loads(text)
        spent += tiktokens(text)
        assert (answer["tokens"], answer["sessionTokens"], answer["remainingTokens"]) == (tiktokens(text), spent, 3_000 - spent)
        assert (answer["status"], answer["round"]) == ("complete", number)
        assert (document["schemaVersion"], document["audit"]["repo"], document["audit"]["security"]) == (1, "case-12", "Passed")
        (newest, *_) = ours.resources()
        assert (newest.uri, newest.size, newest.mime_type) == (answer["resource"], len(text.encode()), "application/json")
        assert is_gone(theirs, answer["resource"])
        assert call(theirs, continueFrom=answer["runId"], requests=[request])["error"] == "StaleCodeSession"
        if before:
            assert is_gone(ours, before["resource"])
            assert call(ours, continueFrom=before["runId"], requests=[request])["error"] == "StaleCodeSession"
    lines = PARSE.split("\n")
    assert [one["text"] for one in document["files"][0]["fragments"]] == ["\n".join(lines[0:2]), lines[19]]
    assert call(ours, continueFrom=answer["runId"], requests=[ROUNDS[0]])["error"] == "CodeRoundLimit"
    assert ours.document(answer["resource"]) == text


@pytest.mark.rule("RCC-3", "RCC-42")
def test_cases_1_11_and_12_are_delivered_alike_by_both_forms(embedded: Service, hosted: Service) -> None:
    for repo, path, whole, symbols, first in (
        ("case-01", "markers.py", MARKERS, ["join"], 3),
        ("case-11", "Card.tsx", CARD, ["Card", "second"], 3),
        ("case-12", "parse.ts", PARSE, ["Reader"], 1),
    ):
        texts = []
        for service in (embedded, hosted):
            answer = call(service.connection(), repo=repo, requests=[{"path": path, "symbols": symbols, "includeDependencies": True}])
            texts.append(service.connection().document(answer["resource"]))
        assert texts[0] == texts[1]
        (file,) = json.loads(texts[0])["files"]
        lines = whole.split("\n")
        fragments = file.get("fragments") or [{"startLine": 1, "endLine": len(lines), "text": file["full"]}]
        assert fragments[0]["startLine"] in {first, 1}
        for one in fragments:
            assert one["text"] == "\n".join(lines[one["startLine"] - 1 : one["endLine"]])


@pytest.mark.rule("RCC-33", "RCC-34", "RCC-36")
def test_a_user_has_eight_sessions_and_the_oldest_makes_room(service: Service) -> None:
    ours, request = service.connection("colleague"), {"path": "parse.ts", "outline": True}
    begun = [call(ours, repo="case-12", requests=[request]) for _ in range(9)]
    assert [one.uri for one in ours.resources()] == [answer["resource"] for answer in begun[:0:-1]]
    assert call(ours, continueFrom=begun[0]["runId"], requests=[request])["error"] == "StaleCodeSession"
    assert call(ours, continueFrom=begun[1]["runId"], requests=[{"path": "gone", "full": True}])["error"] == "unavailable"
    assert call(ours, continueFrom=begun[1]["runId"], requests=[request])["round"] == 2


@pytest.mark.rule("PLT-62", "PLT-63", "PLT-64", "PLT-143", "RCC-46")
def test_who_is_no_admin_sees_neither_the_tool_nor_a_resource(service: Service) -> None:
    answer = call(service.connection(), repo="case-12", requests=[{"path": "parse.ts", "outline": True}])
    reader = service.connection("reader")
    assert TOOL not in reader.tools()
    refused = reader.call(TOOL, repo="case-12", requests=[])
    assert (refused.is_error, refused.text.split(":")[0]) == (True, "admin_only")
    assert reader.resources() == []
    with pytest.raises(MCPError, match="admin_only"):
        reader.document(answer["resource"])
