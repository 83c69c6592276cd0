"""A bare MCP server of the same SDK over Streamable HTTP: one tool that answers a constant. Prints `{"url"}` once it is bound."""

import json
import socket
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server

from infra.bench.empty_tool import NAME


async def _call(_context: ServerRequestContext[Any, Any], _params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text='{"ok":true}')])


async def _list(_context: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name=NAME, input_schema={"type": "object"})])


def main() -> None:
    """Serve on a free port of loopback."""
    app = Server("echo", on_list_tools=_list, on_call_tool=_call).streamable_http_app(stateless_http=True, json_response=False)
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    print(json.dumps({"url": f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"}), flush=True)
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none")).run(sockets=[listening])


if __name__ == "__main__":
    main()
