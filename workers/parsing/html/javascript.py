"""Functions and classes of one script, by its tokens: declarations, and variables and assignments whose value is one.

Methods and callbacks are no symbols. Whatever is broken, the scan goes on: what is never closed has no end.
"""

from typing import Final

from workers.parsing.html.javascript_brackets import Brackets
from workers.parsing.html.javascript_frames import NAME_COMES, NOTHING, Candidate, Comes, Definition, Frame, Kind, Next, Owner, Stage
from workers.parsing.html.javascript_tokens import LITERAL, MARK, WORD, Token, Tokens

_BEFORE_OPERAND: Final = frozenset(["await", "case", "delete", "extends", "new", "return", "throw", "typeof", "void", "yield"])
_BETWEEN_OPERANDS: Final = frozenset(["in", "instanceof", "of"])
_BEFORE_STATEMENT: Final = frozenset(["do", "else", "finally", "try"])
_WITH_HEAD: Final = frozenset(["for", "if", "while", "with"])
_DECLARING: Final = frozenset(["const", "let", "var"])
_DEFINING: Final = frozenset(["class", "function"])
_PREFIXES: Final = frozenset(["async", "default", "export"])
_KEEPS_LEFT: Final = frozenset([".", "?.", "[", "(", "="])

MAX_LEFT: Final = 500
"""Characters of an assignment's left side; a longer one is a program and no name."""


def definitions(text: str, source: str, start: int = 0, end: int | None = None) -> list[Definition]:
    """The definitions of the script from `start` to `end` of `text`, in no particular order; one that is never closed has no `end`.

    Names are cut from `source`, the text as written, where `text` has a template's marks masked; both have as many characters. Positions
    are those of `text`, none of which is copied. Linear in the script's length.

    Raises:
        NoOutline: `too_many_symbols`.
    """
    return _Scan(Tokens(text, start, len(text) if end is None else end), source).run()


class _Scan(Brackets):
    """One pass over one script: words and marks; what opens and closes is in `Brackets`."""

    def step(self, token: Token) -> None:
        now, self.next = self.next, NOTHING
        if now.closed:
            self.judge_value(now.closed, token)
        if self._begins_statement(token):
            self.end_statement()
            now = NOTHING
        self._give_up_bodies(token, now)
        if token.kind == WORD:
            self._word(token, now)
        elif token.kind == LITERAL:
            self.frames[-1].left = None
            self.comes = Comes.OPERATOR
        else:
            self._mark(token, now)

    def _begins_statement(self, token: Token) -> bool:
        if token.kind == MARK or self.frames[-1].kind not in (Kind.BLOCK, Kind.CLASS):
            return False
        if self.comes is Comes.OPERATOR:
            # No valid script has a function behind an operand; where a template's marks were masked, it begins a statement.
            is_second = token.text in _DEFINING and self.previous.text not in {"async", "function", "class"}
            return is_second or (token.after_line_end and token.text not in _BETWEEN_OPERANDS)
        return token.after_line_end and self.previous.kind == WORD and self.previous.text == "return"

    def _give_up_bodies(self, token: Token, now: Next) -> None:
        """A function without braces ends with its expression; what has neither parameters nor a body is none."""
        if token.kind == MARK and token.text == "{":
            return
        if now.arrow and now.arrow.definition:
            self.end_arrow(self.frames[-1])
            self.frames[-1].arrow = now.arrow.definition
        self.give_up(now.body)
        if self.function and token.text not in {"(", "*"} and not (token.kind == WORD and self.function.waits_for_name):
            self.give_up(self.function)
            self.function = None

    # Words

    def _word(self, token: Token, now: Next) -> None:
        frame, text = self.frames[-1], token.text
        if self._takes_name(token) or self._is_property(frame):
            self.comes = Comes.OPERATOR
            return
        frame.left = None
        is_statement = self.comes is Comes.STATEMENT and frame.kind is Kind.BLOCK
        if text in _DEFINING:
            self._define(token, now, is_declared=is_statement or now.declares)
        elif text in _PREFIXES and self.comes is not Comes.OPERATOR:
            self._prefix(token, now, is_statement=is_statement)
        elif text in _DECLARING and is_statement:
            frame.declares_from = token.start if now.begin is None else now.begin
            self.next = NAME_COMES
            self.comes = Comes.OPERAND
        elif text in _BEFORE_STATEMENT:
            self.comes = Comes.STATEMENT
        elif text in _BEFORE_OPERAND or (text in _BETWEEN_OPERANDS and self.comes is Comes.OPERATOR):
            self.comes = Comes.OPERAND
        else:
            self._name(token, now, is_left=is_statement or now.name_comes)

    def _takes_name(self, token: Token) -> bool:
        """Whether this is the name of the function or class whose keyword stands before."""
        owner = self.function or self.frames[-1].class_owner
        if owner is None or not owner.waits_for_name:
            return False
        owner.waits_for_name = False
        if token.text == "extends" and not self.function:
            return False
        if not owner.is_expression:
            owner.definition = self.find(self.source[token.start : token.end], owner.start)
        return True

    def _is_property(self, frame: Frame) -> bool:
        """Whether this word is a property's name, whatever it says."""
        before = self.previous
        if before.kind != MARK:
            return False
        if before.text in {".", "?."}:
            return True
        frame.left = None
        return (frame.kind is Kind.OBJECT and before.text in {"{", ","}) or (frame.kind is Kind.CLASS and before.text in {"{", "}", ";"})

    def _define(self, token: Token, now: Next, *, is_declared: bool) -> None:
        owner = Owner(None, not is_declared, waits_for_name=True, start=token.start if now.begin is None else now.begin)
        if now.candidate and now.candidate.stage is not Stage.PARAMETERS:
            owner.definition = self.find(now.candidate.name, now.candidate.start)
        if token.text == "function":
            self.function = owner
            self.comes = Comes.OPERAND
        else:
            self.frames[-1].class_owner = owner
            self.comes = Comes.OPERATOR

    def _prefix(self, token: Token, now: Next, *, is_statement: bool) -> None:
        """`export`, `default` and `async` belong to what follows."""
        begin = token.start if now.begin is None else now.begin
        if token.text == "export":
            self.next = Next(begin=begin)
        elif token.text == "default":
            is_exported = self.previous.text == "export"
            self.next = Next(begin=begin if is_exported else None, declares=is_exported, is_default=is_exported)
            self.comes = Comes.OPERAND
        else:
            if now.candidate:
                now.candidate.stage = Stage.ASYNC
            declares = is_statement or now.declares
            self.next = Next(begin=begin if declares else None, declares=declares, candidate=now.candidate)
            self.comes = Comes.OPERATOR

    def _name(self, token: Token, now: Next, *, is_left: bool) -> None:
        frame = self.frames[-1]
        if is_left:
            frame.left = (token.start, token.start if frame.declares_from is None else frame.declares_from)
            frame.declares_from = None
        if now.candidate:
            now.candidate.stage = Stage.PARAMETERS
            self.next = Next(candidate=now.candidate)
        elif token.text in _WITH_HEAD:
            self.next = Next(is_head=True)
        self.comes = Comes.OPERATOR

    # Marks

    def _mark(self, token: Token, now: Next) -> None:
        frame, mark = self.frames[-1], token.text
        left = frame.left
        if mark not in _KEEPS_LEFT:
            frame.left = None
        if self.bracket(token, now):
            return
        if mark == "`":
            self.tokens.in_template = True
        elif self._changes_nothing(token):
            return
        elif mark == ":" and not frame.ternaries and frame.kind is Kind.BLOCK:
            self.comes = Comes.STATEMENT
        elif mark == ";" and frame.kind in (Kind.BLOCK, Kind.CLASS):
            self.end_statement()
        else:
            self.comes = Comes.OPERAND
            self._operator(frame, mark, left, now.candidate)

    def _changes_nothing(self, token: Token) -> bool:
        """Whether this is the star of a generator, or a `++` behind its operand."""
        if token.text == "*":
            return self.function is not None
        return token.text in {"++", "--"} and self.comes is Comes.OPERATOR and not token.after_line_end

    def _operator(self, frame: Frame, mark: str, left: tuple[int, int] | None, candidate: Candidate | None) -> None:
        if mark == "?":
            frame.ternaries += 1
        elif mark == ":":
            frame.ternaries = max(frame.ternaries - 1, 0)
        elif mark == ",":
            self.end_arrow(frame)
            frame.declares_from = None
            self.next = NAME_COMES if frame.kind is Kind.BLOCK else NOTHING
        elif mark == "=" and left and self.previous.end - left[0] <= MAX_LEFT:
            frame.left = None
            name = " ".join(self.source[left[0] : self.previous.end].split())
            self.next = Next(name_comes=True, candidate=Candidate(name, left[1], Stage.BEGIN))
        elif mark == "=>":
            is_value = candidate is not None and candidate.stage is not Stage.BEGIN
            definition = self.find(candidate.name, candidate.start) if candidate and is_value else None
            self.next = Next(arrow=Owner(definition, is_expression=True, is_arrow=True))
