"""Definitions and references of Python: functions and classes at any depth, constants and type aliases (RCC, "qualified names")."""

import re
from typing import Final, cast
from unicodedata import normalize

from tree_sitter import Node, Tree

from workers.parsing.code.drafts import Draft, Drafts, Scope
from workers.parsing.code.index import MAX_NAME_BYTES, Index, Kind
from workers.parsing.code.languages import Language
from workers.parsing.code.walk import by_number, field, walk

_CHAIN: Final = re.compile(r"\w+(?:\s*\.\s*\w+)+")
_BLANKS: Final = re.compile(r"\s+")
_TARGETS: Final = frozenset(["pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"])


def index(tree: Tree, source: bytes) -> Index:
    """The index of a parsed file.

    Raises:
        Unindexed: `resource-limit`.
    """
    reader = _Reader(source)
    rules = {
        "identifier": reader.identifier,
        "attribute": reader.attribute,
        "keyword_argument": reader.keyword_argument,
        "function_definition": reader.definition,
        "class_definition": reader.definition,
        "decorated_definition": reader.decorated,
        "assignment": reader.assignment,
        "type_alias_statement": reader.type_alias,
    }
    walk(tree, by_number(rules, Language.PYTHON), reader.drafts)
    return reader.drafts.index()


class _Reader:
    def __init__(self, source: bytes) -> None:
        self.drafts = Drafts()
        self._source = source
        self._decorated: dict[int, Draft] = {}
        self._no_references: set[int] = set()

    def identifier(self, node: Node, _: int) -> bool:
        if self.drafts.scopes and node.id not in self._no_references:
            self.drafts.refer(self._text(node))
        return False

    def attribute(self, node: Node, _: int) -> bool:
        if not self.drafts.scopes:
            return True  # there may be a lambda, but no definition
        if node.end_byte - node.start_byte <= MAX_NAME_BYTES and _CHAIN.fullmatch(chain := self._text(node)):
            self.drafts.refer(_BLANKS.sub("", chain))
            return False
        name = field(node, "attribute")
        self.drafts.refer(f".{self._text(name)}")
        self._no_references.add(name.id)
        return True

    def keyword_argument(self, node: Node, _: int) -> bool:
        self._no_references.add(field(node, "name").id)
        return True

    def decorated(self, node: Node, depth: int) -> bool:
        inner = field(node, "definition")
        draft = self._decorated[inner.id] = self._define(node, inner)
        return self._open(draft, depth)

    def definition(self, node: Node, depth: int) -> bool:
        return self._open(self._decorated.pop(node.id) if node.id in self._decorated else self._define(node, node), depth)

    def assignment(self, node: Node, depth: int) -> bool:
        """Every name that a statement of the module gives a value; of `A = B = 1` the second is found with the first."""
        if self.drafts.scopes:
            return True
        names: list[Node] = []
        value: Node | None = node
        while value is not None and value.type == "assignment":
            names += _targets(field(value, "left"))
            value = value.child_by_field_name("right")
        if value is None or not names:
            return True
        first, *others = names
        draft = self.drafts.add(node, node, (self._text(first),), Kind.CONSTANT)
        for name in others:
            self.drafts.add(node, node, (self._text(name),), Kind.CONSTANT, references=draft.references)
        self._no_references.update(name.id for name in names)
        return self._open(draft, depth)

    def type_alias(self, node: Node, depth: int) -> bool:
        """`type Name = ...` and `type Name[T] = ...`; the grammar takes `type(x).name = ...` for one too."""
        name = field(node, "left").named_children[0]
        if name.type == "generic_type":
            name = name.named_children[0]
        if name.type != "identifier":
            return True
        return self._open(self.drafts.add(node, node, (self.drafts.qualify(self._text(name)),), Kind.TYPE), depth)

    def _define(self, outer: Node, node: Node) -> Draft:
        """A function or class; decorators are part of it."""
        inner = self.drafts.inner
        end = _without_comments(node)
        name = self.drafts.qualify(self._text(field(node, "name")))
        if node.type == "class_definition":
            return self.drafts.add(outer, end, (name,), Kind.CLASS, owner=name)
        if inner is not None and inner.kind is Kind.CLASS:
            return self.drafts.add(outer, end, (name,), Kind.METHOD, owner=inner.names[0])
        return self.drafts.add(outer, end, (name,), Kind.FUNCTION)

    def _open(self, draft: Draft, depth: int) -> bool:
        self.drafts.scopes.append(Scope(draft, depth))
        return True

    def _text(self, node: Node) -> str:
        """A name as Python takes it: two spellings of one letter are the same."""
        text = self._source[node.start_byte : node.end_byte].decode()
        return text if text.isascii() else normalize("NFKC", text)


def _without_comments(node: Node) -> Node:
    """The last leaf of a definition: the grammar puts comments behind its last statement into it, where they are indented."""
    cursor = node.walk()
    while cursor.goto_last_child():
        while (last := cast("Node", cursor.node)).type == "comment":
            if not cursor.goto_previous_sibling():
                return node
        node = last
    return node


def _targets(left: Node) -> list[Node]:
    found: list[Node] = []
    waiting = [left]
    while waiting:
        node = waiting.pop()
        if node.type == "identifier":
            found.append(node)
        elif node.type in _TARGETS:
            waiting += reversed(node.named_children)
    return found
