"""`codekeeper call`: one tool call from a shell, printing exactly the text that the tool sends."""

import asyncio
import json
import logging
import os
import sys
from typing import Any

import click

from shared.errors import ErrorCode
from shared.exit_codes import EXIT_ANSWER, EXIT_REFUSAL, EXIT_UNREACHABLE
from shared.local_user import LOCAL_CALLER
from shared.logs import configure_logging
from shared.settings import settings

_UNREACHABLE = {ErrorCode.QUEUE_UNAVAILABLE.value}


@click.command(
    epilog="""\b
Examples:
  codekeeper call codekeeper_list_repos '{}'
  codekeeper call codekeeper_get_repo_file '{"repo": "django", "path": "setup.cfg", "lines": [1, 20]}'
  CODEKEEPER_TOKEN=ckmcp_... codekeeper call --url http://127.0.0.1:8765/mcp codekeeper_list_repos '{}'"""
)
@click.argument("tool")
@click.argument("arguments", metavar="'JSON'", default="{}")
@click.option("--url", help="A gateway's /mcp address; its token is CODEKEEPER_TOKEN. Not given: the call runs here, as the user local.")
def call(tool: str, arguments: str, url: str | None) -> None:
    """Call TOOL with the arguments in 'JSON' (one object) and print its text."""
    try:
        parsed = json.loads(arguments)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"the arguments are no JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise click.UsageError('the arguments are one JSON object, such as \'{"repo": "django"}\'')
    configure_logging(logging.WARNING)  # a person reads along
    kept = settings().token
    token = None if kept is None else kept.get_secret_value()
    try:
        where = _here(tool, parsed) if url is None else call_gateway(url, token, tool, parsed)
        text, is_error = asyncio.run(where)
    except GatewayDidNotAnswer as error:
        click.echo(f"codekeeper: {url} did not answer the call: {error}", err=True)
        sys.exit(EXIT_UNREACHABLE)
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.flush()
    os._exit(_exit_code(text, is_error=is_error))  # see stdio.py


async def _here(tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    from gateway.dispatch import make_sender  # noqa: PLC0415 - a call by --url needs none of it
    from gateway.dispatch.task_sender import opened  # noqa: PLC0415
    from gateway.server import make_calls  # noqa: PLC0415

    async with opened(make_sender(settings(), prepares_database=True)) as sender:
        answer = await make_calls(settings(), sender).call(tool, arguments, LOCAL_CALLER)
    return answer.text, answer.is_error


class GatewayDidNotAnswer(Exception):  # noqa: N818
    """No gateway answered at an address; the message says why."""


async def call_gateway(url: str, token: str | None, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    """The text and the error flag of a call through the gateway at `url`.

    Raises:
        GatewayDidNotAnswer: nothing there speaks MCP, or the token was refused.
    """
    import httpx2  # noqa: PLC0415 - comes with the SDK's client
    from mcp import Client, MCPError  # noqa: PLC0415
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415

    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    try:
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http, Client(streamable_http_client(url, http_client=http)) as client:
            result = await client.call_tool(tool, arguments)
    except* (OSError, httpx2.HTTPError, MCPError) as group:
        raise GatewayDidNotAnswer(_innermost(group)) from None
    return "".join(block.text for block in result.content if block.type == "text"), result.is_error


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def _exit_code(text: str, *, is_error: bool) -> int:
    try:
        answer = json.loads(text)
    except ValueError:
        answer = {}
    if isinstance(answer, dict) and answer.get("error") in _UNREACHABLE:
        return EXIT_UNREACHABLE
    refused = is_error or (isinstance(answer, dict) and answer.get("ok") is False)
    return EXIT_REFUSAL if refused else EXIT_ANSWER
