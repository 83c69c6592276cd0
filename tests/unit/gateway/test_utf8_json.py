"""What goes out over HTTP is compact UTF-8, whatever the protocol's revision."""

import json

import httpx
import pytest
from mcp.server.lowlevel.server import Server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent

from gateway.utf8_json import dumps, send_utf8

pytestmark = pytest.mark.anyio

HEBREW = "שלום"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def list_tools(_context: object, _params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[])


async def call_tool(_context: object, _params: CallToolRequestParams) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=HEBREW)])


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
async def test_text_beyond_ascii_is_not_escaped(revision: str) -> None:
    send_utf8()
    app = Server("s", on_list_tools=list_tools, on_call_tool=call_tool).streamable_http_app(stateless_http=True, json_response=False)
    meta = {f"io.modelcontextprotocol/{key}": value for key, value in
            (("protocolVersion", revision), ("clientInfo", {"name": "t", "version": "1"}), ("clientCapabilities", {}))}  # fmt: skip
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {}, "_meta": meta}}
    headers = {
        "accept": "application/json, text/event-stream", "mcp-protocol-version": revision, "mcp-method": "tools/call", "mcp-name": "t",
    }  # fmt: skip
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://localhost:1") as client:
        answer = await client.post("/mcp", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    assert HEBREW.encode() in answer.content


def test_a_lone_surrogate_is_escaped_and_the_rest_is_json_all_the_same() -> None:
    value = {"a": HEBREW + "\ud800", "b": [1, None]}
    assert json.loads(dumps(value, separators=(",", ":")).encode()) == value
    assert dumps({"a": HEBREW}, separators=(",", ":")) == f'{{"a":"{HEBREW}"}}'
