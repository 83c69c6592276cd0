"""The markers of enumerated lists: which list they belong to, and whether a line really begins an item. Pure functions of lines.

It matters to headings because `1. Intro` over an underline is a title, and over an indented line an item (OUT-81).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

MAX_DIGITS: Final = 4_000
"""Digits of an ordinal that is still looked at: Python refuses to convert 4,300."""

_LAST_LETTER: Final = 26
_LAST_ROMAN: Final = 4_999
_TEXT: Final = r"(?:[0-9]+|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+|#)"
ENUMERATOR: Final = re.compile(rf"(?:\((?P<parens>{_TEXT})\)|(?P<rparen>{_TEXT})\)|(?P<period>{_TEXT})\.)(?: +|$)")
_AROUND: Final = {"parens": ("(", ")"), "rparen": ("", ")"), "period": ("", ".")}
# Ordered: the first that matches is meant.
_SEQUENCES: Final = {
    "arabic": re.compile(r"[0-9]+"),
    "loweralpha": re.compile(r"[a-z]"),
    "upperalpha": re.compile(r"[A-Z]"),
    "lowerroman": re.compile(r"[ivxlcdm]+"),
    "upperroman": re.compile(r"[IVXLCDM]+"),
}
_ROMAN: Final = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
                 (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip
_ROMAN_FORM: Final = re.compile(r"M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


@dataclass(frozen=True, slots=True)
class Enumerator:
    """A marker as it was read."""

    form: str
    """What stands around it: `parens`, `rparen` or `period`."""
    sequence: str
    """`arabic`, `loweralpha`, `upperalpha`, `lowerroman`, `upperroman`, or `#`, which takes the next number by itself."""
    ordinal: int | None
    """From 0; 1 for `#`; None when it is no number, as `iiii`."""


def read(match: re.Match[str], expected: str = "") -> Enumerator:
    """The marker that `ENUMERATOR` matched. A letter that is a numeral too is read as `expected`, the list's own sequence."""
    form = str(match.lastgroup)
    text = str(match[form])
    if text == "#":
        return Enumerator(form, "#", 1)
    if expected and _SEQUENCES[expected].fullmatch(text):
        sequence = expected
    elif not expected and text in {"i", "I"}:
        sequence = "lowerroman" if text == "i" else "upperroman"
    else:
        sequence = next(name for name, pattern in _SEQUENCES.items() if pattern.fullmatch(text))
    return Enumerator(form, sequence, _ordinal(sequence, text))


def begins_item(marker: Enumerator, next_line: str) -> bool:
    """Whether a line that opens with `marker` is an item: the line after it is blank, indented, or opens with the next marker."""
    if marker.ordinal is None:
        return False
    if not next_line[:1].strip():
        return True
    following = _marker(marker.sequence, marker.ordinal + 1)
    before, after = _AROUND[marker.form]
    return following is not None and next_line.startswith((f"{before}{following}{after} ", f"{before}#{after} "))


def continues(marker: Enumerator, first: Enumerator, last: Enumerator) -> bool:
    """Whether `marker` may stand in the list that `first` began and whose latest marker is `last`."""
    if marker.form != first.form:
        return False
    if marker.sequence == "#":
        return True
    return marker.sequence == sequence_of(first) and last.sequence != "#" and marker.ordinal == (last.ordinal or 0) + 1


def sequence_of(first: Enumerator) -> str:
    """The sequence of a list that `first` began."""
    return "arabic" if first.sequence == "#" else first.sequence


def _ordinal(sequence: str, text: str) -> int | None:
    if sequence == "arabic":
        return int(text) if len(text) <= MAX_DIGITS else None
    if sequence.endswith("alpha"):
        return ord(text.upper()) - ord("A") + 1
    numeral = text.upper()
    return _roman(numeral) if _ROMAN_FORM.fullmatch(numeral) else None


@lru_cache(maxsize=_LAST_ROMAN)
def _roman(numeral: str) -> int:
    """What a well-formed numeral says, which is one of few, each of few signs."""
    total = 0
    for value, sign in _ROMAN:
        while numeral.startswith(sign):
            total += value
            numeral = numeral[len(sign) :]
    return total


def _marker(sequence: str, ordinal: int) -> str | None:
    """How the marker with that ordinal is written, or None when the sequence has none."""
    if sequence == "#":
        return "#"
    if sequence == "arabic":
        return str(ordinal)
    if sequence.endswith("alpha"):
        if ordinal > _LAST_LETTER:
            return None
        written = chr(ordinal + ord("A") - 1)
    else:
        if ordinal > _LAST_ROMAN:
            return None
        written = ""
        for value, sign in _ROMAN:
            written += sign * (ordinal // value)
            ordinal %= value
    return written.lower() if sequence.startswith("lower") else written
