"""`codekeeper serve`: the gateway over HTTP. Which form runs, embedded or hosted, is decided by the settings alone."""

import asyncio
import logging
import os
import socket
import sys

import click
import uvicorn
from sqlalchemy import Engine
from sse_starlette.sse import AppStatus

from gateway.app import MCP_PATH, make_app
from gateway.commands import local
from gateway.commands.output import emit
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from shared.exit_codes import EXIT_UNREACHABLE
from shared.logs import configure_logging
from shared.settings import Settings, settings

SHUTDOWN_GRACE_S = 5
"""Seconds that calls under way get when the gateway is told to stop."""


@click.command(
    epilog="""\b
Examples:
  codekeeper serve            a gateway for users with tokens
  codekeeper serve --local    for one person: mirrors the repository you stand in, and prints how to connect"""
)
@click.option("--local", "for_one", is_flag=True, help="Serve the one person at this machine, with a token kept in DATA_DIR/local.token.")
def serve(*, for_one: bool) -> None:
    """Serve MCP over Streamable HTTP at /mcp. Prints {"url"} on standard output once it listens."""
    configure_logging(logging.WARNING if for_one else logging.INFO)  # a person reads along
    values = local.settings_of_one_person(settings()) if for_one else settings()
    engine = open_engine(values.database)
    migrate(engine, values.data_dir)
    setup = local.prepare(values, engine) if for_one else None
    asyncio.run(_serve(values, engine, setup))
    sys.stdout.flush()
    os._exit(0)  # a sync that still runs on a thread must not hold the process; its git dies with it and its lock falls by itself


class _Announcing(uvicorn.Server):
    """A uvicorn server that says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then say so."""
        await super().startup(sockets)
        self.listens.set()


async def _serve(values: Settings, engine: Engine, setup: local.Setup | None) -> None:
    try:
        listening = _listen(values)
    except OSError as error:
        click.echo(f"codekeeper: can't listen on {values.host}:{values.port}: {error.strerror}", err=True)
        os._exit(EXIT_UNREACHABLE)
    config = uvicorn.Config(
        make_app(values, engine), log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=SHUTDOWN_GRACE_S
    )
    # Else every event stream, and with it a call whose answer it will carry, ends half a second after the signal.
    AppStatus.disable_automatic_graceful_drain()  # type: ignore[no-untyped-call]
    server = _Announcing(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    await asyncio.wait({serving, asyncio.create_task(server.listens.wait())}, return_when=asyncio.FIRST_COMPLETED)
    if not serving.done():
        port = listening.getsockname()[1]
        host = f"[{values.host}]" if ":" in values.host else values.host
        url = f"http://{host}:{port}{MCP_PATH}"
        emit({"url": url})
        sys.stdout.flush()
        if setup is not None:
            await local.show(setup, url)
    await serving


def _listen(values: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in values.host else socket.AF_INET
    # asyncio turns off Nagle only where the protocol is named; with it an answer waits 40 ms for the acknowledgement of its headers.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((values.host, values.port))
    listening.listen(2048)
    return listening
