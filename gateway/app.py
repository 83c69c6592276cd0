"""The ASGI application: `/mcp` behind the bearer token, `/healthz` in front of it."""

import ipaddress
from typing import Final

from mcp.server.transport_security import TransportSecuritySettings
from sqlalchemy import Engine
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from gateway.checks.bearer_token import BearerTokens, RequireBearerToken
from gateway.server import caller_of_request, make_server
from shared.limits import MAX_REQUEST_BODY_BYTES
from shared.settings import Settings

MCP_PATH: Final = "/mcp"

LOCALHOST_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
"""Host headers of a browser or client on this machine."""


async def healthz(_request: Request) -> JSONResponse:
    """The process answers (PLT-4); it says nothing of Redis or the workers."""
    return JSONResponse({"status": "ok", "service": "codekeeper-mcp"})


def is_loopback(host: str) -> bool:
    """Whether a listening address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def transport_security(settings: Settings) -> TransportSecuritySettings:
    """The check of Host and Origin: on for localhost names on a loopback address, elsewhere when hosts are named (PLT-6, README)."""
    own = LOCALHOST_NAMES if is_loopback(settings.host) else ()
    hosts = [form for name in own for form in (name, f"{name}:*")] + list(settings.allowed_hosts)
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(enable_dns_rebinding_protection=bool(hosts), allowed_hosts=hosts, allowed_origins=origins)


def make_app(settings: Settings, engine: Engine) -> ASGIApp:
    """The application for one gateway. Stateless: a second gateway can answer any request."""
    app = make_server(settings, caller_of_request, scheduled=settings.embedded and settings.autosync).streamable_http_app(
        streamable_http_path=MCP_PATH,
        stateless_http=True,
        json_response=False,  # with plain JSON a client that goes away isn't noticed
        max_request_body_size=MAX_REQUEST_BODY_BYTES,
        transport_security=transport_security(settings),
        custom_starlette_routes=[Route("/healthz", healthz, methods=["GET"])],
    )
    return RequireBearerToken(app, BearerTokens(engine, settings.admin_users))
