"""Check 1: who is calling. Everything but the two probes needs a valid token, so that a route added later is closed until it is opened."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway import tokens
from shared.wire.call import Caller

log = structlog.get_logger()

PUBLIC_PATHS: Final = frozenset({"/healthz", "/readyz"})
"""Paths that answer without a token (PLT-4): a load balancer has none."""

VERDICT_KEPT_S: Final = 3.0
"""Seconds a valid token is believed without asking the database; a revoked one stops working within 5 s on every gateway."""

VERDICTS_KEPT: Final = 1_000
"""Tokens whose verdict is kept at once; the one used longest ago goes first."""

CALLER_KEY: Final = "codekeeper.caller"
"""Where the ASGI scope carries the caller."""


class BearerTokens:
    """Verifies tokens against the database, off the event loop, and remembers valid ones for a moment."""

    def __init__(self, engine: Engine, admin_users: tuple[str, ...], clock: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._admins = frozenset(admin_users)
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, Caller]] = OrderedDict()

    async def identify(self, token: str) -> Caller | None:
        """The caller that a valid token names; None for any other, and when it can't be verified (PLT-38)."""
        kept = self._kept.get(token)
        if kept is not None and self._clock() - kept[0] < VERDICT_KEPT_S:
            self._kept.move_to_end(token)
            return kept[1]
        asked_at = self._clock()
        try:
            record = await asyncio.to_thread(tokens.verify, self._engine, token)
        except SQLAlchemyError:
            log.exception("token_not_verified")  # without the token
            record = None
        if record is None:
            self._kept.pop(token, None)
            return None
        if (record.last_used_at or 0) <= time.time() - tokens.USE_NOTED_EVERY_S:
            # Nobody waits for it: a locked database must not hold a read.
            asyncio.get_running_loop().run_in_executor(None, self._note_use, record.id)
        caller = Caller(user=record.user, scopes=frozenset(record.scopes.split()), admin=record.user in self._admins)
        self._kept[token] = (asked_at, caller)
        while len(self._kept) > VERDICTS_KEPT:
            self._kept.popitem(last=False)
        return caller

    def _note_use(self, token_id: int) -> None:
        try:
            tokens.note_use(self._engine, token_id)
        except SQLAlchemyError:
            log.warning("token_use_not_noted", token_id=token_id, exc_info=True)


class RequireBearerToken:
    """ASGI middleware: a request without a valid token ends here, with 401 (PLT-36)."""

    def __init__(self, app: ASGIApp, verifier: BearerTokens) -> None:
        self._app = app
        self._verifier = verifier

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401, or pass the request on with its caller in the scope."""
        if scope["type"] != "http" or scope["path"] in PUBLIC_PATHS:
            await self._app(scope, receive, send)
            return
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        caller = None
        if scheme.lower() == "bearer" and token.strip():
            caller = await self._verifier.identify(token.strip())
            error = "invalid_token"
        else:
            error = "missing_bearer_token"
        if caller is None:
            challenge = {"WWW-Authenticate": 'Bearer realm="CodeKeeper MCP"'}
            await JSONResponse({"error": error}, status_code=401, headers=challenge)(scope, receive, send)
            return
        scope[CALLER_KEY] = caller
        await self._app(scope, receive, send)
