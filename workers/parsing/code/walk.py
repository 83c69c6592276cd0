"""One walk over a syntax tree: a reader is shown the nodes that it has a rule for, within the quotas of nodes and depth (RCC-12)."""

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from tree_sitter import Node, Tree

from workers.parsing.code.drafts import Drafts
from workers.parsing.code.index import MAX_DEPTH, MAX_NODES, Limit, Unindexed
from workers.parsing.code.languages import Language, grammar

Rule: TypeAlias = Callable[[Node, int], bool]
"""What a reader does at a node, whose level it is told; whether the walk goes into the node."""


def by_number(rules: Mapping[str, Rule], language: Language) -> Mapping[int, Rule]:
    """Rules for kinds of nodes by name, by those kinds' numbers in the grammar. A kind that only other grammars have is left out."""
    numbers = ((grammar(language).id_for_node_kind(kind, True), rule) for kind, rule in rules.items())
    return {number: rule for number, rule in numbers if number is not None}


def walk(tree: Tree, rules: Mapping[int, Rule], drafts: Drafts) -> None:
    """Show the tree's nodes in the order of the text, by the number of their kind. A scope is closed where its node is left.

    Raises:
        Unindexed: `resource-limit`.
    """
    if tree.root_node.descendant_count > MAX_NODES:
        raise Unindexed(Limit.RESOURCE)
    cursor = tree.walk()
    down, next_one, up, rule_for = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent, rules.get
    scopes = drafts.scopes
    closing = -1  # the level of the innermost scope's node
    depth = 0
    while True:
        node: Node = cursor.node  # type: ignore[assignment]  # on a tree it always has one; a cast would be 5 % of the walk
        rule = rule_for(node.kind_id)
        if rule is None:
            goes_in = down()
        else:
            goes_in = rule(node, depth) and down()
            closing = scopes[-1].depth if scopes else -1
        if goes_in:
            depth += 1
            if depth > MAX_DEPTH:
                raise Unindexed(Limit.RESOURCE)
            continue
        while True:
            while closing == depth:
                scopes.pop()
                closing = scopes[-1].depth if scopes else -1
            if next_one():
                break
            if not up():
                return
            depth -= 1


def field(node: Node, name: str) -> Node:
    """A field of a node that the grammar says is there: a tree with an error in it isn't walked."""
    return cast("Node", node.child_by_field_name(name))
