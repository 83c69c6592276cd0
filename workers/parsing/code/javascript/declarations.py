"""Declarations of JavaScript and TypeScript, with `export` and `declare` before them (RCC, "decorators, `export`", "a default export")."""

from collections.abc import Mapping
from typing import Final

from tree_sitter import Node

from workers.parsing.code.drafts import Draft
from workers.parsing.code.index import Kind
from workers.parsing.code.javascript.found import Found
from workers.parsing.code.javascript.values import core_and_assignments, kind_of
from workers.parsing.code.walk import Rule

_DEFAULT: Final = "default"
"""The name of a default export without one."""

_DECLARED: Final = {
    "function_declaration": Kind.FUNCTION,
    "generator_function_declaration": Kind.FUNCTION,
    "function_signature": Kind.FUNCTION,
    "class_declaration": Kind.CLASS,
    "abstract_class_declaration": Kind.CLASS,
    "interface_declaration": Kind.INTERFACE,
    "type_alias_declaration": Kind.TYPE,
    "enum_declaration": Kind.ENUM,
    "internal_module": Kind.NAMESPACE,
    "module": Kind.NAMESPACE,
}


class Declarations:
    """Rules for declarations."""

    def __init__(self, found: Found) -> None:
        self._found = found

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The rule for every kind of node that matters."""
        return {
            **dict.fromkeys(_DECLARED, self._declaration),
            "export_statement": self._export,
            "ambient_declaration": self._ambient,
        }

    def _declaration(self, node: Node, depth: int) -> bool:
        drafted = self._found.drafted
        return self._found.open(drafted.pop(node.id) if node.id in drafted else self._declare(node), depth)

    def _declare(self, node: Node) -> Draft | None:
        name = node.child_by_field_name("name")
        if name is None:
            return self._found.define(node, _DEFAULT, _DECLARED[node.type])
        if name.type == "string":  # `declare module "x"` names a file
            return None
        return self._found.define(node, self._found.names.chain(name) or self._found.names.text(name), _DECLARED[node.type])

    def _export(self, node: Node, depth: int) -> bool:
        declaration = node.child_by_field_name("declaration")
        if declaration is not None:
            return self._stands_before(node, declaration, depth)
        value, _ = core_and_assignments(node.child_by_field_name("value"))
        if value is None or value.type == "identifier":
            return True
        made = kind_of(value)
        draft = self._found.define_all(node, node, made or Kind.CONSTANT, [((_DEFAULT,), None)])
        if made is Kind.CLASS:
            self._found.drafted[value.id] = draft
        return self._found.open(draft, depth)

    def _ambient(self, node: Node, depth: int) -> bool:
        declaration = node.named_children[0]
        self._found.declared.add(declaration.id)
        return self._stands_before(node, declaration, depth)

    def _stands_before(self, outer: Node, inner: Node, depth: int) -> bool:
        """The lines of `inner` begin with `outer`, whose decorators are of `inner` too."""
        found = self._found
        found.begins[inner.id] = found.begins.pop(outer.id, outer)
        if found.is_on_module(outer, depth):
            found.on_module.add(inner.id)
        if inner.type not in _DECLARED:
            return True
        draft = found.drafted[inner.id] = self._declare(inner)
        return found.open(draft, depth)
