"""One search from its first pass to its answer: which pass is needed, whose fault a failure is, what a running sync explains."""

import time
from typing import Final

import structlog
from sqlalchemy import Engine

from shared.errors import ErrorCode, SyncMayExplain
from shared.secret_paths import SecretPaths
from shared.tasks import GIT_GREP_TIMEOUT_S, SEARCH_REPO
from workers.mirror.commit_files import CommitFiles, OutOfTime
from workers.mirror.failures import refuse_during_sync
from workers.search.answer import fitted, hit
from workers.search.blame_input import refuse_bad_input
from workers.search.context import Context, contexts
from workers.search.folder import search_folder
from workers.search.numbers import Reason, numbers, page_reason
from workers.search.passes import Count, End, Results, Target, collect, count
from workers.search.query import Query

log = structlog.get_logger()

_FOR_THE_ANSWER_S: Final = 1.5
"""Seconds of the task's soft limit that are kept for everything after the passes and the context."""


def search(engine: Engine, files: CommitFiles, policy: SecretPaths, query: Query) -> bytes:
    """The answer to `query` in the commit of `files`.

    Raises:
        Refused: `invalid_regex`, `invalid_file_pattern`; `sync_in_progress` when git failed while a sync runs (SRC-31).
        SyncMayExplain: `search_failed` when nothing was collected (SRC-34).
        GitOutOfMemory: git met its limit of memory before any hit.
    """
    until = time.monotonic() + SEARCH_REPO.soft_s - _FOR_THE_ANSWER_S
    folder = search_folder(files.folder, files.commit_id)
    target = Target(query, folder, files.commit_id, policy)
    results = collect(target)
    if results.ended.how is End.FAILED and not results.seen:
        _refuse_failure(files.repo, target, results)
    counted = _counted(target, results, until)
    around, cut = _contexts(files, query, results, until)
    context_failed = cut is Reason.SEARCH_FAILED
    if context_failed and not around:
        raise _search_failed(files.repo)
    _log_faults(files.repo, results, counted)
    found = numbers(results, counted, context_failed=context_failed)
    if found.reason is Reason.SEARCH_FAILED:
        refuse_during_sync(engine, files.repo)
    reason = cut or (None if found.total is None else page_reason(results, found.total))
    hits = [hit(line, context) for line, context in zip(results.lines, around, strict=False)]
    return fitted(files.repo, query.text, hits, found, reason)


def _counted(target: Target, results: Results, until: float) -> Count | None:
    """The second pass, when the first can't answer and a count could (SRC-42): not after a failure, a timeout or a filtered hit."""
    if results.is_total or results.filtered or results.ended.how in {End.FAILED, End.TIMED_OUT}:
        return None
    return count(target, min(GIT_GREP_TIMEOUT_S, until - time.monotonic()))


def _contexts(files: CommitFiles, query: Query, results: Results, until: float) -> tuple[list[Context | None], Reason | None]:
    """The context of each hit, None for each when none was asked for; fewer when it can't be read, with the reason."""
    if not query.context_lines:
        return [None] * len(results.lines), None
    around: list[Context | None] = []
    try:  # what comes before an exception stays in the list
        around.extend(contexts(files, results.lines, query.context_lines, until))
    except OutOfTime:
        return around, Reason.TIMEOUT
    except SyncMayExplain as failure:
        log.warning("search_failed", repo=files.repo, message=failure.fields["message"], exc_info=failure.__cause__)
        return around, Reason.SEARCH_FAILED
    return around, None


def _refuse_failure(repo: str, target: Target, results: Results) -> None:
    """Git failed before any hit: the caller's query or pattern, the memory, or the repository (SRC-34)."""
    refuse_bad_input(target.query, target.folder)
    _log_faults(repo, results, None)
    if results.ended.out_of_memory is not None:
        raise results.ended.out_of_memory
    raise _search_failed(repo)


def _log_faults(repo: str, results: Results, counted: Count | None) -> None:
    """What was wrong with the repository; a caller's bad query is none of it, and stands in no log."""
    for ended in (results.ended, *(() if counted is None else (counted.ended,))):
        if ended.how is End.FAILED:
            log.warning("search_failed", repo=repo, stderr=ended.words)
        elif ended.complained:
            log.warning("search_incomplete", repo=repo, stderr=ended.words)


def _search_failed(repo: str) -> SyncMayExplain:
    return SyncMayExplain(
        ErrorCode.SEARCH_FAILED, repo=repo, message="The search failed before any hit. Retry later; if it repeats, it is the operator's."
    )
