"""Variables and assignments of JavaScript and TypeScript: constants of the module, and functions and classes held by a name."""

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from workers.parsing.code.drafts import Draft
from workers.parsing.code.index import Kind
from workers.parsing.code.javascript.found import Found
from workers.parsing.code.javascript.names import name_of_this, spellings
from workers.parsing.code.javascript.values import bound_names, core_and_assignments, kind_of
from workers.parsing.code.walk import Rule, field


class Variables:
    """Rules for what gives a name its value."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._declarators: dict[int, tuple[Node, Node, Kind]] = {}
        """The nodes that a declarator's lines begin and end with, and its kind."""
        self._constants: set[int] = set()
        """Declarators of the module's level that give a value, or declare one."""

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The rule for every kind of node that matters."""
        return {
            "lexical_declaration": self._declaration,
            "variable_declaration": self._declaration,
            "variable_declarator": self._declarator,
            "assignment_expression": self._assignment,
        }

    def _declaration(self, node: Node, depth: int) -> bool:
        """A declarator alone has the lines of its statement; one of several has its own."""
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        first = self._found.begins.pop(node.id, node)
        keyword = node.child_by_field_name("kind")  # `var` has none
        kind = Kind.CONSTANT if keyword is not None and keyword.type == "const" else Kind.VARIABLE
        alone = len(declarators) == 1
        for one in declarators:
            self._declarators[one.id] = (first if alone else one, node if alone else one, kind)
        if self._found.is_on_module(node, depth):
            may_lack = kind is Kind.CONSTANT or node.id in self._found.declared
            self._constants.update(one.id for one in declarators if may_lack or one.child_by_field_name("value") is not None)
        return True

    def _declarator(self, node: Node, depth: int) -> bool:
        first, last, kind = self._declarators.pop(node.id)
        value, assignments = core_and_assignments(node.child_by_field_name("value"))
        made = kind_of(value)
        if made is None and node.id not in self._constants:
            return True
        names = [self._found.names.text(name) for name in bound_names(field(node, "name"))]
        bound = [((self._found.drafts.qualify(name),), None) for name in names]
        draft = self._found.define_all(first, last, made or kind, [*bound, *self._assigned(assignments, made)])
        return self._open(draft, value, depth)

    def _assignment(self, node: Node, depth: int) -> bool:
        if self._found.drafted.pop(node.id, node) is None:
            return True  # its names were found with the statement that it is the value of
        value, assignments = core_and_assignments(node)
        made = kind_of(value)
        if made is None:
            return True
        draft = self._found.define_all(node, node, made, self._assigned(assignments, made))
        self._found.drafted.pop(node.id)
        return self._open(draft, value, depth)

    def _assigned(self, assignments: list[Node], made: Kind | None) -> Iterator[tuple[tuple[str, ...], str | None]]:
        """The names of a function or class by the left sides of assignments, and what `this` is in it."""
        if made is None:
            return
        drafts = self._found.drafts
        for assignment in assignments:
            self._found.drafted[assignment.id] = None
            left = field(assignment, "left")
            if left.type == "identifier":
                yield (drafts.qualify(self._found.names.text(left)),), None
            elif chain := self._found.names.chain(left):
                yield spellings(chain, name_of_this(drafts.inner))

    def _open(self, draft: Draft | None, value: Node | None, depth: int) -> bool:
        if draft is not None and value is not None and value.type == "class":
            self._found.drafted[value.id] = draft
        return self._found.open(draft, depth)
