"""What a file must hold for git to find a query in it: byte trigrams that are certainly in every matching line. Pure.

The index is of bytes with ASCII letters in lower case. Where it isn't certain what a match holds, nothing is required of it: the filter may
leave a file in that git doesn't match, and never take one out that it does.
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

GRAM_BYTES: Final = 3

FOLDS_TO_ASCII: Final = ("\u0131", "\u0130", "\u017f", "\u212a")
"""The letters beyond ASCII that git may take for `i`, `s` and `k` when case doesn't matter, by one table of the system or another. A file
with one of them is always searched."""

_ENDS_RUN: Final = frozenset(".^$")
"""What stands for another character, or none."""

_REPEATS: Final = frozenset("*?+{")
"""What makes the character before it uncertain (`+` doesn't, but then what follows isn't next to what came before)."""


def required_grams(query: str, *, regex: bool, case_sensitive: bool) -> frozenset[bytes]:
    """The trigrams, ASCII letters in lower case, that every file with a match holds; empty when none is certain.

    `regex` says that the query is a POSIX extended expression as git's `-E` reads it; one that isn't well formed requires whatever it does.
    """
    grams: set[bytes] = set()
    for literal in _literals(query) if regex else [query]:
        for run in [literal] if case_sensitive else _caseless_runs(literal):
            data = run.encode("utf-8", "surrogatepass").lower()
            grams.update(data[at : at + GRAM_BYTES] for at in range(len(data) - GRAM_BYTES + 1))
    return frozenset(grams)


def _caseless_runs(text: str) -> Iterator[str]:
    """The longest parts of `text` whose every character has one form, ASCII letters aside, whatever folds it."""
    run = ""
    for character in text:
        if character.isascii() or unicodedata.category(character) == "Lo":
            run += character
        else:
            yield run
            run = ""
    yield run


def _literals(pattern: str) -> Iterator[str]:
    """The texts that every match of the expression holds: runs of plain characters outside all groups. None beside an alternative."""
    runs: list[str] = []
    run = ""
    at = 0
    while at < len(pattern):
        character = pattern[at]
        width, plain = 1, character
        if character == "|":
            return
        if character == "[":
            width, plain = _bracket_length(pattern, at), ""
        elif character == "(":
            width, plain = _group_length(pattern, at), ""
        elif character == "\\":
            width, plain = 2, _escaped(pattern[at + 1 : at + 2])
        elif character in _ENDS_RUN or character in _REPEATS or character == ")":
            plain = ""
        follows = pattern[at + width : at + width + 1]
        if character == "{":  # a bound such as {2,3}; where it is none, its characters are required less, not more
            closing = pattern.find("}", at)
            width = len(pattern) - at if closing < 0 else closing - at + 1
        if plain and follows not in _REPEATS:
            run += plain
        else:
            runs.append(run)
            run = ""
            if plain and follows == "+" and pattern[at + width + 1 : at + width + 2] not in _REPEATS:
                runs[-1] += plain
        at += width
    yield from (*runs, run)


def _escaped(character: str) -> str:
    """What a backslash before it makes of a character: itself when it is one of this punctuation, else something unknown."""
    return character if character and character in '\\.[]()*+?{}|^$/-"#%&,:;=@~!' else ""


def _bracket_length(pattern: str, start: int) -> int:
    """Characters of the bracket expression that begins at `start`; all that is left when it doesn't end."""
    at = start + 1
    at += pattern.startswith("^", at)
    at += pattern.startswith("]", at)
    while at < len(pattern) and pattern[at] != "]":
        named = pattern[at : at + 2]
        if named in ("[:", "[.", "[="):
            closing = pattern.find(f"{named[1]}]", at + 2)
            if closing < 0:
                return len(pattern) - start
            at = closing + 2
        else:
            at += 1
    return at + 1 - start


def _group_length(pattern: str, start: int) -> int:
    """Characters of the group that begins at `start`; all that is left when it doesn't end."""
    depth = 0
    at = start
    while at < len(pattern):
        if pattern[at] == "[":
            at += _bracket_length(pattern, at)
            continue
        if pattern[at] == "\\":
            at += 2
            continue
        depth += (pattern[at] == "(") - (pattern[at] == ")")
        at += 1
        if depth == 0:
            return at - start
    return len(pattern) - start
