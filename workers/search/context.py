"""Lines around hits, out of the blobs by line number: in what `git grep` prints they can't be told from hits (SRC-53, SRC-61)."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import pygit2

from shared.budget import GIT_READ_BYTES
from shared.limits import RANGE_READ_MAX_BYTES
from workers.mirror.failures import read_failed
from workers.mirror.git_process import EndedBy, GitFailed, listen_to_git
from workers.search.line_start import LineStart
from workers.search.records import FoundLine

_BLOCK_BYTES: Final = 65_536
"""Bytes of a loaded blob that are looked at at once."""


class OutOfTime(Exception):  # noqa: N818 - a fact about the clock
    """The context of a file could not be read in the time that was left."""


@dataclass(frozen=True)
class Context:
    """The lines around one hit, as they are shown."""

    before: list[str]
    after: list[str]


class LineWindow:
    """Picks lines out of a text that comes in pieces. A line end at the text's end opens no line, as in git."""

    def __init__(self, wanted: Iterable[int]) -> None:
        """`wanted` are line numbers, from 1."""
        self._wanted = sorted(set(wanted), reverse=True)
        self._line = 1
        self._found: dict[int, LineStart] = {}

    def feed(self, piece: bytes) -> bool:
        """Take in the next piece. Returns whether any wanted line may still come."""
        at = 0
        while at < len(piece) and self._wanted:
            if self._line < self._wanted[-1]:
                to_pass = self._wanted[-1] - self._line
                ends = piece.count(b"\n", at)
                if ends < to_pass:
                    self._line += ends
                    return True
                for _ in range(to_pass):
                    at = piece.index(b"\n", at) + 1
                self._line += to_pass
                continue
            end = piece.find(b"\n", at)
            self._found.setdefault(self._line, LineStart(indented=True)).add(piece[at : len(piece) if end < 0 else end])
            if end < 0:
                return True
            at = end + 1
            self._line += 1
            self._wanted.pop()
        return bool(self._wanted)

    def shown(self, lines: Iterable[int]) -> list[str]:
        """Those of the lines that are there, cut as snippets are; indentation stays, white space at the end doesn't."""
        return [self._found[line].shown(first=line == 1)[0] for line in lines if line in self._found]


@dataclass(frozen=True)
class ContextReader:
    """Reads around hits in one commit."""

    mirror: pygit2.Repository
    repo: str
    commit: pygit2.Commit
    until: float
    """Monotonic seconds at which reading ends."""

    def around(self, found: Sequence[FoundLine], lines: int) -> Iterator[Context]:
        """The `lines` before and after each hit, in the order of the hits.

        Raises:
            OutOfTime: `until` has come.
            SyncMayExplain: `read_failed` when a blob can't be read.
        """
        for path, of_file in groupby(found, key=lambda hit: hit.path):
            if time.monotonic() >= self.until:
                raise OutOfTime
            hits = [hit.line for hit in of_file]
            window = LineWindow(line for hit in hits for line in range(max(hit - lines, 1), hit + lines + 1))
            self._fill(window, path)
            for hit in hits:
                yield Context(window.shown(range(max(hit - lines, 1), hit)), window.shown(range(hit + 1, hit + lines + 1)))

    def _fill(self, window: LineWindow, path: bytes) -> None:
        try:
            blob_id = (self.commit.tree / os.fsdecode(path)).id
            _, size = self.mirror.odb.read_header(blob_id)
            if size > RANGE_READ_MAX_BYTES:
                self._stream(window, str(blob_id))
                return
            _, data = self.mirror.read(blob_id)
        except (pygit2.GitError, KeyError, ValueError, OSError) as error:
            raise read_failed(self.repo, "a file with hits is missing or damaged") from error
        for first in range(0, size, _BLOCK_BYTES):
            if not window.feed(data[first : first + _BLOCK_BYTES]):
                return

    def _stream(self, window: LineWindow, blob_id: str) -> None:
        """A blob that is too large to be loaded comes through git, a piece at a time."""
        try:
            ended = listen_to_git(
                "cat-file", "blob", blob_id,
                on_stdout=window.feed, git_dir=self.mirror.path, timeout_s=self.until - time.monotonic(), memory_bytes=GIT_READ_BYTES,
            )  # fmt: skip
        except GitFailed as failed:
            raise read_failed(self.repo, "git could not be started") from failed
        if ended.by is EndedBy.TIMEOUT:
            raise OutOfTime
        if ended.by is EndedBy.ITSELF and ended.exit_code != 0:
            raise read_failed(self.repo, "a file with hits is missing or damaged")
