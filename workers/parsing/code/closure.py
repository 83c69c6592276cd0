"""Definitions with what they need of their own file (RCC-10, RCC-14). Pure."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from workers.parsing.code.index import Definition, Index
from workers.parsing.code.resolve import resolve

MAX_DEPENDENCIES: Final = 64
"""Definitions that are added to those asked for (RCC-10)."""

MAX_AMBIGUOUS: Final = 32
"""Names with several candidates that are listed (RCC-14)."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What was found beside the definitions asked for."""

    places: tuple[int, ...]
    """Definitions to add, the nearest first: none that stands in another one of these, or on lines of one asked for."""
    is_cut: bool
    """Whether there are more than `MAX_DEPENDENCIES`."""
    ambiguous: tuple[str, ...]
    """Names that several definitions answer to, which were followed to none of them, in the order they were met. Not those whose
    candidates all came along anyway."""
    is_ambiguous_cut: bool
    """Whether there are more than `MAX_AMBIGUOUS`."""


def dependencies(index: Index, places: Iterable[int]) -> Dependencies:
    """What the definitions at `places`, with all that stands in them, refer to and what that refers to, breadth first.

    A reference with several candidates is followed to none of them. Every definition is looked at once.
    """
    asked = tuple(dict.fromkeys(places))
    waiting = deque(asked)
    covered: set[int] = set()
    added: dict[int, None] = {}
    ambiguous: dict[str, tuple[int, ...]] = {}
    is_cut = False
    while waiting:
        outer, *inner = _with_inner(index, waiting.popleft())
        new = [place for place in (outer, *inner) if place not in covered]
        covered.update(new)
        for place in inner:
            added.pop(place, None)  # its lines are the outer one's too
        for place in new:
            for reference in index.definitions[place].references:
                name, found = resolve(index, place, reference)
                if len(found) > 1:
                    ambiguous[name] = found
                elif found and found[0] not in covered and found[0] not in added:
                    if len(added) == MAX_DEPENDENCIES:
                        is_cut = True
                        continue
                    added[found[0]] = None
                    waiting.append(found[0])
    names = [name for name, candidates in ambiguous.items() if not covered.issuperset(candidates)]
    lines = [(index.definitions[place].start, index.definitions[place].end) for place in asked]
    places = (place for place in added if not _is_in(index.definitions[place], lines))
    return Dependencies(tuple(places), is_cut, tuple(names[:MAX_AMBIGUOUS]), len(names) > MAX_AMBIGUOUS)


def _is_in(definition: Definition, lines: list[tuple[int, int]]) -> bool:
    return any(start <= definition.start and definition.end <= end for start, end in lines)


def _with_inner(index: Index, place: int) -> list[int]:
    """A definition and all that stand in it."""
    found = [place]
    for one in found:
        found += index.children.get(one, ())
    return found
