"""What the checks and the dispatch need to know of something that can be called, whichever door leads to it."""

from collections.abc import Mapping
from typing import Any, Protocol

from shared.tasks import TaskKind
from shared.wire.text import Arguments


class Operation(Protocol):
    """A tool, or a web route."""

    @property
    def name(self) -> str:
        """What refusals and the log call it."""

    @property
    def arguments(self) -> type[Arguments]:
        """The model of its arguments."""

    @property
    def kind(self) -> TaskKind:
        """The task that does its work; one with a deadline."""

    @property
    def admin(self) -> bool:
        """Whether only the users in `CODEKEEPER_ADMIN_USERS` may use it (PLT-62)."""

    @property
    def writes(self) -> bool:
        """Whether it needs a token with the scope `write` (PLT-61)."""

    def units(self, arguments: Mapping[str, Any], /) -> int:
        """What a call costs against the rate limit, by its arguments as they were sent (PLT-86).

        Raises:
            Refused: for their number.
        """
