"""What a value of JavaScript or TypeScript is once nothing stands around it, and what a pattern binds. Pure."""

from typing import Final

from tree_sitter import Node

from workers.parsing.code.index import Kind
from workers.parsing.code.walk import field

_AROUND: Final = frozenset(["parenthesized_expression", "as_expression", "satisfies_expression", "type_assertion", "non_null_expression"])
_BESIDE: Final = frozenset(["comment", "type_arguments"])
"""What may stand before the value in these."""
_MADE: Final = {
    "arrow_function": Kind.FUNCTION,
    "function_expression": Kind.FUNCTION,
    "generator_function": Kind.FUNCTION,
    "class": Kind.CLASS,
}
_NAMES: Final = frozenset(["identifier", "shorthand_property_identifier_pattern"])
_PATTERNS: Final = frozenset(["object_pattern", "array_pattern", "rest_pattern"])
_WITH_DEFAULT: Final = frozenset(["assignment_pattern", "object_assignment_pattern"])


def core_and_assignments(value: Node | None) -> tuple[Node | None, list[Node]]:
    """A value without parentheses, types and assignments around it, and those assignments."""
    assignments: list[Node] = []
    while value is not None:
        if value.type == "assignment_expression":
            assignments.append(value)
            value = field(value, "right")
        elif value.type in _AROUND:
            value = next((child for child in value.named_children if child.type not in _BESIDE), None)
        else:
            break
    return value, assignments


def kind_of(value: Node | None) -> Kind | None:
    """Function or class, where the value is one; None for anything else, such as a call that makes one."""
    return _MADE.get(value.type) if value is not None else None


def bound_names(pattern: Node) -> list[Node]:
    """The names that a declarator's left side binds, in their order."""
    found: list[Node] = []
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if node.type in _NAMES:
            found.append(node)
        elif node.type in _PATTERNS:
            waiting += reversed(node.named_children)
        elif node.type in _WITH_DEFAULT:
            waiting.append(field(node, "left"))
        elif node.type == "pair_pattern":
            waiting.append(field(node, "value"))
    return found
