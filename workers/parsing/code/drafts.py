"""What a reader of a syntax tree writes down: definitions, which of them it is in, and what they refer to, within the quotas."""

from dataclasses import dataclass, field

from tree_sitter import Node

from workers.parsing.code.index import (
    MAX_ALL_NAMES,
    MAX_ALL_REFERENCES,
    MAX_DEFINITIONS,
    MAX_NAME_BYTES,
    MAX_REFERENCES,
    Definition,
    Index,
    Kind,
    Limit,
    Unindexed,
)


@dataclass(slots=True)
class Draft:
    """A definition that is being read; its fields are those of `Definition`."""

    place: int
    names: tuple[str, ...]
    simple: str
    kind: Kind
    start: int
    end: int
    parent: "Draft | None"
    owner: str | None
    references: dict[str, None] = field(default_factory=dict)
    """Shared by definitions of one statement, `A = B = ...`."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A definition whose node the walk is in."""

    draft: Draft
    depth: int
    """The node's level in the tree."""
    members: int = -1
    """The level on which members of a class stand."""
    statements: int = -1
    """The level on which statements of a namespace stand."""


class Drafts:
    """The definitions of one file so far."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self._drafts: list[Draft] = []
        self._characters = 0
        self._references = 0

    @property
    def inner(self) -> Draft | None:
        """The innermost definition that the walk is in."""
        return self.scopes[-1].draft if self.scopes else None

    def add(
        self,
        first: Node,
        last: Node,
        names: tuple[str, ...],
        kind: Kind,
        *,
        owner: str | None = None,
        references: dict[str, None] | None = None,
    ) -> Draft:
        """A definition from the first line of `first` to the last of `last`; the names are qualified.

        Raises:
            Unindexed: `resource-limit`.
        """
        self._characters += sum(map(len, names))
        if len(self._drafts) == MAX_DEFINITIONS or self._characters > MAX_ALL_NAMES:
            raise Unindexed(Limit.RESOURCE)
        draft = Draft(len(self._drafts), names, simple(names[0]), kind, first_line(first), last_line(last), self.inner, owner)
        if references is not None:
            draft.references = references
        self._drafts.append(draft)
        return draft

    def qualify(self, name: str) -> str:
        """The name under what the walk is in."""
        return f"{self.inner.names[0]}.{name}" if self.inner else name

    def refer(self, name: str) -> None:
        """Write down what the innermost definition refers to; itself is nothing to look up.

        Raises:
            Unindexed: `resource-limit`.
        """
        if not self.scopes:
            return
        draft = self.scopes[-1].draft
        references = draft.references
        if name in references or name == draft.simple or name in draft.names or len(name.encode()) > MAX_NAME_BYTES:
            return
        references[name] = None
        self._references += 1
        if len(references) > MAX_REFERENCES or self._references > MAX_ALL_REFERENCES:
            raise Unindexed(Limit.RESOURCE)

    def index(self) -> Index:
        """What was written down. References that no definition of the file can be the answer to are left out."""
        known = {one.simple for one in self._drafts} | {part for one in self._drafts for name in one.names for part in name.split(".")}
        return Index(
            tuple(
                Definition(
                    one.names,
                    one.simple,
                    one.kind,
                    one.start,
                    one.end,
                    one.parent.place if one.parent else None,
                    one.owner,
                    tuple(name for name in one.references if not known.isdisjoint(name.split("."))),
                )
                for one in self._drafts
            )
        )


def simple(name: str) -> str:
    """The last part of a qualified name. A computed member's is all that stands in brackets: `[Symbol.iterator]`."""
    return name[name.index("[") :] if name.endswith("]") else name.rpartition(".")[2]


def first_line(node: Node) -> int:
    """The line on which a node begins, from 1."""
    return node.start_point.row + 1


def last_line(node: Node) -> int:
    """The line on which a node ends; one that ends with a line's end doesn't reach the next."""
    row, column = node.end_point
    return row if column == 0 and row > node.start_point.row else row + 1
