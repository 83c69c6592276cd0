"""The rules of a style sheet by their positions: what is a rule, where it begins and ends, and what it is called (OUT-51 to OUT-61).

What is a rule, a declaration and a block follows CSS Syntax Level 3 with nesting, except that a stray `;` or `}` between rules ends what
stands before it, where a browser would also drop the next rule.
"""

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from typing import Final

from workers.parsing.css.tokens import COMMENT, ENDED, MARK, PLAIN, TOKEN, WHITESPACE
from workers.parsing.outline import Ceilings

_NAMELESS: Final = -1
"""On the stack of open blocks: a rule without a name; indices of symbols are rules too."""
_VALUE: Final = -2
"""A `{` that opens no rule: in a value, in brackets, or anything inside keyframes."""
_ROUND: Final = -3
_SQUARE: Final = -4
_KEYFRAMES_FROM: Final = -5
"""`_KEYFRAMES_FROM - i` is symbol `i` when it is keyframes: nothing inside is a rule (OUT-56)."""

_OPENS: Final = {"(": _ROUND, "[": _SQUARE, "{": _VALUE}
_CLOSES: Final = {")": _ROUND, "]": _SQUARE, "}": _VALUE}

_RUN: Final = re.compile(f"[{WHITESPACE}]+")
_BEFORE_RULE: Final = re.compile(f"(?:[{WHITESPACE}]|<!--|-->)*+")
"""What may stand before a rule of the top level: HTML's comment marks are nothing there."""
_BEFORE_NESTED: Final = re.compile(f"[{WHITESPACE}]*+")
_KEYFRAMES: Final = re.compile(r"@(?:-\w+-)?keyframes(?![-\w\\\x80-\U0010ffff])", re.IGNORECASE | re.ASCII)
_CUSTOM_PROPERTY: Final = re.compile(r"--(?:[-\w\x80-\U0010ffff]|\\.)*+ ?:")
_PROPERTY: Final = re.compile(r"(?:[-\w\x80-\U0010ffff]|\\.)++ ?:")


@dataclass(slots=True)
class Rule:
    """A rule with a block. Positions are characters of the text."""

    name: str
    start: int
    end: int | None = None
    """Its closing brace; None where it is never closed."""


def rules(text: str, start: int = 0, end: int | None = None, source: str | None = None, clean: Callable[[str], str] = str) -> list[Rule]:
    """The rules of the style sheet that stands in `text` from `start` to `end`, in the order in which they open. Linear in its length.

    A template's style sheet is read with the template's own marks masked: then names are cut from `source`, the text as written, with as
    many characters, and `clean` takes from a name what doesn't belong to it. Positions are those of `text`, none of which is copied.

    Raises:
        NoOutline: `too_many_symbols`.
    """
    return _Scan(text, text if source is None else source, clean).run(start, len(text) if end is None else end)


class _Scan:
    """One pass over one style sheet."""

    def __init__(self, text: str, source: str, clean: Callable[[str], str]) -> None:
        self._text = text
        self._source = source
        self._clean = clean
        self._found: list[Rule] = []
        self._ceilings = Ceilings()
        self._open: list[int] = []
        self._begin: int | None = None
        """Where the text before the next block begins, comments and whitespace not counted."""
        self._comments = array("I")
        """Where each comment since then begins and ends; there may be millions."""
        self._in_custom_property = False

    def run(self, start: int, end: int) -> list[Rule]:
        for token in TOKEN.finditer(self._text, start, end):
            kind, at = token.lastgroup, token.start()
            if kind == MARK:
                self._mark(token[0], at)
            elif kind == ENDED:
                if self._between_rules():
                    self._forget()
            elif kind == COMMENT:
                if self._begin is not None:
                    self._comments.extend(token.span())
            elif self._begin is None and self._between_rules():
                if kind == PLAIN:
                    before = (_BEFORE_NESTED if self._open else _BEFORE_RULE).match(self._text, at, end)
                    at = before.end() if before else at
                if at < token.end():
                    self._begin = at
        return self._found

    def _between_rules(self) -> bool:
        """Whether a `{` here may open a rule."""
        return not self._open or self._open[-1] >= _NAMELESS

    def _mark(self, mark: str, at: int) -> None:
        if not self._between_rules():
            self._mark_inside(mark, at)
        elif mark == "{":
            self._open_block(at)
        elif mark == "}":
            self._close_rule(at)
        else:
            if self._begin is None:
                self._begin = at
            if mark in _OPENS:
                self._open.append(_OPENS[mark])

    def _mark_inside(self, mark: str, at: int) -> None:
        """Between brackets only the bracket that was opened last can be closed; any other closing one is text."""
        if mark in _OPENS:
            self._open.append(_OPENS[mark])
        elif mark == "}" and self._open[-1] <= _KEYFRAMES_FROM:
            self._found[_KEYFRAMES_FROM - self._open.pop()].end = at
            self._forget()
        elif _CLOSES.get(mark) == self._open[-1]:
            self._open.pop()
            if mark == "}" and self._between_rules() and not self._in_custom_property:
                self._forget()

    def _open_block(self, at: int) -> None:
        if self._begin is None:
            self._open.append(_NAMELESS)
            return
        name = "" if self._in_custom_property else self._name_before(self._begin, at)
        is_custom = self._in_custom_property or _CUSTOM_PROPERTY.match(name) is not None
        if is_custom or (self._open and _PROPERTY.fullmatch(name)):
            self._in_custom_property = is_custom and bool(self._open)
            self._open.append(_VALUE)
            return
        if not name:
            self._open.append(_NAMELESS)
        else:
            self._ceilings.take(name)
            index = len(self._found)
            self._open.append(_KEYFRAMES_FROM - index if _KEYFRAMES.match(name) else index)
            self._found.append(Rule(name, self._begin))
        self._forget()

    def _close_rule(self, at: int) -> None:
        if self._open:
            rule = self._open.pop()
            if rule != _NAMELESS:
                self._found[rule].end = at
        self._forget()

    def _name_before(self, begin: int, at: int) -> str:
        """The text before the `{` at `at`, without comments, whitespace shrunk (OUT-52, OUT-54, OUT-59)."""
        name = StringIO()
        for start, end in zip(self._comments[::2], self._comments[1::2], strict=True):
            name.write(self._source[begin:start])
            begin = end
        name.write(self._source[begin:at])
        return _RUN.sub(" ", self._clean(name.getvalue())).strip(" ")

    def _forget(self) -> None:
        """What stood before ended without a block of its own, or with it."""
        self._begin = None
        del self._comments[:]
        self._in_custom_property = False
