"""What CPython's parser would take for a text, judged before it is parsed: three forms cost far more than their size. Pure.

The parser bounds its own depth (brackets, indents, recursion), so no text crashes the interpreter. These it doesn't bound:

- an imported name of n parts: the parser joins it part by part and keeps every join, n * length / 2 characters;
- an f-string of n fields: Python 3.11 goes through the string from its beginning for every field, n * length steps;
- tokens: each may become objects of up to 1,000 bytes, so that 10 MB of one-letter lines would take 9 GB.
"""

import re
import sys
from itertools import islice
from typing import Final

MAX_BYTES: Final = 180 * 2**20
"""Bytes that a text, its tree and what the parser makes on the way may take together, counted from above with the constants below; the
rest of a read's price (`DEAREST_READ_BYTES`) is for its answer. Code that people wrote has 100,000 to 240,000 tokens in 1 MB, of which 7 to
10 % end a line, so that about 200,000 of its tokens are within; its tree then takes half of what is counted."""

TOKEN_BYTES: Final = 800
LINE_BYTES: Final = 900
"""Bytes of a token, and what the end of a statement takes besides. `infra/bench/outline_cost.py` measures the dearest forms again; on
2026-12-01, with Python 3.11, these were lines of `a,` (3,040 bytes), of `yield` (1,890), of `lambda a: a` (4,820), and lists of slices
(1,580 for two tokens). As many tokens as there may be took 0.8 s to parse."""

WIDTHS_OF_TEXT: Final = 2
CHARACTER_BYTES: Final = 6
"""Copies of the text, each as wide as its widest character, and bytes of a character besides, as UTF-8 and with that of the file: what the
parser takes for a text that is one string (140 MiB for 10 MiB with one emoji, on the same day)."""

MAX_JOINED: Final = 2**27
"""Parts times characters, summed over a file's dotted imports: half of it is the bytes that their joins take."""

MAX_STEPS: Final = 2**31
"""Fields times characters, summed over a file's f-strings: about half a second."""

_FEWEST_PARTS: Final = 50
"""Parts from which a dotted import counts; below, its joins take at most 25 times its size."""

_DOTTED: Final = re.compile(
    r"(?:\b(?:import|from)\b|,)[ \t\f\\\r\n]*+((?:[\w\x80-\U0010ffff]++[ \t\f\\\r\n]*+\.[ \t\f\\\r\n]*+){" + str(_FEWEST_PARTS) + r",}+)",
)
_STRING: Final = r"""
    (?: '''(?:[^'\\]++|\\.|'(?!''))*+(?:'''|\Z)
      | \"""(?:[^"\\]++|\\.|"(?!""))*+(?:\"""|\Z)
      | '(?:[^'\\\n]++|\\.)*+'?+
      | "(?:[^"\\\n]++|\\.)*+"?+ )
"""
_TOKEN: Final = re.compile(
    rf"""
    (?: [ \t\f\r]++ | \\\r?\n | \#[^\n]*+ )*+
    (?: (?P<end> \Z)
      | (?P<line> \n(?:[ \t\f\r\n]++|\#[^\n]*+)*+ | ; )
      | (?P<formatted> (?:[fF][rR]?|[rR][fF]){_STRING})
      | (?P<open> [(\[{{])
      | (?P<close> [)\]}}])
      | (?:def|class)[ \t\f]++\w++(?:\(\))?+:?+
      | (?:[bBuUrR]{{1,2}})?{_STRING} | \w++ | [-+*/%&|^<>=!:@]= | -> | \*\* | // | << | >> | \.\.\. | . )
    """,
    re.VERBOSE | re.DOTALL,
)
"""The start of a definition is one token, else `MAX_SYMBOLS` of them would count as more than they take (OUT-14)."""
_INSIDE: Final = re.compile(r"\w++|[^\s\w]")
"""A token inside an f-string, whose fields are code; its text counts as if it were."""


def is_too_dear(text: str) -> bool:
    """Whether parsing `text` would take more than these bounds. Linear in the text's length."""
    return _has_dear_tokens(text) or _joined(text) > MAX_JOINED


def _joined(text: str) -> int:
    chains = (match[1] for match in _DOTTED.finditer(text))
    return sum(len(chain) * chain.count(".") for chain in chains)


def _has_dear_tokens(text: str) -> bool:
    """Whether the tokens take more than `MAX_BYTES`, or the f-strings `MAX_STEPS`. It ends with the token that does."""
    left = MAX_BYTES - WIDTHS_OF_TEXT * sys.getsizeof(text) - CHARACTER_BYTES * len(text)
    steps_left = MAX_STEPS
    depth = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        left -= TOKEN_BYTES
        if kind == "line":
            left -= LINE_BYTES if not depth else -TOKEN_BYTES  # inside of brackets a line end is nothing
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(depth - 1, 0)
        elif kind == "formatted":
            string = match[0]
            steps_left -= len(string) * string.count("{")
            left -= TOKEN_BYTES * sum(1 for _ in islice(_INSIDE.finditer(string), left // TOKEN_BYTES + 1))
        if left < 0 or steps_left < 0:
            return True
    return False
