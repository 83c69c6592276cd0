"""One search from its first pass to its answer: what a failure means, and what a running sync explains."""

import time
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import Engine

from shared.errors import ErrorCode, SyncMayExplain
from shared.secret_paths import SecretPaths
from shared.tasks import SEARCH_REPO
from workers.mirror.commit_files import CommitFiles, OutOfTime
from workers.mirror.failures import refuse_during_sync
from workers.search.answer import fitted, hit
from workers.search.blame_input import refuse_bad_input
from workers.search.context import Context, contexts
from workers.search.numbers import Reason, numbers, page_reason
from workers.search.passes import Count, End, Results
from workers.search.query import Query
from workers.search.where import both_passes

log = structlog.get_logger()

_FOR_THE_ANSWER_S: Final = 1.5
"""Seconds of the task's soft limit that are kept for everything after the passes and the context."""


def search(engine: Engine, files: CommitFiles, policy: SecretPaths, query: Query, search_dir: Path) -> bytes:
    """The answer to `query` in the commit of `files`. `search_dir` is where syncs keep what makes searches fast.

    Raises:
        Refused: `invalid_regex`, `invalid_file_pattern`; `sync_in_progress` when git failed while a sync runs (SRC-31).
        SyncMayExplain: `search_failed` when nothing was collected (SRC-34).
        GitOutOfMemory: git met its limit of memory before any hit.
    """
    until = time.monotonic() + SEARCH_REPO.soft_s - _FOR_THE_ANSWER_S
    results, counted = both_passes(files, policy, query, search_dir, until)
    if results.ended.how is End.FAILED and not results.seen:
        _refuse_failure(files, query, results)
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


def _refuse_failure(files: CommitFiles, query: Query, results: Results) -> None:
    """Git failed before any hit: the caller's query or pattern, the memory, or the repository (SRC-34)."""
    refuse_bad_input(query, files.folder)
    _log_faults(files.repo, results, None)
    if results.ended.out_of_memory is not None:
        raise results.ended.out_of_memory
    raise _search_failed(files.repo)


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
