"""A text as reStructuredText sees its lines, addressed by where they start. It knows blank and indented lines and no construct.

The text isn't split: a file of ten million line ends would become ten million strings. A place is the index of a line's first character,
and `Lines.end` is the place after the last line. Searches for the end of a block run over the raw text at the speed of `re`; every
pattern gives nothing back (`*+`), so that none looks at a character more than a few times.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

TAB_COLUMNS: Final = 8
"""A tab reaches to the next multiple of this many columns, as in docutils."""

TABS: Final = "\t\v\f"
"""A tab, and what docutils turns into spaces."""

MAX_EXPANDED: Final = 2**16
"""Characters of a line in which tabs are expanded. One of ten million tabs would become eighty million characters; no column so far to the
right decides anything."""

_NOT_BLANK: Final = re.compile(r"\S")
# A line is indented by a space, a tab, or a form feed or vertical tab, which docutils turns into spaces. Other white space, such as a
# no-break space, makes a line blank when it is alone and indents nothing.
_BLANK_LINE: Final = r"[^\S\n]*+(?:\n|\Z)"
_BLANK: Final = re.compile(rf"\n(?={_BLANK_LINE})")
_BLANK_OR_INDENTED: Final = re.compile(rf"\n(?=[ \t\v\f]|{_BLANK_LINE})")
_BLANK_OR_UNINDENTED: Final = re.compile(rf"\n(?=[^ \t\v\f]|{_BLANK_LINE})")
_UNINDENTED: Final = re.compile(r"\n(?![ \t\v\f])(?=[^\S\n]*+\S)")
_TO_SPACE: Final = str.maketrans("\v\f", "  ")


@lru_cache(maxsize=64)
def _maybe_less_indented(columns: int) -> re.Pattern[str]:
    """Line ends before a line that doesn't open with `columns` spaces; blank lines apart. It may still be indented by tabs."""
    return re.compile(rf"\n(?! {{{columns}}})(?=[^\S\n]*+\S)")


class Lines:
    """The lines of `text`, separated by `\\n` and nothing else (OUT-2). `first_number` is the number of the first one."""

    __slots__ = ("_counted", "_number", "end", "text")

    def __init__(self, text: str, first_number: int = 1) -> None:
        self.text = text
        self.end = len(text)
        self._counted = 0
        self._number = first_number

    def at(self, place: int) -> str:
        """The line at `place` with tabs expanded and without white space at its end; `""` is a blank line, and so is `end`."""
        line = self.source(place)
        if "\t" in line or "\v" in line or "\f" in line:
            return line[:MAX_EXPANDED].translate(_TO_SPACE).expandtabs(TAB_COLUMNS) + line[MAX_EXPANDED:]
        return line

    def source(self, place: int) -> str:
        """The line at `place` as it is written, without white space at its end."""
        stop = self.text.find("\n", place)
        return self.text[place : stop if stop >= 0 else self.end].rstrip()

    def number(self, place: int) -> int:
        """The number of the line at `place`."""
        if place >= self._counted:
            self._number += self.text.count("\n", self._counted, place)
        else:
            self._number -= self.text.count("\n", place, self._counted)
        self._counted = place
        return self._number

    def after(self, place: int) -> int:
        """The place of the line that follows the line at `place`."""
        return self.text.find("\n", place) + 1 or self.end

    def between(self, place: int, stop: int) -> Iterator[str]:
        """The lines from `place` to `stop`, as `at` gives them."""
        while place < stop:
            yield self.at(place)
            place = self.after(place)

    def last_in(self, place: int, stop: int) -> int:
        """The place of the last line of the block from `place` to `stop`, which begins the line after it or is the end."""
        return max(place, self.text.rfind("\n", place, stop - 1) + 1)

    def not_blank(self, place: int) -> int:
        """The place of the first line from `place` on that isn't blank."""
        found = _NOT_BLANK.search(self.text, place)
        return max(place, self.text.rfind("\n", place, found.start()) + 1) if found else self.end

    def blank(self, place: int) -> int:
        """The end of the block of text at `place`: the first blank line after it."""
        return self._search(_BLANK, place)

    def blank_or_indented(self, place: int) -> int:
        """The end of the paragraph that goes on at `place`: the first blank or indented line after it."""
        return self._search(_BLANK_OR_INDENTED, place)

    def blank_or_unindented(self, place: int) -> int:
        """The first line from `place` on that is blank or not indented. `place` isn't the first line."""
        return self._search(_BLANK_OR_UNINDENTED, place - 1) if place < self.end else self.end

    def unindented(self, place: int) -> int:
        """The first line from `place` on that is neither blank nor indented. `place` isn't the first line."""
        return self._search(_UNINDENTED, place - 1) if place < self.end else self.end

    def less_indented(self, place: int, columns: int) -> int:
        """The first line from `place` on that isn't blank and has text in its first `columns` columns. `place` isn't the first line."""
        pattern = _maybe_less_indented(columns)
        while place < self.end:
            place = self._search(pattern, place - 1)
            line = self.at(place)
            if line and (line[0] != " " or line[:columns].strip()):
                return place
            place = self.after(place)
        return self.end

    def _search(self, line_end: re.Pattern[str], place: int) -> int:
        found = line_end.search(self.text, place)
        return found.end() if found else self.end
