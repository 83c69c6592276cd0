"""The sections of a document: its headings with their ranges, parents and sizes. A pure function of text and headings.

A page may have 50,000 headings, 64 deep: all of them are kept as numbers, and a `Section` is made for those that an answer shows.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import regex

from shared.limits import MAX_TITLE_CHARS
from workers.parsing.headings import Heading
from workers.reading.lines import count_lines

_ALL_BUT_THE_LAST_CLUSTER: Final = regex.compile(r"(\X*)\X")

_NONE: Final = -1
"""Stands for no parent among the numbers."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it, up to the next heading of its level or a higher one (DOC-21)."""

    title: str
    """At most `MAX_TITLE_CHARS` characters; everything that shows or matches it uses this one (DOC-105, DOC-106)."""
    title_truncated: bool
    level: int
    breadcrumb: list[str]
    """Titles from the top ancestor down to this one (DOC-20)."""
    parent: int | None
    """Index of the section around this one."""
    lines: tuple[int, int]
    """First and last line, from 1, both included."""
    span: tuple[int, int]
    """Where its text begins and ends in the document's, in characters, without the line end after its last line."""
    size: int
    """Bytes of UTF-8 of that text, subsections included (DOC-23)."""


@dataclass(frozen=True)
class Document:
    """A parsed document. Sections are named by their index, from 0 in document order. Made by `make_document`."""

    text: str
    headings: Sequence[Heading]
    titles: Sequence[str]
    """The headings' titles, none longer than `MAX_TITLE_CHARS`."""
    depths: Sequence[int]
    """Length of each breadcrumb, from 1 (DOC-34)."""
    _parents: Sequence[int]
    _next: Sequence[int]
    """Index of the heading that ends each section; the number of headings where the text's end does."""
    _starts: Sequence[int]
    """Where each heading's first line begins, in characters; then one past the text's end, as if a line end closed the text."""
    _bytes_before: Sequence[int]
    """The same in bytes of UTF-8."""

    def section(self, index: int) -> Section:
        """The section at `index`, with everything an answer says about it."""
        heading, following = self.headings[index], self._next[index]
        parent = self._parents[index]
        last_line = self.headings[following].line - 1 if following < len(self.headings) else count_lines(self.text)
        return Section(
            title=self.titles[index],
            title_truncated=self.titles[index] != heading.title,
            level=heading.level,
            breadcrumb=self._breadcrumb(index),
            parent=None if parent == _NONE else parent,
            lines=(heading.line, last_line),
            span=(self._starts[index], self._starts[following] - 1),
            size=self._bytes_before[following] - 1 - self._bytes_before[index],
        )

    def children(self, parent: int | None) -> list[int]:
        """The direct children of a section, or the top sections, in document order (DOC-52, DOC-55)."""
        return list(self._children(parent))

    def _children(self, parent: int | None) -> Iterator[int]:
        child, end = (0, len(self.headings)) if parent is None else (parent + 1, self._next[parent])
        while child < end:
            yield child
            child = self._next[child]

    def _breadcrumb(self, index: int) -> list[str]:
        titles = []
        while index != _NONE:
            titles.append(self.titles[index])
            index = self._parents[index]
        return titles[::-1]


def make_document(text: str, headings: Sequence[Heading]) -> Document:
    """The sections of `text` from its headings, in one pass over each. `text` has the lines that the headings name, in rising order."""
    starts, bytes_before = _places(text, headings)
    parents, following, depths = array("i"), array("i", [len(headings)]) * len(headings), array("i")
    open_sections: list[int] = []
    for index, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            following[open_sections.pop()] = index
        parents.append(open_sections[-1] if open_sections else _NONE)
        open_sections.append(index)
        depths.append(len(open_sections))
    return Document(text, headings, [capped_title(heading.title) for heading in headings], depths, parents, following, starts, bytes_before)


def capped_title(title: str) -> str:
    """`title`, or its first `MAX_TITLE_CHARS` characters, shortened to a whole cluster where there is one to end on (DOC-105)."""
    if len(title) <= MAX_TITLE_CHARS:
        return title
    # With one character more, the last cluster is the one that the cap cuts, or begins at it; no rule of clusters looks further ahead.
    found = _ALL_BUT_THE_LAST_CLUSTER.fullmatch(title[: MAX_TITLE_CHARS + 1])
    return (found and found[1]) or title[:MAX_TITLE_CHARS]


def _places(text: str, headings: Sequence[Heading]) -> tuple[Sequence[int], Sequence[int]]:
    """Where each heading begins, in characters and in bytes of UTF-8, and last one past the text's end."""
    line_starts = array("q", accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    starts, bytes_before = array("q"), array("q")
    position, size = 0, 0
    for heading in headings:
        start = line_starts[heading.line - 1]
        size += _utf8_size(text[position:start])
        starts.append(start)
        bytes_before.append(size)
        position = start
    starts.append(len(text) + 1)
    bytes_before.append(size + _utf8_size(text[position:]) + 1)
    return starts, bytes_before


def _utf8_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
