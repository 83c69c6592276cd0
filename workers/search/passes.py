"""The two passes over one commit: one collects hits, the other adds up numbers (SRC-38 to SRC-46)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from shared.budget import GIT_READ_BYTES
from shared.limits import COUNTED_FILES_MAX, COUNTED_LINES_MAX, HITS_PER_FILE, SEARCH_LINES_PER_RESULT, SEARCH_READ_ON_BYTES
from shared.secret_paths import SecretPaths
from workers.mirror.git_process import EndedBy, GitFailed, GitOutOfMemory, listen_to_git
from workers.search.command import count_arguments, results_arguments
from workers.search.pathspecs import VENDORED_PATH_GLOBS, policy_pathspecs
from workers.search.query import Query
from workers.search.records import CountRecords, FoundLine, LineRecords, UnreadableOutput


class End(StrEnum):
    """How a pass ended."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    """By ourselves: we had enough, or met a ceiling."""
    TIMED_OUT = "timed_out"
    FAILED = "failed"


@dataclass(frozen=True)
class Ended:
    """How a pass ended, and what git said meanwhile."""

    how: End
    complained: bool = False
    """Whether git wrote anything to stderr: with a clean exit code too, it may have skipped an object (SRC-32)."""
    words: str = ""
    """Git's last words, or why it could not be heard, for the log."""
    out_of_memory: GitOutOfMemory | None = None
    """Why it failed, when that was memory."""

    @property
    def blames_objects(self) -> bool:
        """Whether something seems to be wrong with what was searched, if the query was well formed."""
        return self.complained or (self.how is End.FAILED and self.out_of_memory is None)


@dataclass(frozen=True)
class Target:
    """What is searched, by both passes alike (SRC-44, SRC-45)."""

    query: Query
    folder: Path
    """The git directory."""
    tree: str
    """The tree-ish in it: the commit, or a tree of those of its files that can match."""
    policy: SecretPaths

    @property
    def excluded(self) -> list[str]:
        """Negative pathspecs."""
        return [*policy_pathspecs(self.policy.patterns), *(() if self.query.include_vendored else VENDORED_PATH_GLOBS)]


@dataclass(kw_only=True)
class Pass:
    """What both passes find out."""

    filtered: bool = False
    """Whether the policy took something out (SRC-28)."""
    ended: Ended = field(default_factory=lambda: Ended(End.FAILED))


@dataclass(kw_only=True)
class Results(Pass):
    """What the results pass collects."""

    max_results: int
    lines: list[FoundLine] = field(default_factory=list)
    """The page: at most `max_results`, none of a secret path."""
    seen: int = 0
    """Lines that may be shown, on the page or beyond it."""
    capped: bool = False
    """Whether a file gave as many lines as the limit per file, and so may have more (SRC-43)."""

    @property
    def per_file(self) -> int:
        """Lines of one file at the most (SRC-39)."""
        return min(self.max_results, HITS_PER_FILE)

    @property
    def is_total(self) -> bool:
        """Whether `seen` is all there is (SRC-42)."""
        return self.ended.how is End.COMPLETE and not self.capped


@dataclass(kw_only=True)
class Count(Pass):
    """What the counting pass adds up."""

    lines: int = 0
    files: int = 0


def collect(target: Target, timeout_s: float) -> Results:
    """The results pass, of at most `timeout_s` seconds. Never raises for what git does: how it ended is in the result."""
    max_results = target.query.max_results
    results = Results(max_results=max_results)
    records = LineRecords(target.tree)
    of_file: tuple[bytes, int] = (b"", 0)
    read = read_on = 0

    def on_stdout(piece: bytes) -> bool:
        nonlocal of_file, read, read_on
        for found in records.feed(piece):
            read += 1
            if target.policy.denies(shown_path(found.path)):
                results.filtered = True
                continue
            of_file = (found.path, of_file[1] + 1 if found.path == of_file[0] else 1)
            results.capped = results.capped or of_file[1] >= results.per_file
            results.seen += 1
            if len(results.lines) < max_results:
                results.lines.append(found)
        if len(results.lines) < max_results:
            return read <= max_results * SEARCH_LINES_PER_RESULT
        # The page is full. Reading on is of use while it may end with the total, which then needs no second pass.
        read_on += len(piece)
        return not results.capped and read <= max_results * SEARCH_LINES_PER_RESULT and read_on <= SEARCH_READ_ON_BYTES

    arguments = results_arguments(target.query, target.tree, target.excluded, results.per_file)
    results.ended = _run(target, arguments, on_stdout, timeout_s)
    return results


def count(target: Target, timeout_s: float) -> Count:
    """The counting pass, of at most `timeout_s` seconds; not a line is held (SRC-41). Never raises for what git does."""
    counted = Count()
    records = CountRecords(target.tree)

    def on_stdout(piece: bytes) -> bool:
        for path, lines in records.feed(piece):
            if target.policy.denies(shown_path(path)):
                counted.filtered = True
                continue
            counted.lines += lines
            counted.files += 1
        return counted.lines < COUNTED_LINES_MAX and counted.files < COUNTED_FILES_MAX

    counted.ended = _run(target, count_arguments(target.query, target.tree, target.excluded), on_stdout, timeout_s)
    return counted


def shown_path(path: bytes) -> str:
    """A path as answers and the policy see it: bytes that aren't UTF-8 are U+FFFD (TREE-42)."""
    return path.decode("utf-8", "replace")


def _run(target: Target, arguments: tuple[str, ...], on_stdout: Callable[[bytes], bool], timeout_s: float) -> Ended:
    complained = False

    def on_stderr(piece: bytes) -> None:
        nonlocal complained
        complained = complained or bool(piece.strip())

    try:
        ended = listen_to_git(
            *arguments,
            on_stdout=on_stdout,
            on_stderr=on_stderr,
            git_dir=target.folder,
            timeout_s=timeout_s,
            memory_bytes=GIT_READ_BYTES,
        )
    except (GitFailed, UnreadableOutput) as failed:
        return Ended(End.FAILED, complained, str(failed))
    except GitOutOfMemory as failed:
        return Ended(End.FAILED, complained, failed.reason, failed)
    ends = {EndedBy.TIMEOUT: End.TIMED_OUT, EndedBy.LISTENER: End.STOPPED}
    # Exit code 0 is something found, 1 nothing.
    how = ends.get(ended.by) or (End.COMPLETE if ended.exit_code in {0, 1} else End.FAILED)
    return Ended(how, complained, ended.stderr)
