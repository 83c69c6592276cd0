"""The two web routes in the gateway: which status every refusal has, how they are asked, and a client that goes away."""

import ast
import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.app import transport_security
from gateway.checks.bearer_token import CALLER_KEY
from gateway.web_routes.query import arguments_of
from gateway.web_routes.respond import endpoint_of, response_to
from gateway.web_routes.route import WEB_ROUTES, WebRoute
from gateway.web_routes.statuses import CLIENT_GONE, IN_NO_MAP
from shared.errors import ErrorCode, Refused
from shared.settings import Settings
from shared.tasks import FILE_AT_COMMIT, FILE_HISTORY, TASKS
from shared.wire.call import Caller
from tests.plain_http import NO_AUTHORITIES
from tests.unit.gateway.test_call_tool import ADMIN, OTHER, RecordingSender, tool_calls
from workers.verdicts import deadline_exceeded, internal_error, resource_limit, worker_lost

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
HISTORY, AT_COMMIT = WEB_ROUTES
BOTH = [pytest.param(HISTORY, id="history"), pytest.param(AT_COMMIT, id="file-at-commit")]

FIELDS: dict[str, Any] = {
    "message": "m", "retry_after": 5, "max_chars": 1, "actual_chars": 2, "max": 1, "bytes": 2, "size": 2, "resolved_commit": "c",
    "problems": [{"where": "limit", "what": "w"}], "call_id": "id",
}  # fmt: skip
"""The fields that any refusal may have."""

CONTRACT = {
    "ref_not_mirrored": (404, 404), "invalid_ref": (400, 400), "git_error": (500, 500), "timeout": (504, 504), "internal_error": (500, 500),
    "invalid_repo_name": (400, 400), "invalid_file_path": (400, 400), "repo_not_found": (404, 404), "file_not_found": (404, None),
    "file_not_in_commit": (None, 404), "file_too_large": (None, 413), "missing_file": (400, 400), "service_unavailable": (503, 503),
}  # fmt: skip
"""The table of REF-93: a code's status on either route, None where it isn't used."""

OURS = {
    "unknown_argument": 400, "invalid_arguments": 400, "missing_repo": 400, "path_too_long": 400, "ref_too_long": 400, "admin_only": 403,
    "insufficient_scope": 403, "path_denied": 403, "answer_too_large": 413, "rate_limited": 429, "resource_limit": 500,
    "sync_in_progress": 503, "queue_full": 503, "worker_lost": 503,
}  # fmt: skip
"""What both have beside it."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def codes_in(*files: str) -> set[str]:
    """Every `ErrorCode` that the source of these files names."""
    nodes = [node for file in files for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))]
    names = {
        node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ErrorCode"
    }
    return {ErrorCode[name].value for name in names}


@pytest.mark.rule("REF-95")
@pytest.mark.parametrize("route", BOTH)
def test_every_code_in_the_source_of_the_ref_check_has_a_status(route: WebRoute) -> None:
    codes = codes_in("workers/mirror/resolve_ref.py", "workers/mirror/failures.py", "workers/mirror/open_mirror.py")
    assert {"invalid_ref", "ref_not_mirrored", "read_failed", "repo_not_mirrored"} <= codes
    assert codes - set(route.statuses) == set()


@pytest.mark.parametrize(
    ("route", "own"),
    [
        (HISTORY, ("workers/tasks/file_history.py", "workers/mirror/commits_of_file.py", "workers/mirror/read_commit.py")),
        (AT_COMMIT, ("workers/tasks/file_at_commit.py", "workers/mirror/read_blob.py")),
    ],
)
def test_every_code_on_the_way_of_a_request_has_a_status(route: WebRoute, own: tuple[str, ...]) -> None:
    way = (
        "gateway/call_tool.py", "gateway/checks/arguments.py", "gateway/checks/gates.py", "gateway/checks/rate_limit.py",
        "gateway/dispatch/dispatcher.py", "gateway/dispatch/celery_sender.py", "workers/tasks/file_of_route.py", "shared/paths.py",
        "shared/answer.py", "workers/verdicts.py",
    )  # fmt: skip
    elsewhere = {"unknown_tool", "invalid_input"}  # a route always has its operation, and its own names for what is malformed
    assert codes_in(*way, *own) - elsewhere - set(route.statuses) == set()


@pytest.mark.rule("REF-27", "REF-93", "REF-96")
@pytest.mark.parametrize(("number", "route"), [(0, HISTORY), (1, AT_COMMIT)])
def test_every_refusal_has_the_contracts_code_status_and_form(number: int, route: WebRoute) -> None:
    shown: dict[str, int] = {}
    for code in route.statuses:
        response = response_to(Refused(ErrorCode(code), **FIELDS), route.statuses)
        body = json.loads(bytes(response.body))
        assert list(body) == ["success", "error", "message"]
        assert body["success"] is False
        assert body["message"]
        assert response.headers["retry-after"] == "5"
        assert shown.setdefault(body["error"], response.status_code) == response.status_code
    contract = {code: statuses[number] for code, statuses in CONTRACT.items() if statuses[number] is not None}
    assert shown == contract | OURS


@pytest.mark.rule("REF-93")
def test_a_code_that_is_in_no_map_is_500() -> None:
    response = response_to(Refused(ErrorCode.UNKNOWN_TOKEN), HISTORY.statuses)
    assert (response.status_code, json.loads(bytes(response.body))) == (
        500,
        {"success": False, "error": "unknown_token", "message": IN_NO_MAP.message},
    )


@pytest.mark.parametrize(
    ("sent", "status", "error", "retry_after"),
    [
        (worker_lost(), 503, "worker_lost", "5"), (deadline_exceeded(), 504, "timeout", "5"), (resource_limit("the-id"), 500,
        "resource_limit", None), (internal_error("the-id"), 500, "internal_error", None),
    ],
)  # fmt: skip
def test_what_a_caller_is_told_of_a_lost_task_has_a_status_too(sent: bytes, status: int, error: str, retry_after: str | None) -> None:
    response = response_to(sent, AT_COMMIT.statuses)
    body = json.loads(bytes(response.body))
    assert (response.status_code, body["error"], response.headers.get("retry-after")) == (status, error, retry_after)
    assert ("the-id" in body["message"]) == (error == "internal_error")


def application(sender: RecordingSender, caller: Caller = ADMIN, **limits: Any) -> ASGIApp:
    calls = tool_calls(sender, **limits)
    host_check = TransportSecurityMiddleware(transport_security(Settings()))
    routes = Starlette(routes=[Route(route.path, endpoint_of(route, calls, host_check), methods=["GET"]) for route in WEB_ROUTES])

    async def with_caller(scope: Scope, receive: Receive, send: Send) -> None:
        await routes({**scope, CALLER_KEY: caller}, receive, send)

    return with_caller


def client_of(application: ASGIApp, base: str = "http://localhost") -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(application), base_url=base, verify=NO_AUTHORITIES)


@pytest.mark.rule("REF-96", "PLT-67")
async def test_a_request_reaches_its_task_as_it_was_asked_and_the_answer_comes_back_untouched() -> None:
    sender = RecordingSender(answer='{"success":true,"content":"{\\"ok\\":false, שלום"}'.encode())
    async with client_of(application(sender)) as client:
        first = await client.get("/repo/api/history?repo=r&file=a%20b%2Fc%26d%2B.txt&limit=500&skip=-3&ref=v1")
        second = await client.get("/repo/api/file-at-commit/feature/x%2Fy~1?repo=r&file=%D7%A9")
        third = await client.get("/repo/api/history?repo=r&file=f")
    for response in (first, second, third):
        assert (response.status_code, response.headers["content-type"], response.headers["cache-control"]) == (
            200, "application/json", "no-store",
        )  # fmt: skip
        assert response.content == sender._answer
    assert [(kind, call.arguments) for kind, call in sender.calls] == [
        (FILE_HISTORY, {"repo": "r", "file": "a b/c&d+.txt", "ref": "v1", "limit": 100, "skip": 0}),
        (FILE_AT_COMMIT, {"repo": "r", "file": "ש", "commit": "feature/x/y~1"}),
        (FILE_HISTORY, {"repo": "r", "file": "f", "ref": "HEAD", "limit": 20, "skip": 0}),
    ]
    assert {call.caller for _, call in sender.calls} == {ADMIN}


@pytest.mark.rule("PLT-65", "PLT-66")
@pytest.mark.parametrize("route", BOTH)
async def test_the_rate_limit_comes_before_the_gate_and_the_gate_before_the_parameters(route: WebRoute) -> None:
    sender = RecordingSender()
    async with client_of(application(sender, OTHER, rate_limit="2/600")) as client:
        answers = [await client.get(f"{route.path.partition('{')[0]}?nonsense=1") for _ in range(3)]
    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(403, "admin_only")] * 2 + [(429, "rate_limited")]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 600
    assert sender.calls == []
    assert route.kind in TASKS


@pytest.mark.parametrize(
    ("query", "error", "named"),
    [
        ("nonsense=hush-hush", "unknown_argument", "repo, file"),
        ("limit=hush-hush", "invalid_arguments", "limit"),
        ("skip=", "invalid_arguments", "skip"),
        ("file=hush-hush&file=b", "invalid_arguments", "file"),
        ("limit=1&limit=2", "invalid_arguments", "limit"),
    ],
)
async def test_a_parameter_that_is_none_or_has_no_one_value_is_named_without_its_value(query: str, error: str, named: str) -> None:
    sender = RecordingSender()
    async with client_of(application(sender)) as client:
        response = await client.get(f"/repo/api/history?{query}")
    assert (response.status_code, response.json()["error"]) == (400, error)
    assert named in response.json()["message"]
    assert "hush-hush" not in response.text
    assert sender.calls == []


async def test_the_commit_stands_in_the_address_and_nowhere_else() -> None:
    async with client_of(application(RecordingSender())) as client:
        response = await client.get("/repo/api/file-at-commit/main?repo=r&file=f&commit=v1")
    assert (response.status_code, response.json()["error"]) == (400, "invalid_arguments")


@pytest.mark.rule("REF-25")
@pytest.mark.parametrize(
    ("query", "file"),
    [
        (b"file=a%FFb", "a\udcffb"), (b"file=a\xffb", "a\udcffb"), ("file=ש".encode(), "ש"), (b"file=%D7%A9", "ש"), (b"file=", ""),
        (b"file=a+b;c", "a b;c"), (b"file=%00", "\0"),
    ],
)  # fmt: skip
def test_octets_become_the_name_they_are_and_never_another(query: bytes, file: str) -> None:
    assert arguments_of(query, {}) == {"file": file}


@pytest.mark.rule("PLT-6")
async def test_the_host_and_origin_are_checked_as_for_a_tool_call() -> None:
    sender = RecordingSender()
    async with client_of(application(sender), "http://evil.example") as client:
        assert (await client.get("/repo/api/history?repo=r&file=f")).status_code == 421
    async with client_of(application(sender)) as client:
        assert (await client.get("/repo/api/history", headers={"Origin": "http://evil.example"})).status_code == 403
        assert (await client.post("/repo/api/history")).status_code == 405
    assert sender.calls == []


@pytest.mark.rule("PLT-142")
async def test_a_queue_that_is_away_or_full_is_503_and_our_own_defect_500_without_its_text() -> None:
    for error, status, code in (
        (Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=5), 503, "service_unavailable"),
        (RuntimeError("password=hunter2"), 500, "internal_error"),
    ):
        sender = RecordingSender(error=error)
        async with client_of(application(sender)) as client:
            response = await client.get("/repo/api/history?repo=r&file=f")
        assert (response.status_code, response.json()["error"]) == (status, code)
        assert "hunter2" not in response.text
        assert (sender.calls[0][1].id in response.json()["message"]) == (status == 500)
    async with client_of(application(RecordingSender(), max_in_flight=0)) as client:
        response = await client.get("/repo/api/history?repo=r&file=f")
    assert (response.status_code, response.json()["error"], response.headers["retry-after"]) == (503, "queue_full", "5")


async def test_a_client_that_goes_away_cancels_its_call_and_its_task_is_told() -> None:
    sender = RecordingSender(answer=None)
    endpoint = endpoint_of(HISTORY, tool_calls(sender), TransportSecurityMiddleware(transport_security(Settings())))
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}])

    async def receive() -> Message:
        message = next(messages)
        if message["type"] == "http.disconnect":
            await sender.submitted.wait()
        return message

    scope = {
        "type": "http", "method": "GET", "path": HISTORY.path, "query_string": b"repo=r&file=f", "headers": [(b"host", b"localhost")],
        CALLER_KEY: ADMIN,
    }  # fmt: skip
    response = await asyncio.wait_for(endpoint(Request(scope, receive)), 30)
    assert response.status_code == CLIENT_GONE == 499
    assert sender.forgotten == [call.id for _, call in sender.calls]
    assert len(sender.calls) == 1
