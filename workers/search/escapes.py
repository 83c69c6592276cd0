"""Escapes that git's extended regular expressions don't define (SRC-6). A pure function of text.

Git takes such an escape for the plain letter and says nothing, so that `\\d+` would search for the letter d. In a bracket expression a
backslash is itself and no escape is defined: `[\\w.]` would search for a backslash, a w or a dot.
"""

from typing import Final

_DEFINED: Final = frozenset("wWsSbB123456789")
"""Letters and digits that git's `-E` gives a meaning after a backslash."""


def undefined_escape(pattern: str) -> str | None:
    """The first escape of a letter or digit that git would not take for one, such as `\\d`; None when there is none."""
    at = 0
    while at < len(pattern):
        if pattern[at] == "[":
            found, at = _in_brackets(pattern, at + 1)
            if found is not None:
                return found
        elif pattern[at] == "\\":
            escaped = pattern[at + 1 : at + 2]
            if escaped.isalnum() and escaped not in _DEFINED:
                return pattern[at : at + 2]
            at += 2
        else:
            at += 1
    return None


def _in_brackets(pattern: str, at: int) -> tuple[str | None, int]:
    """The first escape in the bracket expression that was opened just before `at`, and the index after what was read."""
    if pattern.startswith("^", at):
        at += 1
    if pattern.startswith("]", at):
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        two = pattern[at : at + 2]
        if two in {"[:", "[.", "[="}:
            end = pattern.find(two[1] + "]", at + 2)
            at = len(pattern) if end < 0 else end + 2
        elif two == "\\\\":  # a backslash in either reading
            at += 2
        elif two[0] == "\\" and two[1:].isalnum():
            return two, at
        else:
            at += 1
    return None, at + 1
