"""One request of a web route, from its entry to its response."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.requests import Request
from starlette.responses import Response

from gateway.call_tool import ToolCalls
from gateway.checks.bearer_token import CALLER_KEY
from gateway.web_routes.query import arguments_of
from gateway.web_routes.route import WebRoute
from gateway.web_routes.statuses import CLIENT_GONE, IN_NO_MAP, Status
from shared.answer import is_refusal, render
from shared.errors import Refused

Endpoint = Callable[[Request], Awaitable[Response]]


def endpoint_of(route: WebRoute, calls: ToolCalls, host_check: TransportSecurityMiddleware) -> Endpoint:
    """What Starlette calls for the route. Before it, `RequireBearerToken` has let the request in."""

    async def respond(request: Request) -> Response:
        wrong_host = await host_check.validate_request(request)
        if wrong_host is not None:
            return wrong_host
        arguments = arguments_of(request.scope["query_string"], request.path_params)
        outcome = await _while_the_client_waits(request, calls.outcome(route, arguments, request.scope[CALLER_KEY]))
        return Response(status_code=CLIENT_GONE) if outcome is None else response_to(outcome, route.statuses)

    return respond


async def _while_the_client_waits(request: Request, call: Coroutine[Any, Any, bytes | Refused]) -> bytes | Refused | None:
    """What the call came to; None, and the call cancelled, when the client went away first, which nothing else would notice."""
    answering, leaving = asyncio.create_task(call), asyncio.create_task(_client_left(request))
    try:
        await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        return answering.result() if answering.done() else None
    finally:
        answering.cancel()
        leaving.cancel()
        await asyncio.wait((answering, leaving))


async def _client_left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def response_to(outcome: bytes | Refused, statuses: Mapping[str, Status]) -> Response:
    """The response: a worker's answer untouched, or a refusal, the gateway's or a worker's, in the routes' own form (REF-96)."""
    if isinstance(outcome, Refused):
        return _refusal(outcome.answer(), statuses)
    if is_refusal(outcome):
        return _refusal(json.loads(outcome), statuses)
    return _json(outcome, 200)


def _refusal(refusal: Mapping[str, Any], statuses: Mapping[str, Status]) -> Response:
    status = statuses.get(refusal["error"], IN_NO_MAP)
    message = status.message.format(**refusal) if status.message else refusal["message"]
    body = render({"success": False, "error": status.error or refusal["error"], "message": message})
    again = {"Retry-After": str(refusal["retry_after"])} if "retry_after" in refusal else {}
    return _json(body, status.http, **again)


def _json(body: bytes, status: int, **headers: str) -> Response:
    return Response(body, status, {"Cache-Control": "no-store", **headers}, media_type="application/json")
