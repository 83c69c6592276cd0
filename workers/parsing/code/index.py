"""What an index of a source file is: its definitions with their names, lines and lexical references (RCC-9 to RCC-12). Pure data."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, TypeVar

_Key = TypeVar("_Key", bound=Hashable)

MAX_SOURCE_BYTES: Final = 8 * 1024 * 1024
"""Bytes of a file that is indexed (RCC-12)."""

MAX_DEFINITIONS: Final = 4_096
"""Definitions of one file (RCC-12)."""

MAX_REFERENCES: Final = 256
"""Distinct lexical references of one definition, without those of the definitions inside it (RCC-12)."""

MAX_ALL_REFERENCES: Final = 65_536
"""References of all definitions of a file together (RCC, "Not given by the source")."""

MAX_NODES: Final = 500_000
"""Nodes of a file's syntax tree (RCC, "Not given by the source"): 1.5 to 2 MB of ordinary code."""

MAX_DEPTH: Final = 1_000
"""Levels of a file's syntax tree below its root (RCC, "Not given by the source")."""

MAX_NAME_BYTES: Final = 256
"""UTF-8 bytes of a name that can be asked for (RCC-21). What is longer is no reference."""

MAX_ALL_NAMES: Final = 1024 * 1024
"""Characters of all names of a file together: a class with a name of megabytes would have it repeated before each of its methods."""


class Kind(StrEnum):
    """What a definition is, as an outline says it."""

    FUNCTION = "function"
    METHOD = "method"
    """A function that stands in a class."""
    CLASS = "class"
    INTERFACE = "interface"
    TYPE = "type"
    """A type alias."""
    ENUM = "enum"
    NAMESPACE = "namespace"
    CONSTANT = "constant"
    """A name given a value on the module's level: all of Python's, `const` in the others."""
    VARIABLE = "variable"
    """The same by `let` or `var`."""


class Limit(StrEnum):
    """Why a file has no index: the reasons of RCC-12 and RCC-13, as they are answered."""

    RESOURCE = "resource-limit"
    PARSE = "parse-error"
    LANGUAGE = "unsupported-language"


class Unindexed(Exception):  # noqa: N818 - an answer
    """A file without an index; there is never a part of one (RCC-12)."""

    def __init__(self, reason: Limit) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition. Lines are from 1, both ends included, counted as `text.split("\\n")` counts."""

    names: tuple[str, ...]
    """Every accepted qualified name; the first is the one that is shown."""
    simple: str
    """The name without what it stands in."""
    kind: Kind
    start: int
    end: int
    parent: int | None
    """The place in the index of the definition that it stands in."""
    owner: str | None
    """The qualified name of what `self` and `this` are in it; None where that is for what it stands in to say."""
    references: tuple[str, ...]
    """What its lines refer to, each once, in the order of the text, without what the definitions inside it refer to: `name`, `a.b.c`, or
    `.name` where it is asked of something that has no name."""

    @property
    def name(self) -> str:
        """The qualified name that is shown."""
        return self.names[0]


@dataclass(frozen=True)
class Index:
    """All definitions of a file, by their first line; of those that begin on one line, the outer one is first."""

    definitions: tuple[Definition, ...]

    @cached_property
    def qualified(self) -> Mapping[str, tuple[int, ...]]:
        """Places of the definitions with a qualified name."""
        return _places((name, place) for place, one in enumerate(self.definitions) for name in one.names)

    @cached_property
    def simple(self) -> Mapping[str, tuple[int, ...]]:
        """Places of the definitions with a simple name."""
        return _places((one.simple, place) for place, one in enumerate(self.definitions))

    @cached_property
    def children(self) -> Mapping[int | None, tuple[int, ...]]:
        """Places of the definitions that stand directly in another; under None, those that stand in none."""
        return _places((one.parent, place) for place, one in enumerate(self.definitions))

    def to_json(self) -> list[list[Any]]:
        """The index as a JSON value, to be kept under the file's blob id."""
        return [[one.names, one.simple, one.kind, one.start, one.end, one.parent, one.owner, one.references] for one in self.definitions]

    @staticmethod
    def from_json(rows: list[list[Any]]) -> "Index":
        """The index that `to_json` gave."""
        return Index(
            tuple(
                Definition(tuple(names), simple, Kind(kind), start, end, parent, owner, tuple(references))
                for names, simple, kind, start, end, parent, owner, references in rows
            )
        )


def _places(pairs: Iterable[tuple[_Key, int]]) -> dict[_Key, tuple[int, ...]]:
    found: dict[_Key, list[int]] = {}
    for key, place in pairs:
        found.setdefault(key, []).append(place)
    return {key: tuple(places) for key, places in found.items()}
