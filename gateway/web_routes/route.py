"""What the gateway knows of a web route, and the two that there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gateway.web_routes.statuses import FILE_AT_COMMIT_STATUSES, HISTORY_STATUSES, Status
from shared.tasks import FILE_AT_COMMIT, FILE_HISTORY, TaskKind
from shared.wire.file_routes import FileAtCommitParameters, FileHistoryParameters
from shared.wire.text import Arguments


@dataclass(frozen=True)
class WebRoute:
    """An `Operation` that is asked by `GET`."""

    path: str
    """Its address; what stands in braces is a parameter, and may hold slashes."""
    arguments: type[Arguments]
    kind: TaskKind
    statuses: Mapping[str, Status]
    """How its refusals are answered."""
    admin: bool = True
    """As for the tools of the same data."""
    writes: bool = False

    def units(self, _parameters: Mapping[str, Any], /) -> int:
        """A request costs one unit."""
        return 1

    @property
    def name(self) -> str:
        """What refusals and the log call it."""
        return f"GET {self.path.partition('{')[0]}"


WEB_ROUTES: Final = (
    WebRoute("/repo/api/history", FileHistoryParameters, FILE_HISTORY, HISTORY_STATUSES),
    WebRoute("/repo/api/file-at-commit/{commit:path}", FileAtCommitParameters, FILE_AT_COMMIT, FILE_AT_COMMIT_STATUSES),
)
