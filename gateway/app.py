"""The ASGI application: `/mcp` and the web routes behind the bearer token, `/healthz` and `/readyz` in front of it."""

import ipaddress
from typing import Final

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from sqlalchemy import Engine
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from gateway.checks.bearer_token import CALLER_KEY, BearerTokens, RequireBearerToken
from gateway.dispatch import make_sender
from gateway.readiness import Readiness
from gateway.server import Context, make_calls, make_server
from gateway.utf8_json import send_utf8
from gateway.web_routes.respond import endpoint_of
from gateway.web_routes.route import WEB_ROUTES
from shared.limits import MAX_REQUEST_BODY_BYTES
from shared.settings import Settings
from shared.wire.call import Caller

MCP_PATH: Final = "/mcp"

LOCALHOST_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
"""Host headers of a browser or client on this machine."""


async def healthz(_request: Request) -> JSONResponse:
    """The process answers (PLT-4); it says nothing of Redis or the workers, which `/readyz` does."""
    return JSONResponse({"status": "ok", "service": "codekeeper-mcp"})


def is_loopback(host: str) -> bool:
    """Whether a listening address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def caller_of_request(context: Context) -> Caller | None:
    """The caller that `RequireBearerToken` found for this HTTP request; None when there is no request (PLT-63)."""
    caller = context.request.scope.get(CALLER_KEY) if context.request is not None else None
    return caller if isinstance(caller, Caller) else None


def transport_security(settings: Settings) -> TransportSecuritySettings:
    """The check of Host and Origin: on for localhost names on a loopback address, elsewhere when hosts are named (PLT-6, README)."""
    own = LOCALHOST_NAMES if is_loopback(settings.host) else ()
    hosts = [form for name in own for form in (name, f"{name}:*")] + list(settings.allowed_hosts)
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(enable_dns_rebinding_protection=bool(hosts), allowed_hosts=hosts, allowed_origins=origins)


def make_app(settings: Settings, engine: Engine) -> ASGIApp:
    """The application for one gateway. Stateless: a second gateway can answer any request."""
    send_utf8()
    sender = make_sender(settings)
    calls = make_calls(settings, sender)
    server = make_server(settings, sender, calls, caller_of_request, scheduled=settings.embedded and settings.autosync)
    security = transport_security(settings)
    host_check = TransportSecurityMiddleware(security)
    app = server.streamable_http_app(
        streamable_http_path=MCP_PATH,
        stateless_http=True,
        json_response=False,  # with plain JSON a client that goes away isn't noticed
        max_request_body_size=MAX_REQUEST_BODY_BYTES,
        transport_security=security,
        custom_starlette_routes=[
            Route("/healthz", healthz, methods=["GET"]),
            Route("/readyz", Readiness(sender).respond, methods=["GET"]),
            *(Route(route.path, endpoint_of(route, calls, host_check), methods=["GET"]) for route in WEB_ROUTES),
        ],
    )
    return RequireBearerToken(app, BearerTokens(engine, settings.admin_users))
