"""How many `o200k_base` tokens a text has: exactly what tiktoken says, on texts that tiktoken can't take too.

tiktoken splits a text by a regular expression and encodes each piece. Two things of that are done here:

- white space without line ends is one piece up to its last character, but a run of a million such characters overflows the expression's
  stack. A long run is cut out before, by the same rule.
- tokens come as a list, 36 bytes for each, so a long text is counted part by part, cut where the expression always cuts: behind an ASCII
  letter or digit and before a mark that goes on with no word.
"""

import re
from collections.abc import Iterator
from typing import Final

from workers.tokens.encoding import encoding

LONG_RUN: Final = 50_000
"""Characters of white space from which a run is cut out; tiktoken 0.14 can take 900,000 and not 999,999."""

PART: Final = 65_536
"""Characters of a text after which it is cut at the next place where it may be."""

LONGEST_TOKEN_BYTES: Final = 128
"""Bytes of the encoding's longest token, 128 spaces."""

_BLANK: Final = "\t\x0b\x0c \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""What `\\s` is in that expression (Unicode's White_Space), without `\\r` and `\\n`."""

_RUN: Final = re.compile(f"(?<![{_BLANK}])[{_BLANK}]{{{LONG_RUN},}}+")

_CUT: Final = re.compile(r"""[A-Za-z0-9](?=[ "(),.:;=<>\[\]{}\\])""")


def count_tokens(text: str) -> int:
    """Tokens of a text. What looks like a special token is text. A lone surrogate counts as the `\\udXXX` that answers write for it."""
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode()
    known = encoding()
    total = at = 0
    for run in _RUN.finditer(text):
        if text.startswith(("\r", "\n"), run.end()):
            continue  # one piece with the line end, which takes no stack
        end = run.end() if run.end() == len(text) else run.end() - 1  # the last one belongs to the word behind it
        total += sum(len(known.encode_ordinary(part)) for part in _parts(text, at, run.start()))
        total += len(known._encode_single_piece(text[run.start() : end]))  # noqa: SLF001 - the only way past the expression
        at = end
    return total + sum(len(known.encode_ordinary(part)) for part in _parts(text, at, len(text)))


def least_tokens(text: str) -> int:
    """Tokens that a text has at the least: as if each were the longest there is. For deciding without counting."""
    return -(-len(text) // LONGEST_TOKEN_BYTES)


def _parts(text: str, start: int, end: int) -> Iterator[str]:
    while end - start > PART:
        cut = _CUT.search(text, start + PART, end)
        if cut is None:
            break
        yield text[start : cut.end()]
        start = cut.end()
    yield text[start:end]
