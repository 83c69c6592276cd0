"""What a lexical reference of a definition means in its own file (RCC-10, RCC-14; RCC, "how a reference is resolved"). Pure."""

from collections.abc import Iterator
from typing import Final

from workers.parsing.code.index import Index, Kind

_ITSELF: Final = frozenset(["self", "cls", "this"])
"""The names by which a method speaks of what it belongs to."""


def resolve(index: Index, place: int, reference: str) -> tuple[str, tuple[int, ...]]:
    """The name by which a reference of the definition at `place` is found, and the places of the definitions that have it.

    There are none, one, or several that nothing tells apart.

    A qualified name counts first, from the definition's own scope outwards, and of `a.b.c` as much as names a definition. What a class
    holds is known by its bare name in the class's own body alone. Then a simple name: of `a.b.c` the first, else a later one.
    """
    head, *rest = reference.split(".")
    of_itself = head in _ITSELF and bool(rest)
    parts = [head, *rest] if head and not of_itself else rest
    for scope in _scopes(index, place, bare=bool(head), of_itself=of_itself):
        for length in range(len(parts), 0, -1):
            name = ".".join([*scope, *parts[:length]])
            if found := index.qualified.get(name):
                return name, found
    for part in parts:
        if found := index.simple.get(part):
            return part, found
    return "", ()


def _scopes(index: Index, place: int, *, bare: bool, of_itself: bool) -> Iterator[list[str]]:
    """What the definition stands in, the nearest first: where a bare name is looked up, or what `self` and `this` can be."""
    at: int | None = place
    while at is not None:
        one = index.definitions[at]
        if of_itself and one.owner is not None:
            yield [one.owner]
        elif bare and not of_itself and (one.kind is not Kind.CLASS or at == place):
            yield [one.name]
        at = one.parent
    if bare and not of_itself:
        yield []
