"""One reading session, as it is between two calls: what it reads, what it may still spend, and where its one resource is read."""

import re
import secrets
from typing import Final

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveInt

from shared.limits import CODE_ROUNDS_MAX

_RUN_ID_BYTES: Final = 16
"""Random bytes of a `runId`: 128 bits can't be guessed."""

_RUN_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
"""How those bytes are written. What is written otherwise names no session, and no store is asked."""

URI_TEMPLATE: Final = "codekeeper://code/{runId}/code.json"
"""The resource of a session's last success."""

_URI: Final = re.compile(re.escape(URI_TEMPLATE).replace(re.escape("{runId}"), f"({_RUN_ID.pattern})"))


class Session(BaseModel):
    """The state of a session. It never changes: a success makes a new one, under a new `runId`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repo: str
    ref: str
    """The ref as its first call understood it."""
    commit: str
    """The full id of the commit that every round reads (RCC-46)."""
    cap: PositiveInt
    """`o200k_base` tokens of all its rounds together, at the most (RCC-30)."""
    spent: NonNegativeInt = 0
    """Tokens of all that was delivered (RCC-31)."""
    rounds: NonNegativeInt = 0
    """Successful reads (RCC-31)."""

    @property
    def remaining(self) -> int:
        """Tokens that it may still deliver."""
        return self.cap - self.spent

    @property
    def is_read_out(self) -> bool:
        """Whether it has had all its rounds."""
        return self.rounds >= CODE_ROUNDS_MAX

    def after(self, tokens: int) -> "Session":
        """The session after a success that delivered that many tokens, at most `remaining`."""
        return self.model_copy(update={"spent": self.spent + tokens, "rounds": self.rounds + 1})


def new_run_id() -> str:
    """A name for a success that nobody can guess."""
    return secrets.token_urlsafe(_RUN_ID_BYTES)


def is_run_id(text: str) -> bool:
    """Whether the text is written as a `runId` is."""
    return _RUN_ID.fullmatch(text) is not None


def resource_uri(run_id: str) -> str:
    """Where that success's document is read."""
    return URI_TEMPLATE.replace("{runId}", run_id)


def run_id_of(uri: str) -> str | None:
    """The `runId` in a resource's address; None for any other address."""
    found = _URI.fullmatch(uri)
    return None if found is None else found[1]
