"""Whose fault it was that git failed before it printed anything: the query's, the pathspec's or neither's.

Git is asked again, with the query alone and with the pathspec alone, in a tree without entries: its verdict decides, and not the wording
of its messages.
"""

from pathlib import Path
from typing import Final

from shared.budget import GIT_READ_BYTES
from shared.errors import ErrorCode, Refused
from shared.tasks import GIT_QUESTION_TIMEOUT_S
from workers.mirror.git_process import GitFailed, run_git
from workers.search.command import pattern_alone_arguments, query_alone_arguments
from workers.search.query import Query

_NOTHING_FOUND: Final = 1
"""Git's exit code when it took everything and found nothing."""

_PATTERN_REASONS: Final = (
    ("outside repository", "it leads outside the repository"),
    ("magic '", "it names a magic that git doesn't have"),
    ("Missing ')'", "the ) after its magic words is missing"),
    ("are incompatible", "its magic words exclude each other"),
    ("attr", "its attr: is not well formed"),
)
"""What git says of a pathspec, and how it is told. Git's own words may name folders of this host."""


def refuse_bad_input(query: Query, folder: Path) -> None:
    """Return when git takes both the query and the pathspec, so that the fault was the repository's.

    Raises:
        Refused: `invalid_regex` or `invalid_file_pattern`.
        GitOutOfMemory: git had none left to look at them.
    """
    failed = _failure(query_alone_arguments(query), folder) if query.regex else None
    if failed is not None:
        raise Refused(ErrorCode.INVALID_REGEX, message=f"query: no extended regular expression: {_regex_reason(failed)}.") from failed
    failed = _failure(pattern_alone_arguments(query.file_pattern), folder) if query.file_pattern is not None else None
    if failed is not None:
        raise Refused(ErrorCode.INVALID_FILE_PATTERN, message=f"file_pattern: no pathspec of git: {_pattern_reason(failed)}.") from failed


def _failure(arguments: tuple[str, ...], folder: Path) -> GitFailed | None:
    """How git failed with these arguments; None when it took them, or can't say."""
    try:
        run_git(*arguments, git_dir=folder, timeout_s=GIT_QUESTION_TIMEOUT_S, memory_bytes=GIT_READ_BYTES)
    except GitFailed as failed:
        return None if failed.exit_code in {None, _NOTHING_FOUND} or "not a git repository" in failed.stderr else failed
    return None


def _regex_reason(failed: GitFailed) -> str:
    """The C library's verdict, which stands at the end of git's message, after the query in quotes."""
    _, quoted, verdict = failed.stderr.rpartition("': ")
    return verdict if quoted else "git can't take it"


def _pattern_reason(failed: GitFailed) -> str:
    return next((ours for theirs, ours in _PATTERN_REASONS if theirs in failed.stderr), "git can't take it")
