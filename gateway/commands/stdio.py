"""`codekeeper stdio`: the server on standard input and output, for editors. Acts as the user `local` and never syncs."""

import asyncio
import logging
import os
import sys

import click
from mcp.server.stdio import stdio_server

from gateway.dispatch import make_sender
from gateway.server import local_caller, make_calls, make_server
from shared.logs import configure_logging
from shared.settings import settings


@click.command(
    epilog="""\b
Example, for Claude Code:
  claude mcp add codekeeper -- codekeeper stdio"""
)
def stdio() -> None:
    """Serve MCP on standard input and output, as the user local (an admin, read and write)."""
    configure_logging(logging.WARNING)  # a person reads along
    asyncio.run(_serve())
    sys.stdout.flush()
    os._exit(0)  # a task that still runs on a thread must not keep an editor waiting; its git dies with this process


async def _serve() -> None:
    sender = make_sender(settings(), prepares_database=True)
    server = make_server(settings(), sender, make_calls(settings(), sender), local_caller)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
