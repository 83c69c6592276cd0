"""The MCP server: what is answered to a client, over whichever transport. The only file that puts the gateway's parts together."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server

from gateway.call_tool import ToolCalls
from gateway.checks.gates import is_shown_to
from gateway.checks.rate_limit import RateLimit
from gateway.dispatch.dispatcher import Dispatcher
from gateway.dispatch.task_sender import TaskSender
from gateway.instructions import instructions, served_docs
from gateway.resources.code_resources import CodeResources
from gateway.resources.live_sessions import make_live_sessions
from gateway.schedule import sync_on_schedule
from gateway.tools.registry import TOOLS
from gateway.tools.tool import Tool
from shared.local_user import LOCAL_CALLER
from shared.settings import Settings
from shared.wire.call import Caller

Context = ServerRequestContext[Any, Any]


def local_caller(_context: Context) -> Caller | None:
    """The caller on stdio."""
    return LOCAL_CALLER


def _shown(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.overwrites,
            idempotent_hint=not tool.writes or tool.repeatable,
            open_world_hint=False,
        ),
        _meta=tool.meta(),
    )


def _input_schema(name: str) -> dict[str, Any] | None:
    tool = TOOLS.get(name)
    return None if tool is None else tool.input_schema()


def _known(caller: Caller | None) -> Caller:
    if caller is None:
        raise PermissionError("a request that needs a caller reached the server without one")
    return caller


def make_calls(settings: Settings, sender: TaskSender) -> ToolCalls:
    """The calls of one process, through `sender`; it must be open before the first one comes."""
    return ToolCalls(RateLimit(settings), Dispatcher(sender))


def make_server(
    settings: Settings, sender: TaskSender, calls: ToolCalls, caller_of: Callable[[Context], Caller | None], *, scheduled: bool = False
) -> Server[ToolCalls]:
    """The MCP server for one process. Its lifespan opens and closes `sender`, and runs the schedule if it is `scheduled`."""
    sessions = make_live_sessions(settings)
    resources = CodeResources(sessions, calls.rate_limit)

    @asynccontextmanager
    async def lifespan(_server: Server[ToolCalls]) -> AsyncIterator[ToolCalls]:
        async with sender_open(settings, sender, scheduled=scheduled):
            try:
                yield calls
            finally:
                await sessions.close()

    async def list_tools(context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        caller = caller_of(context)
        return types.ListToolsResult(tools=[_shown(tool) for tool in TOOLS.values() if is_shown_to(tool, caller)], cache_scope="private")

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = _known(caller_of(context))
        answer = await context.lifespan_context.call(params.name, params.arguments or {}, caller)
        return types.CallToolResult(content=[types.TextContent(type="text", text=answer.text)], is_error=answer.is_error)

    async def list_resources(context: Context, _params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=await resources.listed(caller_of(context)), cache_scope="private")

    async def list_templates(context: Context, _params: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=resources.templates(caller_of(context)), cache_scope="private")

    async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        read = await resources.read(params.uri, _known(caller_of(context)), context.protocol_version)
        return types.ReadResourceResult(contents=[read], cache_scope="private")

    return Server(
        "CodeKeeper",
        version=version("codekeeper"),
        instructions=instructions(served_docs(settings)),
        lifespan=lifespan,
        get_tool_input_schema=_input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


@asynccontextmanager
async def sender_open(settings: Settings, sender: TaskSender, *, scheduled: bool = False) -> AsyncIterator[None]:
    """`sender`, the way to the workers, open meanwhile, and the schedule of syncs running if it is `scheduled`."""
    await sender.open()
    schedule = asyncio.create_task(sync_on_schedule(sender, settings.sync_interval)) if scheduled else None
    try:
        yield
    finally:
        if schedule is not None:
            schedule.cancel()
        await sender.close()
