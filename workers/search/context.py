"""Lines around hits, out of the blobs by line number: in what `git grep` prints they can't be told from hits (SRC-53, SRC-61)."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from workers.mirror.commit_files import CommitFiles, OutOfTime
from workers.search.line_start import LineStart
from workers.search.records import FoundLine


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


def contexts(files: CommitFiles, found: Sequence[FoundLine], lines: int, until: float) -> Iterator[Context]:
    """The `lines` before and after each hit, in the order of the hits; `until` is monotonic seconds.

    Raises:
        OutOfTime: `until` has come.
        SyncMayExplain: `read_failed` when a blob can't be read.
    """
    for path, of_file in groupby(found, key=lambda hit: hit.path):
        if (left := until - time.monotonic()) <= 0:
            raise OutOfTime
        hits = [hit.line for hit in of_file]
        window = LineWindow(line for hit in hits for line in range(max(hit - lines, 1), hit + lines + 1))
        files.read(path, window.feed, left)
        for hit in hits:
            yield Context(window.shown(range(max(hit - lines, 1), hit)), window.shown(range(hit + 1, hit + lines + 1)))
