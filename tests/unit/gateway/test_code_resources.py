"""The documents of reading sessions as resources: to whom they are shown, what they cost, and what their errors are in each revision."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client, MCPError
from structlog.testing import capture_logs

from gateway.resources import code_resources
from gateway.server import make_calls, make_server
from shared.code_sessions.memory import MemorySessions, memory_sessions
from shared.code_sessions.session import Session, new_run_id, resource_uri
from shared.code_sessions.store import Committed, Success
from shared.errors import ErrorCode, Refused
from shared.limits import CODE_SESSION_TTL_S
from shared.settings import Settings
from shared.wire.call import Caller
from tests.contract.test_tools_snapshot import NoWorkers

pytestmark = pytest.mark.anyio

ANN, BOB = (Caller(user=name, scopes=frozenset({"read"}), admin=True) for name in ("ann", "bob"))
READER = Caller(user="ann", scopes=frozenset({"read"}), admin=False)
SESSION = Session(repo="r", ref="main", commit="c" * 40, cap=100)
TEXT = '{"schemaVersion":1,"files":[{"full":"שלום\\r\\n\\ud800"}]}'
MODES = {"legacy": -32002, "auto": -32602}
"""Revisions, and the error of a resource that isn't there: the specifications' own."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def sessions() -> Iterator[MemorySessions]:
    memory_sessions.cache_clear()
    yield memory_sessions()
    memory_sessions.cache_clear()


@asynccontextmanager
async def client_of(caller: Caller, mode: str = "auto", **settings: Any) -> AsyncIterator[Client]:
    made = Settings(**settings)
    server = make_server(made, NoWorkers(), make_calls(made, NoWorkers()), lambda _context: caller)
    async with Client(server, mode=mode) as client:
        yield client


def begin(sessions: MemorySessions, caller: Caller, text: str = TEXT, replaces: str | None = None) -> str:
    run_id = new_run_id()
    success = Success(caller.user, run_id, SESSION.after(1), text, replaces, "call")
    assert sessions.commit(success) is Committed.DONE
    return run_id


async def error_of(client: Client, uri: str) -> tuple[int, Any]:
    with pytest.raises(MCPError) as refused:
        await client.read_resource(uri)
    assert refused.value.message
    return refused.value.code, refused.value.data


@pytest.mark.rule("RCC-32", "RCC-34")
@pytest.mark.parametrize("mode", MODES)
async def test_a_user_reads_and_lists_the_newest_document_of_each_own_session_exactly(mode: str, sessions: MemorySessions) -> None:
    first, theirs = begin(sessions, ANN), begin(sessions, BOB)
    other = begin(sessions, ANN, "{}")
    async with client_of(ANN, mode) as client:
        listed = (await client.list_resources()).resources
        assert [(one.uri, one.mime_type, one.size) for one in listed] == [
            (resource_uri(other), "application/json", 2),
            (resource_uri(first), "application/json", len(TEXT.encode())),
        ]
        (read,) = (await client.read_resource(resource_uri(first))).contents
        assert (read.uri, read.mime_type, read.text) == (resource_uri(first), "application/json", TEXT)
        newer = begin(sessions, ANN, replaces=first)
        assert [one.uri for one in (await client.list_resources()).resources] == [resource_uri(newer), resource_uri(other)]
        gone = [
            resource_uri(first),
            resource_uri(theirs),
            resource_uri(new_run_id()),
            "codekeeper://code/x/code.json",
            "file:///etc/passwd",
        ]
        for uri in gone:
            assert await error_of(client, uri) == (MODES[mode], {"uri": uri})
        code, data = await error_of(client, "x" * 5_000)
        assert (code, len(data["uri"])) == (MODES[mode], 100)


@pytest.mark.rule("RCC-34")
async def test_an_expired_document_is_as_if_it_never_was(monkeypatch: pytest.MonkeyPatch, sessions: MemorySessions) -> None:
    run_id = begin(sessions, ANN)
    monkeypatch.setattr(sessions, "_clock", lambda: sessions._kept[run_id].expires)
    assert CODE_SESSION_TTL_S == 900
    async with client_of(ANN) as client:
        assert (await client.list_resources()).resources == []
        assert (await error_of(client, resource_uri(run_id)))[0] == MODES["auto"]


@pytest.mark.rule("PLT-63", "PLT-64", "RCC-46")
@pytest.mark.parametrize("mode", MODES)
async def test_who_cant_use_the_tool_is_shown_nothing_and_refused(mode: str, sessions: MemorySessions) -> None:
    run_id = begin(sessions, READER)
    async with client_of(READER, mode) as client:
        assert (await client.list_resources()).resources == []
        assert (await client.list_resource_templates()).resource_templates == []
        code, data = await error_of(client, resource_uri(run_id))
        assert (code, data["error"]) == (-32600, "admin_only")


@pytest.mark.rule("PLT-85", "PLT-87")
async def test_a_document_costs_a_unit_for_every_256_000_bytes_and_a_guess_costs_one(sessions: MemorySessions) -> None:
    small, large = begin(sessions, ANN, "x" * 256_000), begin(sessions, ANN, "x" * 256_001)
    async with client_of(ANN, rate_limit="4/600") as client:
        assert (await error_of(client, "codekeeper://code/guess/code.json"))[0] == MODES["auto"]
        for run_id in (small, large):
            await client.read_resource(resource_uri(run_id))
        code, data = await error_of(client, resource_uri(small))
        assert (code, data["error"]) == (-32603, "rate_limited")
        assert data["retry_after"] > 0


@pytest.mark.parametrize("mode", MODES)
async def test_the_text_of_an_exception_stays_in_the_log_and_a_store_away_is_said(
    mode: str, monkeypatch: pytest.MonkeyPatch, sessions: MemorySessions
) -> None:
    run_id = begin(sessions, ANN)
    for error, code in (
        (RuntimeError("hunter2"), "internal_error"),
        (Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=5), "queue_unavailable"),
    ):

        def fail(*_: Any, error: Exception = error) -> Any:
            raise error

        with monkeypatch.context() as planted, capture_logs() as logs:
            planted.setattr(sessions, "read", fail)
            planted.setattr(sessions, "listed", fail)
            async with client_of(ANN, mode) as client:
                number, data = await error_of(client, resource_uri(run_id))
                assert (number, data["error"]) == (-32603, code)
                assert "hunter2" not in json.dumps(data)
                with pytest.raises(MCPError) as listing:
                    await client.list_resources()
                assert (listing.value.code, listing.value.data["error"]) == (-32603, code)
                assert "hunter2" not in str(listing.value)
        said = [(line["event"], line["refused"]) for line in logs if line["event"].startswith("resource")]
        assert said == [("resource_read", code), ("resources_listed", code)]
    assert MODES["legacy"] == code_resources.LEGACY_NOT_FOUND
