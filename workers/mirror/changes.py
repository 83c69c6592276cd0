"""What changed between two commits of a mirror, by git's own diff: which files, and where in them.

Commits and blobs are named by their full ids, so that nothing of a caller's stands on a command line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pygit2

from shared.budget import GIT_READ_BYTES
from shared.errors import ErrorCode, Refused
from shared.tasks import GIT_LOCAL_TIMEOUT_S
from workers.mirror.failures import read_failed
from workers.mirror.git_process import GitFailed, run_git

RAW_BYTES_MAX: Final = 4 * 1024 * 1024
"""Bytes of the list of changed files, about 20,000 of them; more than a plan takes, and little beside a task's share of memory."""

DIFF_BYTES_MAX: Final = 10 * 1024 * 1024
"""Bytes of one file's diff, which repeats both sides with a character a line: twice `REVIEW_FILE_BYTES` of empty lines are 8 MiB."""

_FILE_MODES: Final = (b"100644", b"100755")
_LINK_MODE: Final = b"120000"
_SUBMODULE_MODE: Final = b"160000"
_HUNK: Final = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_BINARY: Final = re.compile(rb"^Binary files ", re.MULTILINE)


@dataclass(frozen=True)
class Change:
    """One changed file, as `git diff-tree --raw -M` lists it."""

    status: str
    """`A`dded, `M`odified, `D`eleted, `R`enamed, or of another `T`ype than before."""
    old_mode: bytes
    mode: bytes
    old_id: str
    """The object's full id before; zeros when there was none."""
    id: str
    old_path: bytes
    path: bytes
    """The path after; for a deletion, before."""

    @property
    def is_file(self) -> bool:
        """Whether it is a plain file afterwards."""
        return self.mode in _FILE_MODES

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link afterwards."""
        return self.mode == _LINK_MODE

    @property
    def is_submodule(self) -> bool:
        """Whether it is a submodule afterwards."""
        return self.mode == _SUBMODULE_MODE

    @property
    def was_file(self) -> bool:
        """Whether it was a plain file before."""
        return self.old_mode in _FILE_MODES


class BinaryDiff(Exception):  # noqa: N818 - a finding
    """Git takes one side for binary, so there are no lines to name."""


def parse_raw(listed: bytes) -> Iterator[Change]:
    """The changes in the output of `git diff-tree --raw -z`."""
    fields = iter(listed.split(b"\0")[:-1])
    for field in fields:
        old_mode, mode, old_id, new_id, status = field[1:].split(b" ")
        old_path = next(fields)
        path = next(fields) if status[:1] in b"RC" else old_path
        yield Change(status[:1].decode(), old_mode, mode, old_id.decode(), new_id.decode(), old_path, path)


def parse_hunks(diff: bytes) -> list[tuple[int, int]]:
    """The head side's ranges (first and last line, from 1) in the diff of one file, in order; what leaves no line there has none.

    Every line of content has a character before it, so that none can begin as a hunk does.
    """
    sides = ((int(hunk[1]), 1 if hunk[2] is None else int(hunk[2])) for hunk in _HUNK.finditer(diff))
    return [(start, start + count - 1) for start, count in sides if count]


def merge_base(mirror: pygit2.Repository, repo: str, base: str, head: str) -> str:
    """The full id of the commit that `head` left `base` at, as `git merge-base` finds it.

    Raises:
        Refused: `invalid_input` when they have no commit in common; `resource_limit` when git isn't done in time.
        SyncMayExplain: `read_failed`.
    """
    try:
        return _git(mirror, repo, "merge-base", base, head, max_bytes=1024).decode("ascii").strip()
    except _ExitedWith1:
        message = "base and head have no commit in common, so that there is no change from one to the other."
        raise Refused(ErrorCode.INVALID_INPUT, repo=repo, message=message) from None


def changes(mirror: pygit2.Repository, repo: str, base: str, head: str) -> list[Change]:
    """What differs between two commits, in git's order, renames found.

    Raises:
        Refused: `resource_limit` when the list is too long or git isn't done in time.
        SyncMayExplain: `read_failed`.
    """
    listed = _git(mirror, repo, "diff-tree", "-r", "-z", "--raw", "-M", "--no-commit-id", base, head, max_bytes=RAW_BYTES_MAX)
    return list(parse_raw(listed))


def changed_ranges(mirror: pygit2.Repository, repo: str, change: Change, context: int) -> list[tuple[int, int]]:
    """The changed lines of a file on the head side, with `context` lines around, as `git diff -U<context>` merges them.

    Raises:
        BinaryDiff: git compares it as binary.
        Refused: `resource_limit` when git isn't done in time.
        SyncMayExplain: `read_failed`.
    """
    options = (f"-U{context}", "--inter-hunk-context=0", "--no-color", "--no-ext-diff", "--no-textconv")
    diff = _git(mirror, repo, "diff", *options, change.old_id, change.id, max_bytes=DIFF_BYTES_MAX)
    ranges = parse_hunks(diff)
    if not ranges and _BINARY.search(diff):
        raise BinaryDiff
    return ranges


class _ExitedWith1(Exception):  # noqa: N818 - git's way to say that it found nothing
    pass


def _git(mirror: pygit2.Repository, repo: str, *arguments: str, max_bytes: int) -> bytes:
    try:
        return run_git(
            *arguments, git_dir=mirror.path, timeout_s=GIT_LOCAL_TIMEOUT_S, memory_bytes=GIT_READ_BYTES, max_stdout_bytes=max_bytes
        )
    except GitFailed as failed:
        if failed.exit_code is None:
            message = f"The change is too large to plan its review: git {failed.command}: {failed.how}."
            raise Refused(ErrorCode.RESOURCE_LIMIT, repo=repo, message=message) from failed
        if failed.exit_code == 1 and arguments[0] == "merge-base":
            raise _ExitedWith1 from failed
        raise read_failed(repo, "git could not compare the two commits") from failed
