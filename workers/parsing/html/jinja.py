"""Jinja's marks in a template: where they stand, which are symbols, and the text without them (OUT-30 to OUT-32).

Jinja runs first: its marks count inside HTML comments, scripts and strings too, and only `{# … #}` and `raw` hide them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Final

from workers.parsing.html.symbols import OpenSymbols, Symbols

_OPENING: Final = re.compile(r"\{[{%#]")
_INSIDE: Final = re.compile(r"""(?P<string>"[^"\n]*+"|'[^'\n]*+')|[{}]|%(?=\})""")
_RAW: Final = re.compile(r"\{%[-+]?\s*+raw\s*+[-+]?%\}")
_END_RAW: Final = re.compile(r"\{%[-+]?\s*+endraw\s*+[-+]?%\}")
_BLANKED: Final = re.compile(r"[^\n]")

_WORD: Final = re.compile(r"\w++")
_NAME: Final = {"block": re.compile(r"[\w.-]++"), "macro": _WORD}
"""Jinja's own names are words; Django's blocks, in the same files, have dashes and dots too, without which two would have one name."""
_LITERAL: Final = re.compile(r"""(?:"([^"]*+)"|'([^']*+)')""")
_BEHIND: Final = {
    "extends": re.compile(r"\Z"),
    "include": re.compile(r"(?: ignore missing)?(?: with(?:out)? context)?\Z"),
    "import": re.compile(r" as \w++(?: with(?:out)? context)?\Z"),
    "from": re.compile(r" import .*\Z"),
}
"""What may stand behind the target of a tag, whitespace shrunk."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark from its opening to its closing bracket, as positions; `kind` is the character after the first brace."""

    kind: str
    start: int
    end: int


def marks(text: str) -> Iterator[Mark]:
    """Jinja's marks in order. One that is never closed is text; the content of `raw` is. Linear in the text's length."""
    at = 0
    finder = _Finder(text)
    while opening := _OPENING.search(text, at):
        start, kind = opening.start(), opening[0][1]
        end = finder.end(kind, start + 2)
        if end is None:
            at = start + 2
            continue
        yield Mark(kind, start, end)
        at = end
        if kind == "%" and _RAW.fullmatch(text, start, end):
            end_raw = _END_RAW.search(text, end)
            at = end_raw.start() if end_raw else len(text)


def read(text: str, symbols: Symbols) -> str:
    """Add the symbols of `text`, and return it with its marks masked, character by character.

    An expression becomes a word; everything else becomes blank, its line ends kept.

    Raises:
        NoOutline: `too_many_symbols`.
    """
    still_open = OpenSymbols(symbols)
    if not _OPENING.search(text):
        return text
    masked = StringIO()  # marks may be millions, and a list of their pieces would take far more than the text
    at = 0
    for mark in marks(text):
        inside = text[mark.start : mark.end]
        masked.write(text[at : mark.start])
        masked.write("_" * len(inside) if mark.kind == "{" else _BLANKED.sub(" ", inside))
        at = mark.end
        if mark.kind == "%":
            _add(inside[2:-2], mark, symbols, still_open)
    masked.write(text[at:])
    return masked.getvalue()


def without_hidden(name: str) -> str:
    """A name of a style sheet without statements and comments; expressions stay as they are written."""
    for opening, closing in (("{%", "%}"), ("{#", "#}")):
        kept, at = [], 0
        while (start := name.find(opening, at)) >= 0 and (end := name.find(closing, start)) >= 0:
            kept.append(name[at:start])
            at = end + len(closing)
        name = "".join((*kept, name[at:]))
    return name


def _add(inside: str, mark: Mark, symbols: Symbols, still_open: OpenSymbols) -> None:
    """Add a block or macro, end one, or add a tag that names another template."""
    word, rest = _word_and_rest(inside)
    if word in _NAME:
        name = _NAME[word].match(rest)
        if name:
            still_open.open(word, symbols.add(f"{word} {name[0]}", mark.start))
    elif word in {"endblock", "endmacro"}:
        still_open.close(word.removeprefix("end"), mark.end - 1)
    elif word in _BEHIND and rest:
        symbols.add(f"{word} {_target(word, rest)}", mark.start, mark.start)


def _word_and_rest(inside: str) -> tuple[str, str]:
    """The first word of a statement and what stands behind it, without the signs of whitespace control."""
    trimmed = inside.removeprefix("-").removeprefix("+").removesuffix("-").removesuffix("+").strip()
    word = _WORD.match(trimmed)
    return (word[0], trimmed[word.end() :].lstrip()) if word else ("", "")


def _target(word: str, rest: str) -> str:
    """A string's content; of any other expression its source, whitespace shrunk, because a name must not be invented."""
    literal = _LITERAL.match(rest)
    if literal and _BEHIND[word].fullmatch("".join(f" {part}" for part in rest[literal.end() :].split())):
        return literal[1] if literal[1] is not None else literal[2]
    shrunk = " ".join(rest.split())
    behind = _BEHIND[word].search(shrunk)
    return shrunk[: behind.start()] if behind else shrunk


class _Finder:
    """Where marks end. Once reading strings and braces led to no end, ends are looked for without: every text is read twice at the most."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._reads_inside = True
        self._last = {kind: text.rfind(self._closing(kind)) for kind in "{%#"}

    def end(self, kind: str, at: int) -> int | None:
        """The position behind the mark of this kind whose inside begins at `at`; None if nothing closes it."""
        if at > self._last[kind]:
            return None
        if kind != "#" and self._reads_inside:
            end = self._end_outside_strings(kind, at)
            if end is not None:
                return end
            self._reads_inside = False
        return self._text.index(self._closing(kind), at) + 2

    def _end_outside_strings(self, kind: str, at: int) -> int | None:
        depth = 0
        for match in _INSIDE.finditer(self._text, at):
            if match["string"]:
                continue
            if match[0] == "{":
                depth += 1
            elif depth == 0 and match[0] == "%":
                if kind == "%":
                    return match.end() + 1
            elif match[0] == "}" and depth:
                depth -= 1
            elif match[0] == "}" and kind == "{" and self._text.startswith("}", match.end()):
                return match.end() + 1
        return None

    @staticmethod
    def _closing(kind: str) -> str:
        return ("}" if kind == "{" else kind) + "}"
