"""What CPython's parser would take for a text, judged before it is parsed: three forms cost far more than their size. Pure.

The parser bounds its own depth (brackets, indents, recursion), so no text crashes the interpreter. These it doesn't bound:

- an imported name of n parts: the parser joins it part by part and keeps every join, n * length / 2 characters;
- an f-string of n fields: Python 3.11 goes through the string from its beginning for every field, n * length steps;
- tokens: each may become objects of up to 900 bytes, so that 10 MB of one-letter lines would take 9 GB.
"""

import re
from collections.abc import Iterator
from typing import Final

MAX_TOKENS: Final = 1_000_000
"""Tokens of one file, counted from above. At worst (lines of one letter) its tree takes 0.9 GB and 5 s; code that people wrote has about
230,000 tokens in 1 MB, and its tree 90 MB."""

MAX_JOINED: Final = 2**27
"""Parts times characters, summed over a file's dotted imports: half of it is the bytes that their joins take."""

MAX_STEPS: Final = 2**31
"""Fields times characters, summed over a file's f-strings: about half a second."""

_FEWEST_PARTS: Final = 50
"""Parts from which a dotted import counts; below, its joins take at most 25 times its size."""

_DOTTED: Final = re.compile(
    r"(?:\b(?:import|from)\b|,)[ \t\f\\\r\n]*+((?:[\w\x80-\U0010ffff]++[ \t\f\\\r\n]*+\.[ \t\f\\\r\n]*+){" + str(_FEWEST_PARTS) + r",}+)",
)
_QUOTED: Final = re.compile(
    r"""
      (?P<comment>\#[^\n]*+)
    | (?P<prefix>\b[A-Za-z]{1,2}|)
      (?: '''(?:[^'\\]++|\\.|'(?!''))*+(?:'''|\Z)
        | \"""(?:[^"\\]++|\\.|"(?!""))*+(?:\"""|\Z)
        | '(?:[^'\\\n]++|\\.)*+'?+
        | "(?:[^"\\\n]++|\\.)*+"?+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD: Final = re.compile(r"\w{2,}+")
_BLANK_LINES: Final = re.compile(r"\n[ \t\f\r\n]++")
_BLANKS: Final = " \t\f\r\\"


def is_too_dear(text: str) -> bool:
    """Whether parsing `text` would take more than these bounds. Linear in the text's length."""
    return _joined(text) > MAX_JOINED or _steps(text) > MAX_STEPS or _has_more_tokens(text)


def _joined(text: str) -> int:
    chains = (match[1] for match in _DOTTED.finditer(text))
    return sum(len(chain) * chain.count(".") for chain in chains)


def _steps(text: str) -> int:
    return sum(len(string) * string.count("{") for string in _f_strings(text))


def _f_strings(text: str) -> Iterator[str]:
    return (match[0] for match in _QUOTED.finditer(text) if _is_formatted(match))


def _has_more_tokens(text: str) -> bool:
    if len(text) <= MAX_TOKENS:
        return False
    code = _BLANK_LINES.sub("\n", _QUOTED.sub(_as_code, text))
    words = _WORD.sub("w", code)
    return len(words) - sum(words.count(blank) for blank in _BLANKS) > MAX_TOKENS


def _as_code(match: re.Match[str]) -> str:
    """What a comment or a string counts as: nothing, one token, or what is in it, because an f-string's fields are code."""
    if match["comment"]:
        return ""
    return match[0] if _is_formatted(match) else "s"


def _is_formatted(match: re.Match[str]) -> bool:
    return "f" in (match["prefix"] or "").lower()
