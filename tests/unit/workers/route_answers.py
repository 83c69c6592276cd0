"""The two web routes' tasks as functions."""

from typing import Any

from shared.wire.file_routes import FileAtCommitParameters, FileHistoryParameters
from tests.unit.workers.reading_calls import answer_of
from workers.tasks.file_at_commit import file_at_commit
from workers.tasks.file_history import file_history


def history(file: str, repo: str = "case", **parameters: Any) -> dict[str, Any]:
    """The answer of `GET /repo/api/history`'s task, refusals in the tools' form."""
    return answer_of(file_history, FileHistoryParameters(repo=repo, file=file, **parameters))


def at_commit(file: str, repo: str = "case", **parameters: Any) -> dict[str, Any]:
    """The answer of `GET /repo/api/file-at-commit/<commit>`'s task, refusals in the tools' form."""
    return answer_of(file_at_commit, FileAtCommitParameters(repo=repo, file=file, **parameters))
