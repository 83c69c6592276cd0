"""Which lines of a text hold a string, and how they are shown. Pure functions of text.

Nothing here splits a whole text into its lines: a file of ten million line ends would become ten million strings.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from workers.reading.lines import line_start
from workers.search.line_start import LineStart

_BLOCK_CHARS: Final = 65_536
"""Characters that are folded or encoded at once: folding takes twelve bytes for each beside its result."""


def find_lines(text: str, query: str, most: int) -> tuple[list[int], int]:
    """The first `most` lines, from 1, that hold `query` whatever its case, and how many lines of `text` do (GTF-64 to GTF-70).

    The match is literal, of case-folded text. `query` is not empty and holds no line end.
    """
    wanted = query.casefold()
    # Folding looks at one character at a time, and makes no line end of any: blocks may be folded apart, and lines stay what they were.
    folded = "".join(block.casefold() for block in _blocks(text, 0, len(text)))
    lines: list[int] = []
    total, line, at = 0, 1, 0
    while (hit := folded.find(wanted, at)) >= 0:
        total += 1
        if len(lines) < most:
            line += folded.count("\n", at, hit)
            lines.append(line)
        at = folded.find("\n", hit) + 1
        if not at:
            break
        line += 1
    return lines, total


class ShownLines:
    """Lines of a text as records show them: at most `SNIPPET_MAX_BYTES` bytes each, cut on a character's border (GTF-80, GTF-82)."""

    def __init__(self, text: str, lines: Iterable[int]) -> None:
        """`lines` are those that will be shown, from 1; they exist."""
        self._text = text
        self._starts: dict[int, int] = {}
        line, start = 1, 0
        for wanted in sorted(set(lines)):
            start = line_start(text, wanted - line + 1, after=start)
            line = wanted
            self._starts[line] = start

    def trimmed(self, line: int) -> tuple[str, bool]:
        """A line without white space at its ends, and whether it was cut."""
        return self._shown(line, LineStart())

    def indented(self, line: int) -> str:
        """A line without white space at its end."""
        return self._shown(line, LineStart(indented=True))[0]

    def _shown(self, line: int, shown: LineStart) -> tuple[str, bool]:
        start = self._starts[line]
        end = self._text.find("\n", start)
        for block in _blocks(self._text, start, end if end >= 0 else len(self._text)):
            shown.add(block.encode())
        return shown.shown(first=False)  # a byte order mark is part of the text that was saved


def _blocks(text: str, start: int, end: int) -> Iterator[str]:
    return (text[at : min(at + _BLOCK_CHARS, end)] for at in range(start, end, _BLOCK_CHARS))
