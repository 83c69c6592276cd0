"""What an adornment is, how wide a title is, and whether one fits the other. Pure functions of single lines."""

import unicodedata
from string import punctuation
from typing import Final

SHORTEST_FORGIVEN: Final = 4
"""From this many characters on an adornment that is too short for its title is one all the same, and a lone one is a transition."""

_SIGNS: Final = frozenset(punctuation)


def is_adornment(line: str) -> bool:
    """Whether `line`, without white space at its end, is one punctuation character of ASCII repeated (OUT-84)."""
    return line[:1] in _SIGNS and line.count(line[0]) == len(line)


def column_width(title: str) -> int:
    """Columns that `title` takes: two for a wide character, none for a combining one (OUT-75)."""
    if title.isascii():
        return len(title)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in title)
    combining = sum(unicodedata.combining(character) != 0 for character in title)
    return len(title) + wide - combining


def carries(adornment: str, title: str) -> bool:
    """Whether `adornment` is wide enough to make `title` a heading (OUT-69, OUT-72 to OUT-74, OUT-77)."""
    return len(adornment) >= SHORTEST_FORGIVEN or column_width(title) <= len(adornment)
