"""Check 5: may this caller use this tool. Hiding a tool is a convenience; this is the access control (PLT-61 to PLT-65)."""

from gateway.tools.tool import Tool
from shared.wire.call import Caller


def gate_refusal(tool: Tool, caller: Caller) -> str | None:
    """Why the caller may not use the tool, as the text of an error result, or None when it may."""
    if tool.admin and not caller.admin:
        return f"admin_only: {tool.name} is for admins of this server."
    if tool.writes and "write" not in caller.scopes:
        return f"insufficient_scope: {tool.name} needs a token with the scope write."
    return None


def is_shown_to(tool: Tool, caller: Caller | None) -> bool:
    """Whether `tools/list` names the tool to the caller; in any doubt the list is a non-admin's (PLT-63)."""
    return not tool.admin or (caller is not None and caller.admin)
