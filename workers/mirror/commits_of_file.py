"""Which commits changed one file, newest first, as `git log -- FILE` has them. Renames are not followed."""

import time

import pygit2
import structlog

from shared.budget import GIT_READ_BYTES
from shared.errors import ErrorCode, Refused, SyncMayExplain
from shared.tasks import GIT_HISTORY_TIMEOUT_S
from workers.mirror.failures import read_failed
from workers.mirror.git_process import GitFailed, run_git
from workers.mirror.resolve_ref import Resolved

log = structlog.get_logger()


def commits_of_file(mirror: pygit2.Repository, repo: str, resolved: Resolved, path: str, *, skip: int, most: int) -> list[str]:
    """Full ids of at most `most` commits, from the resolved one back, without the `skip` newest of them.

    Only what happened to a file at exactly `path` counts: a folder of that name has no history here, so that nothing is told of the
    secret files below it.

    Raises:
        SyncMayExplain: `not_found` when no such commit is there, however few are skipped; `read_failed` when git can't read the mirror.
        Refused: `timeout` when git has not found them within `GIT_HISTORY_TIMEOUT_S`.
    """
    until = time.monotonic() + GIT_HISTORY_TIMEOUT_S

    def walk(skip: int, most: int) -> list[str]:
        # Without the second pattern a folder of that name would match with all that is below it.
        only_the_file = (f":(literal){path}", f":(exclude,literal){path}/")
        arguments = ("rev-list", f"--max-count={most}", f"--skip={skip}", "--end-of-options", resolved.commit_id, "--", *only_the_file)
        printed = run_git(*arguments, git_dir=mirror.path, timeout_s=until - time.monotonic(), memory_bytes=GIT_READ_BYTES)
        return printed.decode("ascii").split()

    # Git would resolve these before it looks, and show another file's history; no tree holds such a name.
    if not {".", ".."}.isdisjoint(path.split("/")):
        raise _not_found(resolved)
    try:
        found = walk(skip, most)
        if not found and not (skip and walk(0, 1)):
            raise _not_found(resolved)
    except GitFailed as failed:
        if failed.timed_out:
            message = f"git did not find the commits within {GIT_HISTORY_TIMEOUT_S} s. Ask for fewer of them (limit, skip)."
            raise Refused(ErrorCode.TIMEOUT, message=message) from failed
        log.warning("git_error", repo=repo, stderr=failed.stderr, exit_code=failed.exit_code)
        raise read_failed(repo, "git could not walk the commits") from failed
    return found


def _not_found(resolved: Resolved) -> SyncMayExplain:
    return SyncMayExplain(ErrorCode.NOT_FOUND, ref=resolved.ref, resolved_commit=resolved.commit_id)
