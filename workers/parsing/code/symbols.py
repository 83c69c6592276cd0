"""A name that a caller asks for to the definition it means, and the map of all definitions (RCC-4 to RCC-6, RCC-9). Pure."""

from typing import Any, Final

from workers.parsing.code.index import Definition, Index

MAX_CANDIDATES: Final = 8
"""Definitions that an ambiguous name is answered with (RCC-5)."""

NOT_FOUND: Final = "symbol-not-found"
AMBIGUOUS: Final = "ambiguous-symbol"


class SymbolRefused(Exception):  # noqa: N818 - an answer
    """A name that isn't one definition's. `reason` is the answer's (RCC-5, RCC-6)."""

    def __init__(self, reason: str, candidates: tuple[Definition, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.candidates = candidates
        """The first `MAX_CANDIDATES` in the order of the file; none where the name isn't found."""


def find(index: Index, symbol: str) -> int:
    """The place of the definition with that qualified name, else of the only one with that simple name (RCC-4).

    Raises:
        SymbolRefused: `symbol-not-found` or `ambiguous-symbol`.
    """
    found = index.qualified.get(symbol) or index.simple.get(symbol, ())
    if not found:
        raise SymbolRefused(NOT_FOUND)
    if len(found) > 1:
        raise SymbolRefused(AMBIGUOUS, tuple(index.definitions[place] for place in found[:MAX_CANDIDATES]))
    return found[0]


def described(definition: Definition) -> dict[str, Any]:
    """A definition as outlines, audits and candidates name it, without any source (RCC-9)."""
    return {
        "name": definition.simple,
        "qualifiedName": definition.name,
        "kind": definition.kind.value,
        "startLine": definition.start,
        "endLine": definition.end,
    }


def outline(index: Index) -> list[dict[str, Any]]:
    """All definitions in the order of the file (RCC-9)."""
    return [described(one) for one in index.definitions]
