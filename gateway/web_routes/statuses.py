"""The HTTP status of every refusal, one map a route (REF-93), and what each is called there (REF-27)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from shared.errors import ErrorCode


@dataclass(frozen=True)
class Status:
    """One row of a map."""

    http: int
    message: str = ""
    """Said where the refusal has no message of its own. Names in braces are fields of the refusal."""
    error: str | None = None
    """The code that the body carries, where a web route has another one than the tools."""


CLIENT_GONE: Final = 499
"""Status of a request whose client went away before it was answered. Nobody reads it but whoever reads the access log."""

IN_NO_MAP: Final = Status(500, "The server could not answer.")
"""A code that a map lacks (REF-93)."""

_BOTH: Final[Mapping[str, Status]] = {
    # What was sent.
    ErrorCode.UNKNOWN_ARGUMENT: Status(400),
    ErrorCode.INVALID_ARGUMENTS: Status(400, "{problems[0][where]}: {problems[0][what]}"),
    ErrorCode.MISSING_REPO: Status(400, "The parameter repo is missing."),
    ErrorCode.MISSING_FILE: Status(400, "The parameter file is missing."),
    ErrorCode.INVALID_REPO_NAME: Status(400),
    ErrorCode.INVALID_FILE_PATH: Status(400),
    ErrorCode.INVALID_REF: Status(400),
    ErrorCode.PATH_TOO_LONG: Status(400, "The path has {actual_chars} characters, and at most {max_chars} are taken."),
    ErrorCode.REF_TOO_LONG: Status(400, "The ref has {actual_chars} characters, and at most {max_chars} are taken."),
    # What the caller may not see.
    ErrorCode.ADMIN_ONLY: Status(403),
    ErrorCode.INSUFFICIENT_SCOPE: Status(403),
    ErrorCode.PATH_DENIED: Status(403, "Files of that name are never shown."),
    # What isn't here, or can't be sent.
    ErrorCode.REPO_NOT_MIRRORED: Status(404, error="repo_not_found"),
    ErrorCode.REF_NOT_MIRRORED: Status(404),
    ErrorCode.ANSWER_TOO_LARGE: Status(
        413, "The answer would have {bytes} bytes, and at most {max} are sent; codekeeper_get_repo_file reads ranges."
    ),
    # What can be tried again later.
    ErrorCode.RATE_LIMITED: Status(429, "Too many calls; wait {retry_after} s."),
    ErrorCode.SYNC_IN_PROGRESS: Status(503),
    ErrorCode.QUEUE_FULL: Status(503, "The service is busy; wait {retry_after} s."),
    ErrorCode.QUEUE_UNAVAILABLE: Status(503, "The service that reads repositories can't be reached.", error="service_unavailable"),
    ErrorCode.WORKER_LOST: Status(503, "The process that ran the request was lost; wait {retry_after} s."),
    ErrorCode.DEADLINE_EXCEEDED: Status(504, "The request was not answered in time; wait {retry_after} s.", error="timeout"),
    ErrorCode.TIMEOUT: Status(504),
    # What is wrong on our side.
    ErrorCode.READ_FAILED: Status(500, error="git_error"),
    ErrorCode.RESOURCE_LIMIT: Status(500),
    ErrorCode.INTERNAL_ERROR: Status(500, "A defect of the server; the operator finds it in the log under {call_id}."),
}

HISTORY_STATUSES: Final[Mapping[str, Status]] = MappingProxyType(
    {
        **_BOTH,
        ErrorCode.NOT_FOUND: Status(404, "No commit up to {resolved_commit} changed a file of that path.", error="file_not_found"),
    }
)
"""Of `GET /repo/api/history`."""

FILE_AT_COMMIT_STATUSES: Final[Mapping[str, Status]] = MappingProxyType(
    {
        **_BOTH,
        ErrorCode.NOT_FOUND: Status(404, "The file is not in the commit {resolved_commit}.", error="file_not_in_commit"),
        ErrorCode.FILE_TOO_LARGE: Status(413, "The file has {size} bytes, and at most {max} are shown."),
    }
)
"""Of `GET /repo/api/file-at-commit/<commit>`."""
