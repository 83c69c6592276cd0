"""Which heading a caller means: equality first, identifiers only when equality found nothing (DOC section 8)."""

from collections.abc import Sequence
from typing import Final

import regex

_HYPHENS: Final = dict.fromkeys([0x2D, *range(0x2010, 0x2016)], "-")

# Letters of any script; what merely counts as a number (a superscript, a Roman numeral) is neither letter nor digit.
_LETTERS_AND_DIGITS: Final = r"\p{L}{1,3}[0-9]{1,3}"
_IS_IDENTIFIER: Final = regex.compile(rf"({_LETTERS_AND_DIGITS})\.?")
# A dot that a digit follows opens sub-numbering and is no boundary (DOC-68).
_OPENS_WITH_IDENTIFIER: Final = regex.compile(rf"({_LETTERS_AND_DIGITS})(?=\s|\.(?![0-9])|\Z)")


def normalized(text: str) -> str:
    """The form in which titles are compared: white space folded, hyphens unified, case folded (DOC-61, DOC-62)."""
    return " ".join(text.split()).translate(_HYPHENS).casefold()


def identifier_of(title: str) -> str | None:
    """The identifier that a heading opens with, as written (`K11` of `K11. Text`), or None (DOC-65, DOC-67)."""
    found = _OPENS_WITH_IDENTIFIER.match(title)
    return found[1] if found else None


def matches(titles: Sequence[str], query: str) -> list[int]:
    """Indexes of the titles that `query` names, in document order (DOC-57, DOC-81)."""
    wanted = normalized(query)
    equal = [index for index, title in enumerate(titles) if normalized(title) == wanted]
    if equal:
        return equal
    asked = _IS_IDENTIFIER.fullmatch(query.strip())
    if asked is None:
        return []
    identifier = asked[1].casefold()
    return [index for index, title in enumerate(titles) if (identifier_of(title) or "").casefold() == identifier]
