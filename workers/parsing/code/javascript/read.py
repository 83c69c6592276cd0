"""The index of a parsed file in JavaScript, TypeScript or TSX: which node is whose rule's (RCC, "qualified names")."""

from tree_sitter import Tree

from workers.parsing.code.index import Index
from workers.parsing.code.javascript.classes import Classes
from workers.parsing.code.javascript.declarations import Declarations
from workers.parsing.code.javascript.found import Found
from workers.parsing.code.javascript.references import References
from workers.parsing.code.javascript.variables import Variables
from workers.parsing.code.languages import Language
from workers.parsing.code.walk import by_number, walk


def index(tree: Tree, source: bytes, language: Language) -> Index:
    """The index of a parsed file.

    Raises:
        Unindexed: `resource-limit`.
    """
    found = Found(source)
    readers = (Declarations(found), Classes(found), Variables(found), References(found.drafts, found.names))
    rules = {kind: rule for reader in readers for kind, rule in reader.rules.items()}
    walk(tree, by_number(rules, language), found.drafts)
    return found.drafts.index()
