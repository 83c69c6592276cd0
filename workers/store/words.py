"""Which words a text has, as the text index keeps them and a search asks for them: whole, in one form for all inflections (SCN-3 to SCN-5).

A pure function of text, used on both sides, so that the database compares words and need not know what a word is: the same files are found
on SQLite and PostgreSQL. What a word becomes here is in the database; a change here needs all of `file_words` made anew.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

import regex
import Stemmer

MAX_WORD_CHARS: Final = 100
"""Characters of a word that count; what follows them doesn't. PostgreSQL takes 2,046 bytes, and longer words are encoded data."""

_WORD: Final = regex.compile(r"[\p{L}\p{N}\p{M}]+")
"""Letters, digits and marks in a row. Everything else separates, `_`, `-` and `.` too: a name is found by each of its words."""


_DIACRITIC: Final = regex.compile(r"[\p{Mn}&&\p{Diacritic}]", regex.VERSION1)
"""Accents and points. They don't tell words apart, as they didn't in the original's text index: `naive` finds `naïve`."""


@cache
def _english() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


def words_of(texts: Iterable[str]) -> list[str]:
    """The different words of all `texts`, sorted: without case, accents, compatibility forms and English endings."""
    found: set[str] = set()
    for text in texts:
        found.update(_WORD.findall(_folded(text)))
    cut = {word[:MAX_WORD_CHARS] for word in found}
    return sorted(set(_english().stemWords(list(cut))))


def _folded(text: str) -> str:
    plain = text if text.isascii() else _DIACRITIC.sub("", unicodedata.normalize("NFKD", text))
    return plain.lower() if plain.isascii() else unicodedata.normalize("NFKC", plain.casefold())
