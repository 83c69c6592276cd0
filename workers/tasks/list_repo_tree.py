"""`codekeeper_list_repo_tree`: the paths of one commit, a page at a time, with sizes and line counts on request."""

from collections.abc import Iterator
from typing import Any

import pygit2
import structlog
from celery import shared_task
from sqlalchemy.exc import SQLAlchemyError

from shared.database import line_index
from shared.errors import ErrorCode, Refused
from shared.paths import check_file_path, check_path_length, check_ref_length, check_repo_name
from shared.settings import settings
from shared.tasks import LIST_REPO_TREE
from shared.wire.call import Call
from shared.wire.list_repo_tree import ListRepoTreeArguments
from workers.lists import render_page
from workers.mirror.failures import a_sync_may_explain, read_failed
from workers.mirror.open_mirror import open_mirror
from workers.mirror.resolve_ref import resolve_ref
from workers.mirror.walk_tree import TreeFile, walk_tree
from workers.resources import engine, secret_paths
from workers.run_call import run_call

log = structlog.get_logger()


def list_repo_tree(arguments: ListRepoTreeArguments, _call: Call) -> bytes:
    """The answer: one page of paths in the order of `git ls-tree -r` (TREE-16 to TREE-27), with `entries` on request (TREE-28).

    Raises:
        Refused: any code of TREE section 5.
    """
    if not arguments.repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    check_path_length(arguments.path or "")
    check_ref_length(arguments.ref)
    check_repo_name(arguments.repo)
    below = _filter(arguments.path)
    with a_sync_may_explain(engine(), arguments.repo):
        mirror = open_mirror(settings().mirrors_dir, arguments.repo)
        resolved = resolve_ref(mirror, engine(), arguments.repo, arguments.ref, arguments.path)
        first = (arguments.page - 1) * arguments.per_page
        page: list[TreeFile] = []
        total = 0
        for file in _visible(walk_tree(mirror, arguments.repo, resolved.commit.tree_id), below):
            if first <= total < first + arguments.per_page:
                page.append(file)
            total += 1
        answer: dict[str, object] = {
            "ok": True, "repo": arguments.repo, "ref": resolved.ref, "path": arguments.path,
            "total": total, "page": arguments.page, "per_page": arguments.per_page,
            "paths": [file.shown for file in page],
        }  # fmt: skip
        if arguments.include_stats:
            answer["entries"] = _entries(mirror, arguments.repo, page)
    return render_page(answer | {"truncated": False}, arguments.per_page)


def _filter(path: str | None) -> bytes | None:
    """`path` as the file or folder that is kept, without outer slashes (TREE-18); None for the whole tree (REF-25: blank is not sent)."""
    kept = "" if path is None or not path.strip() else path.strip("/")
    if not kept:
        return None
    check_file_path(kept)
    return kept.encode()


def _visible(files: Iterator[TreeFile], below: bytes | None) -> Iterator[TreeFile]:
    """What the caller may see and asked for: no secret paths (TREE-19), and `below` taken as a path and not as characters."""
    policy = secret_paths()
    for file in files:
        if (below is None or file.path == below or file.path.startswith(below + b"/")) and not policy.denies(file.shown):
            yield file


def _entries(mirror: pygit2.Repository, repo: str, page: list[TreeFile]) -> list[dict[str, object]]:
    """A record for each path of the page (TREE-30): its size from git, its lines from the index in one query."""
    try:
        lines, commit = line_index.lines_of(engine(), repo, [file.shown for file in page])
    except SQLAlchemyError:
        log.warning("line_index_unreadable", repo=repo, exc_info=True)
        lines, commit = {}, None
    entries: list[dict[str, object]] = []
    for file in page:
        # A name that isn't UTF-8 has no row of its own: its shown form may be another file's name.
        counted = None if file.is_submodule or file.shown.encode() != file.path else lines.get(file.shown)
        entries.append(
            {
                "path": file.shown,
                "size": None if file.is_submodule else _size(mirror, repo, file),
                "lines": counted,
                "lines_commit_sha": None if counted is None else commit,
            }
        )
    return entries


def _size(mirror: pygit2.Repository, repo: str, file: TreeFile) -> int:
    try:
        return int(mirror.odb.read_header(file.id)[1])
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "an object of that commit is missing or damaged") from error


@shared_task(
    name=LIST_REPO_TREE.name, soft_time_limit=LIST_REPO_TREE.soft_s, time_limit=LIST_REPO_TREE.hard_s, acks_late=False, max_retries=0
)
def list_repo_tree_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListRepoTreeArguments, list_repo_tree)
