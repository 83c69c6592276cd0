"""The two web routes' tasks as functions."""

import json
import time
from collections.abc import Callable
from typing import Any

from shared.answer import render
from shared.errors import Refused
from shared.wire.call import Call, Caller
from shared.wire.file_routes import FileAtCommitParameters, FileHistoryParameters
from workers.tasks.file_at_commit import file_at_commit
from workers.tasks.file_history import file_history

BUDGET = 256_000


def _answer(task: Callable[[Any, Call], bytes], parameters: Any) -> dict[str, Any]:
    caller = Caller(user="admin", scopes=frozenset({"read"}), admin=True)
    try:
        sent = task(parameters, Call(id="1", caller=caller, entered=time.time(), deadline=time.time() + 20, arguments={}))
    except Refused as refused:
        sent = render(refused.answer())
    assert len(sent) <= BUDGET
    answer: dict[str, Any] = json.loads(sent)
    return answer


def history(file: str, repo: str = "case", **parameters: Any) -> dict[str, Any]:
    """The answer of `GET /repo/api/history`'s task, refusals in the tools' form."""
    return _answer(file_history, FileHistoryParameters(repo=repo, file=file, **parameters))


def at_commit(file: str, repo: str = "case", **parameters: Any) -> dict[str, Any]:
    """The answer of `GET /repo/api/file-at-commit/<commit>`'s task, refusals in the tools' form."""
    return _answer(file_at_commit, FileAtCommitParameters(repo=repo, file=file, **parameters))
