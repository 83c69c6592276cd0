"""What to ask for instead: the headings close to a query, or else the identifiers that exist (DOC-73 to DOC-78)."""

from collections.abc import Sequence
from typing import Final

from rapidfuzz import fuzz, process

from workers.sections.match import identifier_of, normalized

CLOSE_ENOUGH: Final = 50
"""The least `fuzz.ratio`, of 100, between normalized titles that counts as close (DOC-78)."""


def suggestions(titles: Sequence[str], query: str) -> list[str]:
    """Titles close to `query`, best first, ties in document order; without any, the page's identifiers in order. No repeats, no cap."""
    distinct = list(dict.fromkeys(titles))
    scored = process.extract(normalized(query), map(normalized, distinct), scorer=fuzz.ratio, score_cutoff=CLOSE_ENOUGH, limit=None)
    if scored:
        return [distinct[index] for _, _, index in sorted(scored, key=lambda found: (-found[1], found[2]))]
    identifiers = map(identifier_of, distinct)
    return list(dict.fromkeys(identifier for identifier in identifiers if identifier is not None))
