"""Check 5: may this caller use this tool. Hiding a tool is a convenience; this is the access control (PLT-61 to PLT-65)."""

from gateway.operation import Operation
from gateway.tools.tool import Tool
from shared.errors import ErrorCode, Refused
from shared.wire.call import Caller


def check_gate(operation: Operation, caller: Caller) -> None:
    """Pass when the caller may use it.

    Raises:
        Refused: `admin_only`, or else `insufficient_scope`.
    """
    if operation.admin and not caller.admin:
        raise Refused(ErrorCode.ADMIN_ONLY, message=f"{operation.name} is for admins of this server.")
    if operation.writes and "write" not in caller.scopes:
        raise Refused(ErrorCode.INSUFFICIENT_SCOPE, message=f"{operation.name} needs a token with the scope write.")


def is_shown_to(tool: Tool, caller: Caller | None) -> bool:
    """Whether `tools/list` names the tool to the caller; in any doubt the list is a non-admin's (PLT-63)."""
    return not tool.admin or (caller is not None and caller.admin)
