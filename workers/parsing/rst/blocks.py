"""The one scan of the blocks that titles, labels and includes are read from. It follows docutils 0.23 line by line (OUT-65).

docutils reads a document with a state machine that looks at a line or two and then takes a block. The methods here are its transitions,
reduced to where each block ends. What stands inside a block can't be a title (OUT-85), so it is put aside, and scanned afterwards
for labels and includes alone, when somebody wants them. A quoted literal block is read as ordinary text (OUT-101).
"""

import re
from typing import Final

from workers.parsing.rst import enumerators
from workers.parsing.rst.adornments import SHORTEST_FORGIVEN, carries, is_adornment
from workers.parsing.rst.explicit import scan_anonymous, scan_explicit
from workers.parsing.rst.found import Aside, Listener, Scanned, Title
from workers.parsing.rst.lines import Lines
from workers.parsing.rst.nested import Nested
from workers.parsing.rst.tables import GRID_TOP, SIMPLE_TOP, grid_table, simple_table

_BULLETS: Final = "-+*\u2022\u2023\u2043"
_BULLET: Final = re.compile(rf"[{_BULLETS}](?: +|$)")
_FIELD: Final = re.compile(r":(?![: ])(?:[^:\\]++|\\.|:(?![ `]|$))*+(?<! ):(?: +|$)")
_OPTION_ARGUMENT: Final = r"(?:[a-zA-Z][a-zA-Z0-9_-]*|<[^<>]+>)"
_OPTION: Final = (
    rf"(?:[-+][a-zA-Z0-9](?: ?{_OPTION_ARGUMENT})?|(?:--|/)[a-zA-Z0-9][a-zA-Z0-9_-]*(?:[ =]{_OPTION_ARGUMENT})?)"  # short, long
)
_OPTIONS: Final = re.compile(rf"{_OPTION}(?:, {_OPTION})*+(?:  +| ?$)")
_DOCTEST: Final = re.compile(r">>>(?: +|$)")
_LINE_BLOCK: Final = re.compile(r"\|(?: +|$)")
_ANONYMOUS: Final = re.compile(r"__(?: +|$)")


def scan(text: str, listener: Listener) -> None:
    """Tell `listener` everything that is in `text`.

    Raises: whatever `listener` raises, and nothing else.
    """
    lines = Lines(text)
    nested = Nested() if listener.wants_nested else None
    _Scan(Scanned(lines, listener, nested.of(lines) if nested else Aside()), titles=True).run()
    while nested and (inner := nested.next()):
        _Scan(Scanned(inner, listener, nested.of(inner)), titles=False).run()


class _Scan:
    """One text and who listens. Every method takes a block's place, and maybe its first line, and returns the place after it."""

    def __init__(self, scanned: Scanned, *, titles: bool) -> None:
        self.scanned = scanned
        self.lines, self.listener, self.aside = scanned.lines, scanned.listener, scanned.aside
        self.titles = titles

    def run(self) -> None:
        place = self.lines.not_blank(0)
        while place < self.lines.end:
            place = self.lines.not_blank(self.block(place, self.lines.at(place)))

    def block(self, place: int, line: str) -> int:  # noqa: C901, PLR0911 - the table of docutils' transitions, in its order
        """The first transition that takes the line. Only those that its first character allows are tried."""
        sign = line[0]
        if sign == " ":
            return self.indented(place)
        if (sign.isalnum() or sign in "(#") and (found := enumerators.ENUMERATOR.match(line)):
            return self.enumerated(place, line, found)
        if sign in _BULLETS and (found := _BULLET.match(line)):
            return self.item(place, line, found.end())
        if sign == ":" and (found := _FIELD.match(line)):
            return self.hanging(place, found.end())
        if sign in "-+/" and (found := _OPTIONS.match(line)):
            return self.option(place, line, found.end())
        if sign == ">" and _DOCTEST.match(line):
            return self.lines.blank(place)
        if sign == "|" and _LINE_BLOCK.match(line):
            return self.lines.blank_or_unindented(self.lines.after(place))
        if sign == "+" and GRID_TOP.fullmatch(line):
            return grid_table(self.lines, place, self.aside)
        if sign == "=" and SIMPLE_TOP.fullmatch(line):
            return simple_table(self.lines, place, self.aside)
        if sign == "." and (after := scan_explicit(self.scanned, place, line)) > place:
            return after
        if sign == "_" and _ANONYMOUS.match(line):
            return scan_anonymous(self.lines, place)
        if is_adornment(line):
            return self.overline(place, line) if self.titles else self.unexpected_line(place, line)
        return self.text(place, line)

    def indented(self, place: int) -> int:
        """A quote, or the body of a definition."""
        stop = self.lines.unindented(self.lines.after(place))
        self.aside.block(place, stop, 0)
        return stop

    def hanging(self, place: int, first: int) -> int:
        """A block that begins `first` columns into its first line and goes on as long as lines are indented."""
        stop = self.lines.unindented(self.lines.after(place))
        self.aside.block(place, stop, first)
        return stop

    def item(self, place: int, line: str, first: int) -> int:
        """An item of a list: lines indented as deep as its text, or at all when it has none on its first line."""
        if len(line) <= first:
            return self.hanging(place, first)
        stop = self.lines.less_indented(self.lines.after(place), first)
        self.aside.block(place, stop, first, first)
        return stop

    def enumerated(self, place: int, line: str, found: re.Match[str]) -> int:
        """An enumerated list with all its items, or the text that only looks like one (OUT-81)."""
        first = last = enumerators.read(found)
        if not enumerators.begins_item(first, self.lines.at(self.lines.after(place))):
            return self.text(place, line)
        while True:
            place = self.lines.not_blank(self.item(place, line, found.end()))
            line = self.lines.at(place)
            again = enumerators.ENUMERATOR.match(line)
            if not again:
                return place
            found = again
            marker = enumerators.read(found, enumerators.sequence_of(first))
            if not enumerators.continues(marker, first, last):
                return place
            if not enumerators.begins_item(marker, self.lines.at(self.lines.after(place))):
                return place
            last = marker

    def option(self, place: int, line: str, first: int) -> int:
        """An option with its description; without one it is text."""
        if len(line) <= first:
            described = self.lines.not_blank(self.lines.after(place))
            if not self.lines.at(described).startswith(" "):
                return self.text(place, line)
        return self.hanging(place, first)

    def text(self, place: int, line: str) -> int:
        """A title with an underline, an item of a definition list, or a paragraph and the literal block that it announces."""
        second = self.lines.after(place)
        next_line = self.lines.at(second)
        if next_line.startswith(" "):
            return self.indented(second)
        if not next_line:
            return self.after_paragraph(line, second)
        if is_adornment(next_line) and carries(next_line, line):
            if self.titles:
                self.listener.title(Title(self.lines.source(place), next_line[0], self.lines.number(place)))
            return self.lines.after(second)
        stop = self.lines.blank_or_indented(second)
        return self.after_paragraph(self.lines.at(self.lines.last_in(second, stop)), stop)

    def after_paragraph(self, last_line: str, stop: int) -> int:
        """The end of what follows a paragraph: `stop`, or that of its literal block."""
        if not last_line.endswith("::"):
            return stop
        before = last_line[:-2]
        escapes = len(before) - len(before.rstrip("\\"))
        return stop if escapes % 2 or stop >= self.lines.end else self.lines.unindented(stop)

    def overline(self, place: int, over: str) -> int:
        """A title with overline and underline, a transition (OUT-82), or the error of one that was begun and isn't right (OUT-76).

        What is too short to be an error is text (OUT-77).
        """
        second = self.lines.after(place)
        title = self.lines.at(second)
        short = len(over) < SHORTEST_FORGIVEN
        if not title or is_adornment(title):
            if short:
                return self.text(place, over)
            return self.lines.after(second) if title else second
        third = self.lines.after(second)
        if self.lines.at(third) == over and carries(over, title):
            self.listener.title(Title(self.lines.source(second).lstrip(), over[0] * 2, self.lines.number(place)))
        elif short:
            return self.text(place, over)
        # An error takes its third line with it, whatever it is.
        return self.lines.after(third)

    def unexpected_line(self, place: int, line: str) -> int:
        """An adornment where no title may stand: an error of one line, or text when it is short."""
        return self.text(place, line) if line == "::" or len(line) < SHORTEST_FORGIVEN else self.lines.after(place)
