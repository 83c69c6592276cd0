"""`resources/list`, `resources/templates/list` and `resources/read`: the documents of a caller's own reading sessions (RCC-32, RCC-34).

The same gate as the tool's, and the rate limit. A refusal is a JSON-RPC error, because these methods have no other answer for one.
"""

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import mcp_types as types
import structlog
from mcp.shared.exceptions import MCPError
from mcp_types.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gateway.checks.gates import check_gate, is_shown_to
from gateway.checks.rate_limit import RateLimit
from gateway.resources.live_sessions import Live, LiveSessions
from gateway.tools import read_code_context
from shared.code_sessions.session import URI_TEMPLATE, resource_uri, run_id_of
from shared.errors import ErrorCode, Refused
from shared.limits import CODE_ROUNDS_MAX, CODE_SESSION_TTL_S, OUTPUT_BYTE_BUDGET
from shared.wire.call import Caller
from shared.wire.problems import bounded_name

log = structlog.get_logger()

_TOOL: Final = read_code_context.TOOL
_MIME_TYPE: Final = "application/json"

LEGACY_NOT_FOUND: Final = -32002
"""The error of a resource that isn't there, in the revisions before 2026-07-28; since then it is an invalid parameter."""

_CODES: Final[Mapping[ErrorCode, int]] = {ErrorCode.ADMIN_ONLY: INVALID_REQUEST, ErrorCode.INSUFFICIENT_SCOPE: INVALID_REQUEST}
"""JSON-RPC's code of a refusal; of any other it is `INTERNAL_ERROR`. What is meant stands in `data.error`, as a tool would answer it."""


class CodeResources:
    """What one gateway serves of them."""

    def __init__(self, sessions: LiveSessions, rate_limit: RateLimit) -> None:
        self._sessions = sessions
        self._rate_limit = rate_limit

    async def listed(self, caller: Caller | None) -> list[types.Resource]:
        """The caller's own live documents, the newest first; none for who can't use the tool, and in any doubt (PLT-63).

        Also a success whose answer was lost on its way is found here.

        Raises:
            MCPError: the sessions can't be reached.
        """
        if caller is None or not is_shown_to(_TOOL, caller):
            return []
        with _refusals_are_errors("resources_listed", caller):
            return [_shown(live) for live in await self._sessions.listed(caller.user)]

    def templates(self, caller: Caller | None) -> list[types.ResourceTemplate]:
        """The one form of address, for who can use the tool."""
        if not is_shown_to(_TOOL, caller):
            return []
        description = (
            f"The document of a success of {_TOOL.name}, by the runId in its summary. It is there for {CODE_SESSION_TTL_S // 60} minutes, "
            "until the session's next success."
        )
        return [types.ResourceTemplate(name="code.json", uri_template=URI_TEMPLATE, description=description, mime_type=_MIME_TYPE)]

    async def read(self, uri: str, caller: Caller, protocol_version: str) -> types.TextResourceContents:
        """The document at that address, exactly as it was counted.

        Raises:
            MCPError: the gate's refusal, the rate limit's, or not found: unknown, expired, replaced, or another user's, which all are
                answered alike.
        """
        with _refusals_are_errors("resource_read", caller):
            text = await self._text(uri, caller)
        if text is None:
            code = INVALID_PARAMS if protocol_version in MODERN_PROTOCOL_VERSIONS else LEGACY_NOT_FOUND
            asked = bounded_name(uri.encode("utf-8", "replace").decode())
            raise MCPError(code, "Resource not found: it expired, was replaced, or never was.", {"uri": asked})
        return types.TextResourceContents(uri=uri, mime_type=_MIME_TYPE, text=text)

    async def _text(self, uri: str, caller: Caller) -> str | None:
        """What a document costs follows from its size: a unit for as many bytes as a tool's answer may have."""
        await self._rate_limit.spend(caller.user, units=1)
        check_gate(_TOOL, caller)
        run_id = run_id_of(uri)
        size = None if run_id is None else await self._sessions.size(caller.user, run_id)
        if run_id is None or size is None:
            return None
        if more := (size - 1) // OUTPUT_BYTE_BUDGET:
            await self._rate_limit.spend(caller.user, units=more)
        return await self._sessions.text(caller.user, run_id)


def _shown(live: Live) -> types.Resource:
    session = live.session
    title = f"{session.repo} at {session.commit[:12]}, round {session.rounds} of {CODE_ROUNDS_MAX}"
    return types.Resource(uri=resource_uri(live.run_id), name="code.json", title=title, mime_type=_MIME_TYPE, size=live.size)


@contextmanager
def _refusals_are_errors(event: str, caller: Caller) -> Iterator[None]:
    """Around one request, which is logged as `event`: the outermost boundary, which no exception's text passes.

    Raises:
        MCPError: for a refusal, and for our own defects.
    """
    began, call_id = time.monotonic(), str(uuid.uuid4())
    refused: Refused | None = None
    try:
        yield
    except Refused as refusal:
        refused = refusal
    except Exception:
        log.exception("internal_error", request=event, call_id=call_id)
        message = "A defect of the server; the operator finds it in the log under call_id."
        refused = Refused(ErrorCode.INTERNAL_ERROR, call_id=call_id, message=message)
    code = {} if refused is None else {"refused": refused.code.value}
    log.info(event, call_id=call_id, user=caller.user, seconds=round(time.monotonic() - began, 4), **code)
    if refused is not None:
        text = f"{refused.code}: {refused.fields['message']}" if "message" in refused.fields else refused.code.value
        raise MCPError(_CODES.get(refused.code, INTERNAL_ERROR), text, dict(refused.answer()))
