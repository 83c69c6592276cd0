"""Hyperlink targets: whether one is an internal one, which `:ref:` points to, and its name as written. Pure functions of text."""

import re
from typing import Final

MALFORMED: Final = object()
"""What only begins like a target: docutils reads a comment."""

# The name ends at a colon that isn't escaped, with white space or a line's end after it. Escapes are `\0` and the character here, as
# in docutils, so that the look-behinds tell an escaped character from a plain one. A name may go on over lines.
_TARGET: Final = re.compile(
    r"(?:_|(?!_)(?P<quote>`?)(?![ `])(?P<name>.+?)(?<![\s\0])(?P=quote))(?<!(?<!\0):)(?<![\s\0])\n?[ ]?:(?:[ ]+|(?=\n)|\Z)", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(.|\Z)", re.DOTALL)


def read_target(text: str) -> str | object | None:
    """The name of the internal target that `text` is, all its lines after `.. _`; None for an external, indirect or anonymous one.

    Backquotes around the name are dropped, escapes in it stay as written, and white space in it is one space. `MALFORMED` is no target.
    """
    found = _TARGET.match(_ESCAPE.sub("\0\\1", text))
    if not found:
        return MALFORMED
    name = found["name"]
    if name is None or text[found.end() :].strip():
        return None
    return " ".join(text[slice(*found.span("name"))].split())
