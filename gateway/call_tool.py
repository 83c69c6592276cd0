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
from gateway.checks.gates import check_gate
from gateway.checks.rate_limit import RateLimit
from gateway.dispatch.dispatcher import Dispatcher
from gateway.operation import Operation
from gateway.tools.registry import TOOLS
from shared.answer import render
from shared.errors import ErrorCode, Refused, internal_error
from shared.wire.call import Call, Caller

log = structlog.get_logger()

# Where the contract sets the error flag: what kept the tool from being called (PLT-61, PLT-64, PLT-141). A tool's own `ok: false` has none.
_GATES = frozenset({ErrorCode.ADMIN_ONLY, ErrorCode.INSUFFICIENT_SCOPE})
_FLAGGED = _GATES | {ErrorCode.UNKNOWN_TOOL, ErrorCode.UNKNOWN_ARGUMENT, ErrorCode.INVALID_ARGUMENTS}


@dataclass(frozen=True)
class ToolAnswer:
    """What goes out: one text, and whether it carries the protocol's error flag."""

    text: str
    is_error: bool = False


class ToolCalls:
    """Runs calls: the ordered checks, then one task for one call. One per process: whatever door a call comes in by, it counts here."""

    def __init__(self, rate_limit: RateLimit, dispatcher: Dispatcher) -> None:
        self.rate_limit = rate_limit
        """What requests beside calls spend from too."""
        self._dispatcher = dispatcher

    async def call(self, name: str, arguments: Mapping[str, Any], caller: Caller) -> ToolAnswer:
        """The answer to `caller`'s call of the tool `name`. Never raises but for cancellation: refusals and our own defects are answers."""
        outcome = await self.outcome(TOOLS.get(name), arguments, caller)
        if isinstance(outcome, bytes):
            return ToolAnswer(outcome.decode())
        if outcome.code in _GATES:
            return ToolAnswer(f"{outcome.code}: {outcome.fields['message']}", is_error=True)
        return ToolAnswer(render(outcome.answer()).decode(), is_error=outcome.code in _FLAGGED)

    async def outcome(self, operation: Operation | None, arguments: Mapping[str, Any], caller: Caller) -> bytes | Refused:
        """What a call came to: the answer as its worker rendered it, or what the gateway refused it with.

        None stands for an operation that there isn't. Never raises but for cancellation: our own defects are `internal_error`.
        """
        entered = time.time()
        call_id = str(uuid.uuid4())
        with structlog.contextvars.bound_contextvars(call_id=call_id):
            name = None if operation is None else operation.name
            outcome: bytes | Refused
            try:
                outcome = await self._checked_and_sent(entered, call_id, operation, arguments, caller)
            except Refused as refused:
                outcome = refused
            except Exception:  # the outermost boundary: whatever is left is our own defect
                log.exception("internal_error", tool=name)
                outcome = internal_error(call_id)
            size = {"bytes": len(outcome)} if isinstance(outcome, bytes) else {"refused": outcome.code.value}
            log.info("tool_called", tool=name, user=caller.user, seconds=round(time.time() - entered, 4), **size)
            return outcome

    async def _checked_and_sent(
        self, entered: float, call_id: str, operation: Operation | None, arguments: Mapping[str, Any], caller: Caller
    ) -> bytes:
        await self.rate_limit.spend(caller.user, units=1 if operation is None else operation.units(arguments))
        if operation is None:
            raise Refused(ErrorCode.UNKNOWN_TOOL, message="No tool of that name; tools/list names them.")
        check_gate(operation, caller)
        checked = validated(operation.arguments, arguments)
        assert operation.kind.deadline_s is not None  # noqa: S101 - a test holds that every operation's task has one
        deadline = entered + operation.kind.deadline_s
        call = Call(id=call_id, caller=caller, entered=entered, deadline=deadline, arguments=checked.model_dump())
        return await self._dispatcher.answer(operation.kind, call)
