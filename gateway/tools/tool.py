"""What the gateway knows of a tool: how it is shown, who may use it, which task does its work. Nothing of how the work is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from shared.limits import OUTPUT_BYTE_BUDGET
from shared.tasks import TaskKind
from shared.wire.schema import shown_schema
from shared.wire.text import Arguments


def _one_unit(_arguments: Mapping[str, Any]) -> int:
    return 1


@dataclass(frozen=True)
class Tool:
    """One row of the table in `registry.py`."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    kind: TaskKind
    admin: bool
    """Whether only the users in `CODEKEEPER_ADMIN_USERS` may use it (PLT-62)."""
    writes: bool = False
    """Whether it needs a token with the scope `write` (PLT-61)."""
    overwrites: bool = False
    """Whether what it writes takes the place of something, in place of standing beside it as a version (PLT-9)."""
    repeatable: bool = False
    """Whether the same call a second time changes nothing more; of one that writes."""
    units: Callable[[Mapping[str, Any]], int] = _one_unit
    """What a call costs against the rate limit, by its arguments as they were sent (PLT-86). It may refuse the call for their number."""

    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments. One object for all callers, who leave it as it is."""
        return _schema_of(self.arguments)

    def meta(self) -> dict[str, Any]:
        """What `tools/list` declares beside the schema: the answer's ceiling, in characters (GRF-69, PLT-93)."""
        return {"anthropic/maxResultSizeChars": OUTPUT_BYTE_BUDGET}


_schema_of = cache(shown_schema)  # the SDK asks for it in every call, and making one takes as long as reading a file
