"""One `tools/call`, from its entry to the text that is sent. Read this file top to bottom to follow a call through the gateway.

Before it, authentication (`checks/bearer_token.py`) and the body's size (the SDK's, at `MAX_REQUEST_BODY_BYTES`) have let the request in.
"""

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from gateway.checks.arguments import validated
from gateway.checks.gates import gate_refusal
from gateway.checks.rate_limit import RateLimit
from gateway.dispatch.dispatcher import Dispatcher
from gateway.tools.registry import TOOLS
from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.wire.call import Call, Caller

log = structlog.get_logger()

# Where the contract sets the error flag: what kept the tool from being called (PLT-61, PLT-64, PLT-141). A tool's own `ok: false` has none.
_FLAGGED = frozenset({ErrorCode.UNKNOWN_TOOL, ErrorCode.UNKNOWN_ARGUMENT, ErrorCode.INVALID_ARGUMENTS})


@dataclass(frozen=True)
class ToolAnswer:
    """What goes out: one text, and whether it carries the protocol's error flag."""

    text: str
    is_error: bool = False


class ToolCalls:
    """Runs tool calls: the ordered checks, then one task for one call."""

    def __init__(self, rate_limit: RateLimit, dispatcher: Dispatcher) -> None:
        self._rate_limit = rate_limit
        self._dispatcher = dispatcher

    async def call(self, name: str, arguments: Mapping[str, Any], caller: Caller) -> ToolAnswer:
        """The answer to `caller`'s call of the tool `name`. Never raises but for cancellation: refusals and our own defects are answers."""
        entered = time.time()
        call_id = str(uuid.uuid4())
        with structlog.contextvars.bound_contextvars(call_id=call_id):
            try:
                answer = await self._checked_and_sent(entered, call_id, name, arguments, caller)
            except Refused as refused:
                answer = ToolAnswer(render(refused.answer()).decode(), is_error=refused.code in _FLAGGED)
            except Exception:  # the outermost boundary: whatever is left is our own defect
                log.exception("internal_error", tool=name)
                message = "A defect of the server; the operator finds it in the log under call_id."
                defect = Refused(ErrorCode.INTERNAL_ERROR, call_id=call_id, message=message)
                answer = ToolAnswer(render(defect.answer()).decode())
            seconds = round(time.time() - entered, 4)
            log.info("tool_called", tool=name if name in TOOLS else None, user=caller.user, seconds=seconds, chars=len(answer.text))
            return answer

    async def _checked_and_sent(self, entered: float, call_id: str, name: str, arguments: Mapping[str, Any], caller: Caller) -> ToolAnswer:
        tool = TOOLS.get(name)
        await self._rate_limit.spend(caller.user, units=1)
        if tool is None:
            raise Refused(ErrorCode.UNKNOWN_TOOL, message="No tool of that name; tools/list names them.")
        if (refusal := gate_refusal(tool, caller)) is not None:
            return ToolAnswer(refusal, is_error=True)
        checked = validated(tool.arguments, arguments)
        assert tool.kind.deadline_s is not None  # noqa: S101 - a test holds that every tool's task has one
        call = Call(id=call_id, caller=caller, deadline=entered + tool.kind.deadline_s, arguments=checked.model_dump())
        sent = await self._dispatcher.answer(tool.kind, call)
        return ToolAnswer(sent.decode())
