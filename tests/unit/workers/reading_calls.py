"""Calls of the reading tools as functions, and the oracle of their answers' form: the standard library's JSON writer."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from shared.answer import render
from shared.errors import Refused
from shared.wire.call import Call, Caller
from shared.wire.docs_get_section import DocsGetSectionArguments
from shared.wire.get_repo_file import GetRepoFileArguments
from shared.wire.list_repo_tree import ListRepoTreeArguments
from shared.wire.read_batch import ReadBatchArguments
from shared.wire.search_repo import SearchRepoArguments
from workers.run_call import run_call
from workers.tasks.docs_get_section import docs_get_section
from workers.tasks.get_repo_file import get_repo_file
from workers.tasks.list_repo_tree import list_repo_tree
from workers.tasks.read_batch import read_batch
from workers.tasks.search_repo import search_repo

BUDGET = 256_000

ROOMS = {1: 255_925, 2: 255_923, 10: 255_906, 16: 255_888, 20: 255_876}
"""Items of a batch, and bytes of the largest that its answer can hold: the contract's own figures (BAT, section 14)."""


def as_sent(answer: Mapping[str, Any]) -> bytes:
    """The contract's form, written by the standard library."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def answer_of(tool: Callable[[Any, Call], bytes], arguments: Any) -> dict[str, Any]:
    """What a task answers an admin, refusals included."""
    caller = Caller(user="admin", scopes=frozenset({"read"}), admin=True)
    try:
        sent = tool(arguments, Call(id="1", caller=caller, entered=time.time(), deadline=time.time() + 20, arguments={}))
    except Refused as refused:
        sent = render(refused.answer())
    assert len(sent) <= BUDGET
    answer: dict[str, Any] = json.loads(sent)
    return answer


def read_file(path: str, repo: str = "case", **arguments: Any) -> dict[str, Any]:
    """`codekeeper_get_repo_file`'s answer, refusals included."""
    return answer_of(get_repo_file, GetRepoFileArguments(repo=repo, path=path, **arguments))


def list_tree(repo: str = "case", **arguments: Any) -> dict[str, Any]:
    """`codekeeper_list_repo_tree`'s answer, refusals included."""
    return answer_of(list_repo_tree, ListRepoTreeArguments(repo=repo, **arguments))


Sent = dict[str, Any]
"""An item of a batch as it is sent."""


def ask_batch(items: list[Any], *, waited_s: float = 0) -> bytes:
    """What the task of `codekeeper_read_batch` sends for an admin, for a call that came in `waited_s` seconds ago."""
    return _sent(read_batch, ReadBatchArguments, {"items": items}, waited_s)


def ask_single(item: Sent) -> bytes:
    """What the task of the single tool sends for the arguments of a batch's item."""
    arguments = {name: value for name, value in item.items() if name != "kind"}
    if item["kind"] == "file":
        return _sent(get_repo_file, GetRepoFileArguments, arguments)
    return _sent(docs_get_section, DocsGetSectionArguments, arguments)


def _sent(tool: Any, arguments_type: Any, arguments: dict[str, Any], waited_s: float = 0) -> bytes:
    entered = time.time() - waited_s
    caller = {"user": "admin", "scopes": ["read"], "admin": True}
    return run_call(
        {"id": "1", "caller": caller, "entered": entered, "deadline": entered + 35, "arguments": arguments}, arguments_type, tool
    )


@contextmanager
def queries(engine: Engine) -> Iterator[list[str]]:
    """The statements that read tables while this is open."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("SELECT"):
            seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


def search(query: str = "", repo: str = "case", **arguments: Any) -> dict[str, Any]:
    """`codekeeper_search_repo`'s answer, refusals included."""
    return answer_of(search_repo, SearchRepoArguments(repo=repo, query=query, **arguments))


def places(answer: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Path and line of each hit of a search that succeeded."""
    assert answer["ok"], answer
    return [(hit["path"], hit["line"]) for hit in answer["results"]]


def found_paths(**arguments: Any) -> list[str]:
    """The paths of all hits for `needle`, in a tree where each file has one; their number is exact."""
    answer = search("needle", **arguments)
    assert answer["count"] == answer["total"] == len(answer["results"])
    assert (answer["truncated"], "truncation_reason" in answer) == (False, False)
    return [path for path, _ in places(answer)]
