"""What crosses the queue for one tool call: who calls, what for, and until when somebody waits."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Caller(BaseModel):
    """Who is calling, as the token says it; nothing of it comes from arguments (PLT-33)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: str
    """The user's id."""
    scopes: frozenset[str]
    """What the token allows: `read`, and `write` when it was asked for at issue."""
    admin: bool
    """Whether the user is in `CODEKEEPER_ADMIN_USERS`."""


class Call(BaseModel):
    """One tool call on its way to a worker."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """The call's id: the task's too, and the name under which everything about it is logged."""
    caller: Caller
    entered: float
    """Unix time in seconds, by the gateway's clock, at which the call came in; whatever it waited since then counts."""
    deadline: float
    """Unix time in seconds at which the caller is answered whatever happened."""
    arguments: dict[str, Any]
    """The tool's arguments, already validated: the dump of its arguments model."""
