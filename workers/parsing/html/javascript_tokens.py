"""JavaScript's tokens, as far as the bounds of functions need them: what is a string, a template, a regular expression, a comment.

A library's grammar was measured and not used: on 2026-12-01 tree-sitter-javascript 0.25.0 with tree-sitter 0.26.1 took 1.7 s for 50 KB of
`/* ` and 6.3 s for 100, about 6 s for 50 KB of `a/**/` or of `/[`, all quadratic. It can be interrupted, but then there is no map, and each
template has one (OUT-19). It is what the tests compare with; `infra/bench/outline_cost.py --libraries` measures it again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

WORD: Final = "word"
"""A name, a keyword or a private name."""
LITERAL: Final = "literal"
"""A number, a string, a regular expression, or the end of a template."""
MARK: Final = "mark"
"""Punctuation; a template's pieces are the marks `` ` `` and `${`."""

_TOKEN: Final = re.compile(
    r"""
      (?P<space> \s++ | //[^\n]*+ | /\*.*?(?:\*/|\Z) | <!--[^\n]*+ )
    | (?P<literal> \d[\w.]*+ | \.\d\w*+ | "(?:[^"\\\n]++|\\(?:\r\n|.))*+"?+ | '(?:[^'\\\n]++|\\(?:\r\n|.))*+'?+ )
    | (?P<word> \#?(?:[\w$]|\\u)++ )
    | (?P<mark> =>|===?|!==?|\*\*=?|\+\+|--|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\.\.\.|[-+*/%&|^<>]=|. )
    """,
    re.VERBOSE | re.DOTALL,
)
_REGULAR: Final = re.compile(r"/(?![*/])(?:[^/\\\[\n]++|\\[^\n]|\[(?:[^\]\\\n]++|\\[^\n])*+\])++/\w*+")
_TEMPLATE: Final = re.compile(r"(?:[^`\\$]++|\\.|\\\Z|\$(?!\{))*+(`|\$\{|\Z)", re.DOTALL)


@dataclass(slots=True)
class Token:
    """One token that is neither whitespace nor a comment."""

    kind: str
    text: str
    start: int
    end: int
    after_line_end: bool
    """Whether a line end stands between this token and the one before."""


class Tokens:
    """The tokens of one script. What a `/` or a `}` is depends on what stands before: the reader says so in the two fields."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._at = start
        self._end = end
        self._no_regular_before = 0
        self.operand_comes = True
        """Whether a `/` here begins a regular expression."""
        self.in_template = False
        """Whether what comes is a template's text: set after `` ` `` that opens one, and after the `}` that ends a `${`."""

    def __iter__(self) -> Iterator[Token]:
        after_line_end = False
        while self._at < self._end:
            if self.in_template:
                yield self._template()
                continue
            match = self._regular() or _TOKEN.match(self._text, self._at, self._end)
            if match is None:  # every character is some token
                return
            self._at = match.end()
            kind = match.lastgroup or LITERAL
            if kind == "space":
                after_line_end = after_line_end or "\n" in match[0]
                continue
            yield Token(kind, match[0], match.start(), match.end(), after_line_end)
            after_line_end = False

    def _template(self) -> Token:
        """A template's text up to the next `${`, which is a mark, or up to its end, a literal."""
        match = _TEMPLATE.match(self._text, self._at, self._end)
        start, end = self._at, match.end() if match else self._end
        self._at = end
        self.in_template = False
        is_open = match is not None and match[1] == "${"
        return Token(MARK if is_open else LITERAL, "${" if is_open else "`", start, end, after_line_end=False)

    def _regular(self) -> re.Match[str] | None:
        """A regular expression here. One that its line doesn't end is none, and then none is looked for on that line any more: linear."""
        if not self.operand_comes or self._at < self._no_regular_before or not self._text.startswith("/", self._at, self._end):
            return None
        match = _REGULAR.match(self._text, self._at, self._end)
        if match is None and not self._text.startswith(("//", "/*"), self._at, self._end):
            line_end = self._text.find("\n", self._at, self._end)
            self._no_regular_before = self._end if line_end < 0 else line_end
        return match
