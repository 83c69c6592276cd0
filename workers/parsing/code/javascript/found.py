"""What the rules for JavaScript and TypeScript have found so far, and how each adds to it."""

from collections.abc import Iterable

from tree_sitter import Node

from workers.parsing.code.drafts import Draft, Drafts, Scope
from workers.parsing.code.index import Kind
from workers.parsing.code.javascript.names import Names
from workers.parsing.code.javascript.overloads import Overloads

_BODY = 2
"""Levels from a class or namespace to what stands in its body."""


class Found:
    """The definitions of one file so far, and what was learned of nodes before the walk comes to them."""

    def __init__(self, source: bytes) -> None:
        self.drafts = Drafts()
        self.names = Names(source)
        self.drafted: dict[int, Draft | None] = {}
        """Nodes whose definition is known already; under None, those that have none of their own."""
        self.begins: dict[int, Node] = {}
        """Where the lines of a node's definition begin, if before it: at its `export`, its `declare`, its first decorator."""
        self.on_module: set[int] = set()
        """Declarations of the module's level that stand in an `export` or `declare`."""
        self.declared: set[int] = set()
        """What stands in a `declare`: variables that have no value."""
        self._overloads = Overloads(source)

    def define(self, node: Node, name: str, kind: Kind, *, owner: str | None = None) -> Draft:
        """The definition that a node is, or goes on with (RCC, "overloads in TypeScript"), under what the walk is in."""
        first = self.begins.pop(node.id, node)
        qualified = self.drafts.qualify(name)
        draft = self._overloads.earlier(first, node, qualified, self.drafts.inner)
        if draft is None:
            own = qualified if kind is Kind.CLASS else owner
            draft = self.drafts.add(first, node, (qualified,), kind, owner=own)
        self._overloads.note(draft, node)
        return draft

    def define_all(self, first: Node, last: Node, kind: Kind, spelled: Iterable[tuple[tuple[str, ...], str | None]]) -> Draft | None:
        """A definition for each name that one statement binds, given with its other spellings and what `this` is; the first of them."""
        drafts: list[Draft] = []
        for names, owner in spelled:
            own = names[0] if kind is Kind.CLASS else owner
            references = drafts[0].references if drafts else None
            drafts.append(self.drafts.add(first, last, names, kind, owner=own, references=references))
        return drafts[0] if drafts else None

    def open(self, draft: Draft | None, depth: int) -> bool:
        """Go into a node, on that level, of a definition; of none, just go in."""
        if draft is not None:
            body = depth + _BODY
            members = body if draft.kind is Kind.CLASS else -1
            statements = body if draft.kind is Kind.NAMESPACE else -1
            self.drafts.scopes.append(Scope(draft, depth, members, statements))
        return True

    def is_on_module(self, node: Node, depth: int) -> bool:
        """Whether a statement is on the level of the module or of a namespace."""
        return node.id in self.on_module or depth == (self.drafts.scopes[-1].statements if self.drafts.scopes else 1)

    def is_member(self, depth: int) -> bool:
        """Whether a node on that level is a member of the class that the walk is in: not one of an object, or of a class without a name."""
        return bool(self.drafts.scopes) and self.drafts.scopes[-1].members == depth
