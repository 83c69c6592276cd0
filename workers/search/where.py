"""Where the two passes of a search look: in what a sync made for it, and in the mirror where that isn't there or doesn't hold."""

import time
from pathlib import Path

from shared.secret_paths import SecretPaths
from shared.tasks import GIT_GREP_TIMEOUT_S
from workers.filter.narrow import narrowed
from workers.mirror.commit_files import CommitFiles
from workers.mirror.search_folder import search_folder
from workers.search.blame_input import refuse_bad_input
from workers.search.passes import Count, End, Results, Target, collect, count
from workers.search.query import Query


def both_passes(files: CommitFiles, policy: SecretPaths, query: Query, search_dir: Path, until: float) -> tuple[Results, Count | None]:
    """The results, and the count where they don't say it, of the commit of `files`, until `until`, in monotonic seconds.

    The search copy has the same objects and the filter leaves in every file that can match, so that neither changes an answer. Objects that
    git finds fault with in the copy are looked for in the mirror, which alone says what is missing (SRC-30, SRC-32).

    Raises:
        Refused: `invalid_regex` or `invalid_file_pattern`.
        GitOutOfMemory: git had no memory left to look at the query.
    """
    with search_folder(search_dir, files.folder, files.repo, files.commit_id) as folder:
        with narrowed(folder, files.commit_id, query.text, regex=query.regex, case_sensitive=query.case_sensitive) as (git_dir, tree):
            results, counted = _passes(Target(query, git_dir, tree, policy), until)
        if not folder.is_copy or not any(one.ended.blames_objects for one in (results, counted) if one is not None):
            return results, counted
        if results.ended.how is End.FAILED and not results.seen:
            refuse_bad_input(query, files.folder)
        folder.distrust()
    return _passes(Target(query, files.folder, files.commit_id, policy), until)


def _passes(target: Target, until: float) -> tuple[Results, Count | None]:
    """The second only when the first can't answer and a count could: not after a failure, a timeout or a hit that was filtered (SRC-42)."""
    results = collect(target, _left(until))
    if results.is_total or results.filtered or results.ended.how in {End.FAILED, End.TIMED_OUT}:
        return results, None
    return results, count(target, _left(until))


def _left(until: float) -> float:
    return min(GIT_GREP_TIMEOUT_S, until - time.monotonic())
