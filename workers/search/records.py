"""What `git grep -z` prints, read piece by piece while it comes. Pure functions of bytes; nothing of a line but its beginning is held.

A path may hold any byte but NUL, a line any byte but a line feed: NUL too, where it stands far from the file's head.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workers.search.line_start import LineStart

MAX_PATH_BYTES: Final = 256 * 1024
"""Bytes of a path before the output counts as unreadable: more than an answer can hold."""


class UnreadableOutput(Exception):  # noqa: N818 - a verdict about git's output, for the pass to judge
    """Not the records that were asked for."""


@dataclass(frozen=True)
class FoundLine:
    """A matching line."""

    path: bytes
    """The path as git stores it (SRC-57)."""
    line: int
    """From 1."""
    start: LineStart


class LineRecords:
    """Records `commit:path NUL line NUL text LF`."""

    def __init__(self, commit_id: str) -> None:
        self._prefix = commit_id.encode() + b":"
        self._head = bytearray()
        self._path = b""
        self._line = 0
        self._start: LineStart | None = None

    def feed(self, piece: bytes) -> Iterator[FoundLine]:
        """The lines that `piece` completes.

        Raises:
            UnreadableOutput: it can't be told where a record ends.
        """
        at = 0
        while at < len(piece):
            if self._start is None:
                at = self._read_head(piece, at)
                continue
            end = piece.find(b"\n", at)
            self._start.add(piece[at : len(piece) if end < 0 else end])
            if end < 0:
                return
            yield FoundLine(self._path, self._line, self._start)
            self._start = None
            at = end + 1

    def _read_head(self, piece: bytes, at: int) -> int:
        """Take in a path or a line number, or what is there of it. Returns the index after it."""
        nul = piece.find(b"\0", at)
        end = len(piece) if nul < 0 else nul + 1
        self._head += piece[at:end]
        if len(self._head) > MAX_PATH_BYTES:
            raise UnreadableOutput("a path without end")
        if self._head.count(b"\0") == 2:  # noqa: PLR2004 - one ends the path, one the number
            path, number, _ = bytes(self._head).split(b"\0")
            self._path, self._line = _path(path, self._prefix), _number(number)
            self._head.clear()
            self._start = LineStart()
        return end


class CountRecords:
    """Records `commit:path NUL count LF`."""

    def __init__(self, commit_id: str) -> None:
        self._prefix = commit_id.encode() + b":"
        self._rest = b""

    def feed(self, piece: bytes) -> Iterator[tuple[bytes, int]]:
        """Path and count of the records that `piece` completes.

        Raises:
            UnreadableOutput: it can't be told where a record ends.
        """
        data, at = self._rest + piece, 0
        # The path, which may hold line feeds, ends at the first NUL; the count, which is digits, at the line feed after it.
        while (nul := data.find(b"\0", at)) >= 0 and (end := data.find(b"\n", nul)) >= 0:
            yield _path(data[at:nul], self._prefix), _number(data[nul + 1 : end])
            at = end + 1
        self._rest = data[at:]
        if len(self._rest) > MAX_PATH_BYTES:
            raise UnreadableOutput("a path without end")


def _path(named: bytes, prefix: bytes) -> bytes:
    if not named.startswith(prefix):
        raise UnreadableOutput("a record of another commit")
    return named.removeprefix(prefix)


def _number(digits: bytes) -> int:
    if not digits.isdigit():
        raise UnreadableOutput("a number that is none")
    return int(digits)
