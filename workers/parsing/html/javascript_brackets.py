"""What opens, closes and ends in a script: brackets, bodies, statements, definitions. The base of the JavaScript scan."""

from abc import ABC, abstractmethod
from typing import Final

from workers.parsing.html.javascript_frames import NOTHING, Comes, Definition, Frame, Kind, Next, Owner, Stage
from workers.parsing.html.javascript_tokens import MARK, WORD, Token, Tokens
from workers.parsing.outline import MAX_SYMBOLS, too_many_symbols

MAX_DEPTH: Final = 10_000
"""Open brackets at which the scan of a script ends: what stands deeper is no text that a person wrote."""

_BRACES: Final = (Kind.BLOCK, Kind.CLASS, Kind.OBJECT, Kind.TEMPLATE)
_CLOSES: Final = {")": (Kind.ROUND,), "]": (Kind.SQUARE,), "}": _BRACES}
_VALUE_GOES_ON: Final = frozenset(
    {*"([.`+-*/%<>&|^?", "?.", "**", "<=", ">=", "==", "!=", "===", "!==", "&&", "||", "??", "in", "instanceof"}
)
"""Behind a function's `}`: the function is only a part of the value, called or operated on."""


class Brackets(ABC):
    """The state of one pass, and everything about it but what words and operators mean."""

    def __init__(self, tokens: Tokens, source: str) -> None:
        self.tokens = tokens
        self.source = source
        self.frames = [Frame(Kind.BLOCK)]
        self.comes = Comes.STATEMENT
        self.next = NOTHING
        self.previous = Token(MARK, ";", 0, 0, after_line_end=False)
        self.function: Owner | None = None
        """The function whose keyword was read, until its parameters open."""
        self._found: list[Definition] = []
        self._complete = 0
        self._braces = 0

    @abstractmethod
    def step(self, token: Token) -> None:
        """Take one token."""

    def run(self) -> list[Definition]:
        """What was found. Raises: NoOutline, `too_many_symbols`."""
        for token in self.tokens:
            self.step(token)
            self.previous = token
            self.tokens.operand_comes = self.comes is not Comes.OPERATOR
            if len(self.frames) > MAX_DEPTH:
                break
        else:
            self.end_arrow(self.frames[-1])
        found = [definition for definition in self._found if not definition.is_none]
        if len(found) > MAX_SYMBOLS:
            raise too_many_symbols()
        return found

    # Definitions

    def find(self, name: str, start: int) -> Definition:
        """A definition that begins here; its end comes later, or never."""
        definition = Definition(name, start)
        self._found.append(definition)
        return definition

    def give_up(self, owner: Owner | None) -> None:
        """No body came."""
        if owner and owner.definition:
            owner.definition.is_none = True

    def judge_value(self, closed: Definition, token: Token) -> None:
        """A function that is a part of a value only is no definition."""
        if token.text in _VALUE_GOES_ON and token.kind in {MARK, WORD}:
            closed.is_none = True
            self._complete -= 1

    def end_arrow(self, frame: Frame) -> None:
        """A function without braces ended with the token before."""
        if frame.arrow:
            self._end(frame.arrow, self.previous.end)
            frame.arrow = None

    def end_statement(self) -> None:
        """A statement ended with the token before, or with this one."""
        frame = self.frames[-1]
        self.end_arrow(frame)
        frame.ternaries = 0
        frame.declares_from = frame.left = frame.class_owner = None
        self.comes = Comes.STATEMENT

    def _end(self, definition: Definition, end: int) -> None:
        definition.end = end
        self._complete += 1
        if self._complete > MAX_SYMBOLS + 1:  # the last one may still turn out to be none
            raise too_many_symbols()

    # Brackets

    def bracket(self, token: Token, now: Next) -> bool:
        """Take this token if it is a bracket, and say whether it was one."""
        mark = token.text
        if mark == "(":
            is_value = now.candidate is not None and now.candidate.stage is not Stage.PARAMETERS
            self.frames.append(Frame(Kind.ROUND, self.function, now.is_head, now.candidate if is_value else None))
            self.function = None
        elif mark == "[":
            self.frames.append(Frame(Kind.SQUARE))
        elif mark == "${":
            self.frames.append(Frame(Kind.TEMPLATE))
            self._braces += 1
        elif mark == "{":
            self._open_brace(now)
            return True
        elif mark in _CLOSES:
            self._close(token)
            return True
        else:
            return False
        self.comes = Comes.OPERAND
        return True

    def _open_brace(self, now: Next) -> None:
        frame = self.frames[-1]
        self._braces += 1
        owner = now.body or now.arrow
        if owner:
            opened = Frame(Kind.BLOCK, owner)
        elif frame.class_owner and self.comes is Comes.OPERATOR:
            opened = Frame(Kind.CLASS, frame.class_owner)
            frame.class_owner = None
        elif self.comes is Comes.OPERAND or now.is_default:
            opened = Frame(Kind.OBJECT)
        else:
            opened = Frame(Kind.BLOCK, Owner(None, is_expression=frame.kind is Kind.OBJECT))
        self.frames.append(opened)
        self.comes = Comes.OPERAND if opened.kind is Kind.OBJECT else Comes.STATEMENT

    def _close(self, token: Token) -> None:
        closes = _CLOSES[token.text]
        if self.frames[-1].kind not in closes:
            if token.text != "}" or not self._braces:
                return
            while self.frames[-1].kind not in closes:
                self._leave()
        if len(self.frames) == 1:
            return
        self._after(self._leave(), token)

    def _leave(self) -> Frame:
        frame = self.frames.pop()
        self.end_arrow(frame)
        if frame.kind in _BRACES:
            self._braces -= 1
        return frame

    def _after(self, frame: Frame, token: Token) -> None:
        """What comes behind a bracket that was closed."""
        owner = frame.owner
        self.comes = Comes.OPERATOR
        if frame.kind is Kind.TEMPLATE:
            self.tokens.in_template = True
        elif frame.kind is Kind.ROUND:
            if frame.candidate:
                frame.candidate.stage = Stage.PARAMETERS
            self.next = Next(body=owner, candidate=frame.candidate)
            if frame.is_head:
                self.comes = Comes.STATEMENT
        elif owner and frame.kind in (Kind.BLOCK, Kind.CLASS):
            if owner.definition:
                self._end(owner.definition, token.end)
            if not owner.is_expression:
                self.end_statement()
            elif not owner.is_arrow:
                self.next = Next(closed=owner.definition)
