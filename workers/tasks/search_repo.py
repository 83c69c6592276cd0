"""`codekeeper_search_repo`: lines of a mirror's default branch that match, and how many there are."""

from typing import Any

from celery import shared_task

from shared.errors import ErrorCode, Refused
from shared.paths import check_repo_name
from shared.settings import settings
from shared.tasks import SEARCH_REPO
from shared.wire.call import Call
from shared.wire.search_repo import SearchRepoArguments
from workers.mirror.commit_files import CommitFiles
from workers.mirror.failures import a_sync_may_explain
from workers.mirror.open_mirror import open_mirror
from workers.mirror.resolve_ref import resolve_ref
from workers.resources import engine, secret_paths
from workers.run_call import run_call
from workers.search.query import Query, check_query
from workers.search.search import search


def search_repo(arguments: SearchRepoArguments, _call: Call) -> bytes:
    """The answer, its checks in the contract's order: repository, query, pattern, mirror, branch, git.

    Raises:
        Refused: any code of the contract's table of errors.
    """
    if not arguments.repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    pattern = arguments.file_pattern
    query = Query(
        text=arguments.query,
        regex=arguments.regex,
        case_sensitive=arguments.case_sensitive,
        file_pattern=None if pattern is None or not pattern.strip() else pattern,
        include_vendored=arguments.include_vendored,
        max_results=arguments.max_results,
        context_lines=arguments.context_lines or 0,
    )
    check_query(query)
    check_repo_name(arguments.repo)
    with a_sync_may_explain(engine(), arguments.repo):
        mirror = open_mirror(settings().mirrors_dir, arguments.repo)
        commit = resolve_ref(mirror, engine(), arguments.repo, ref=None, path=None).commit
        return search(engine(), CommitFiles(mirror, arguments.repo, commit), secret_paths(), query, settings().search_dir)


@shared_task(name=SEARCH_REPO.name, soft_time_limit=SEARCH_REPO.soft_s, time_limit=SEARCH_REPO.hard_s, acks_late=False, max_retries=0)
def search_repo_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, SearchRepoArguments, search_repo)
