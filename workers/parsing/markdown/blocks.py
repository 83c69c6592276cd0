"""markdown-it-py's block parser with ceilings of our own: the tokens of a document, made one by one and counted as they are made.

Inline text isn't parsed: a heading's title is its source (DOC-32).
"""

from typing import Final, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from workers.parsing.headings import ParseRefused
from workers.parsing.markdown.limits import CHARACTERS_OF_A_LINE, MAX_LISTS, MAX_QUOTED, MAX_TOKENS

_MAX_LEVEL_IN_QUOTES: Final = 20
"""Levels of nesting, of which one is a quote, below which text isn't read: the library's own bound, as each level walks over all lines."""


class CappedState(StateBlock):
    """A parse in progress that refuses what crosses a ceiling the moment it does."""

    def __init__(self, text: str, *, max_tokens: int | None, max_sections: int | None) -> None:
        self.max_tokens = max_tokens
        self.max_sections = max_sections
        self.sections = 0
        self.quotes = 0
        """Quotes that the parse stands in."""
        self.quoted = 0
        """What quotes have walked over so far, in the unit of `MAX_QUOTED`."""
        super().__init__(text, _PARSER, {}, [])

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """The next token.

        Raises:
            ParseRefused: `too_many_tokens`, before the token exists, or `too_many_sections`, at the token after a heading's first,
                when its line is known.
        """
        if self.max_tokens is not None and len(self.tokens) >= self.max_tokens:
            raise self.too_many_tokens(self.max_tokens)
        if self.max_sections is not None and self.tokens and is_heading(self.tokens[-1]):
            self.sections += 1
            if self.sections > self.max_sections:
                raise ParseRefused("too_many_sections", max=self.max_sections, line=first_line(self.tokens[-1]))
        if ttype == "blockquote_open":
            self.quotes += 1
        elif ttype == "blockquote_close":
            self.quotes -= 1
        return super().push(ttype, tag, nesting)

    def charge_quote(self, start: int, end: int) -> None:
        """Count the lines `[start, end)` of a quote, which were walked over to find its end.

        Raises:
            ParseRefused: `too_many_tokens`, when all quotes together walked over more than `MAX_QUOTED`.
        """
        self.quoted += end - start + (self.eMarks[end - 1] - self.bMarks[start]) // CHARACTERS_OF_A_LINE
        if self.max_tokens is not None and self.quoted > MAX_QUOTED:
            raise self.too_many_tokens(self.max_tokens)

    def nested_too_deep(self) -> ParseRefused:
        """The refusal of a document whose nesting isn't followed: its tokens could only be guessed."""
        return self.too_many_tokens(MAX_TOKENS if self.max_tokens is None else self.max_tokens)

    def too_many_tokens(self, most: int) -> ParseRefused:
        """The refusal, with the line that the parse had reached; without one as long as no token has a place (DOC-109, DOC-113)."""
        line = next((first_line(token) for token in reversed(self.tokens) if token.map), None)
        return ParseRefused("too_many_tokens", max=most) if line is None else ParseRefused("too_many_tokens", max=most, line=line)


class _DeepBlocks(ParserBlock):
    """The block parser without its own end of nesting, which drops the rest of the document where ten lists stand in one another."""

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803 - the library's names
        if isinstance(state, CappedState):
            if state.parentType == "blockquote":
                state.charge_quote(startLine, endLine)
            if state.quotes and state.level >= _MAX_LEVEL_IN_QUOTES:
                # A quote's lines are known before its text is read, but for those without a sign of their own: they belong to
                # it only when they go on with a paragraph, which nobody looked at here.
                if any(state.sCount[line] < 0 for line in range(startLine, endLine)):
                    raise state.nested_too_deep()
                state.line = endLine
                return
            # An item of a list ends where its text does: what isn't read would hide where headings are outer ones again.
            if not state.quotes and state.level > 2 * MAX_LISTS:
                raise state.nested_too_deep()
        super().tokenize(state, startLine, endLine)


def is_heading(token: Token) -> bool:
    """Whether `token` opens a heading of the outermost level (MDG-2)."""
    return token.type == "heading_open" and token.level == 0


def first_line(token: Token) -> int:
    """The line on which `token`, which has a place, begins, from 1."""
    return token.map[0] + 1 if token.map else 0


def block_tokens(text: str, *, max_tokens: int | None, max_sections: int | None) -> list[Token]:
    """The block tokens of `text`, whose lines end with `\\n` alone. Raises: ParseRefused as `CappedState.push`."""
    return parsed_state(text, max_tokens=max_tokens, max_sections=max_sections).tokens


def parsed_state(text: str, *, max_tokens: int | None = None, max_sections: int | None = None) -> CappedState:
    """The finished parse of `text`, with what it took of the ceilings. Raises: as `block_tokens`."""
    state = CappedState(text, max_tokens=max_tokens, max_sections=max_sections)
    _PARSER.block.tokenize(state, 0, state.lineMax)
    return state


def _parser() -> MarkdownIt:
    parser = MarkdownIt()
    parser.block = _DeepBlocks()
    parser.configure("commonmark", {"maxNesting": 1_000_000}).enable("table").use(front_matter_plugin)
    # The rules are compiled at their first use, unguarded: here, before threads share the parser.
    parser.block.ruler.getRules("")
    return parser


_PARSER: Final = _parser()
