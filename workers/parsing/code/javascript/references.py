"""Which nodes of JavaScript and TypeScript refer to something."""

from collections.abc import Mapping

from tree_sitter import Node

from workers.parsing.code.drafts import Drafts
from workers.parsing.code.javascript.names import Names
from workers.parsing.code.walk import Rule, field


class References:
    """Rules for names, chains of names and elements; what is no rule's, such as a key of an object, refers to nothing."""

    def __init__(self, drafts: Drafts, names: Names) -> None:
        self._drafts = drafts
        self._names = names
        self._none: set[int] = set()

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The rule for every kind of node that matters."""
        return {
            "identifier": self._name,
            "type_identifier": self._name,
            "shorthand_property_identifier": self._name,
            "member_expression": self._chain,
            "nested_identifier": self._chain,
            "nested_type_identifier": self._chain,
            "jsx_opening_element": self._element,
            "jsx_closing_element": self._element,
            "jsx_self_closing_element": self._element,
        }

    def _name(self, node: Node, _: int) -> bool:
        if self._drafts.scopes and node.id not in self._none:
            self._drafts.refer(self._names.text(node))
        return False

    def _chain(self, node: Node, _: int) -> bool:
        if not self._drafts.scopes:
            return True
        if chain := self._names.chain(node):
            self._drafts.refer(chain)
            return False
        name = node.child_by_field_name("property") or field(node, "name")
        self._drafts.refer(f".{self._names.text(name)}")
        self._none.add(name.id)
        return True

    def _element(self, node: Node, _: int) -> bool:
        """An element whose name begins with a small letter is one of the document's."""
        name = node.child_by_field_name("name")
        if name is not None and name.type == "identifier" and self._names.text(name)[0].islower():
            self._none.add(name.id)
        return True
