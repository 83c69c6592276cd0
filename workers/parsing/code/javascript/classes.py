"""Members of classes in JavaScript and TypeScript: methods, and fields that hold a function or class."""

from collections.abc import Mapping
from typing import Final

from tree_sitter import Node

from workers.parsing.code.drafts import Draft
from workers.parsing.code.index import Kind
from workers.parsing.code.javascript.found import Found
from workers.parsing.code.javascript.values import core_and_assignments, kind_of
from workers.parsing.code.walk import Rule, field

_METHODS: Final = ("method_definition", "method_signature", "abstract_method_signature")
_FIELDS: Final = ("field_definition", "public_field_definition")


class Classes:
    """Rules for what stands in a class."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._decorated: dict[int, Node] = {}
        """The member that a decorator beside it belongs to."""

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The rule for every kind of node that matters."""
        return {
            "class": self._expression,
            "class_body": self._body,
            "decorator": self._decorator,
            **dict.fromkeys(_METHODS + _FIELDS, self._member),
        }

    def _expression(self, node: Node, depth: int) -> bool:
        """A class that is a value: what holds it, else its own name, as in `return class Name extends Base {}`."""
        drafted = self._found.drafted
        if node.id in drafted:
            return self._found.open(drafted.pop(node.id), depth)
        name = node.child_by_field_name("name")
        return self._found.open(self._found.define(node, self._found.names.text(name), Kind.CLASS) if name else None, depth)

    def _body(self, node: Node, _: int) -> bool:
        """In TypeScript's grammar the decorators of a member stand before it; they are part of it (RCC, "decorators")."""
        decorators: list[Node] = []
        for child in node.named_children:
            if child.type == "decorator":
                decorators.append(child)
            elif child.type != "comment":
                if decorators:
                    self._found.begins[child.id] = decorators[0]
                    self._decorated.update((decorator.id, child) for decorator in decorators)
                decorators = []
        return True

    def _decorator(self, node: Node, depth: int) -> bool:
        """What a decorator refers to, its member refers to."""
        member = self._decorated.pop(node.id, None)
        if member is None or not self._found.is_member(depth):
            return True
        if member.id not in self._found.drafted:
            self._found.drafted[member.id] = self._define(member)
        return self._found.open(self._found.drafted[member.id], depth)

    def _member(self, node: Node, depth: int) -> bool:
        if not self._found.is_member(depth):
            return True
        drafted = self._found.drafted
        return self._found.open(drafted.pop(node.id) if node.id in drafted else self._define(node), depth)

    def _define(self, node: Node) -> Draft | None:
        """The definition that a member is; None for a field with any other value."""
        value = core_and_assignments(node.child_by_field_name("value"))[0] if node.type in _FIELDS else None
        made = Kind.METHOD if node.type in _METHODS else kind_of(value)
        if made is None:
            return None
        name = self._found.names.text(node.child_by_field_name("name") or field(node, "property")).strip("'\"")
        if value is not None and made is Kind.CLASS:
            draft = self._found.drafted[value.id] = self._found.define(node, name, Kind.CLASS)
            return draft
        of = self._found.drafts.inner
        return self._found.define(node, name, Kind.METHOD, owner=of.names[0] if of else None)
