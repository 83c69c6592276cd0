"""Overloads of TypeScript: signatures and their implementation are one definition (RCC, "overloads in TypeScript")."""

import re
from typing import Final

from tree_sitter import Node

from workers.parsing.code.drafts import Draft, last_line

_SIGNATURES: Final = frozenset(["function_signature", "method_signature", "abstract_method_signature"])
_OVERLOADED: Final = _SIGNATURES | {"function_declaration", "generator_function_declaration", "method_definition"}

_BETWEEN: Final = re.compile(rb"(?:[\s;]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+")
"""What may stand between them: blanks, the semicolon of a signature, and comments."""


class Overloads:
    """The signature that the walk met last."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._draft: Draft | None = None
        self._end_byte = 0

    def earlier(self, first: Node, node: Node, name: str, parent: Draft | None) -> Draft | None:
        """The definition that a function or method of this name goes on with, which begins at `first`; its lines now reach its end."""
        draft = self._draft
        if draft is None or node.type not in _OVERLOADED or draft.names[0] != name or draft.parent is not parent:
            return None
        if not _BETWEEN.fullmatch(self._source, self._end_byte, first.start_byte):
            return None
        draft.end = last_line(node)
        return draft

    def note(self, draft: Draft, node: Node) -> None:
        """Remember a definition that a signature began or went on with."""
        self._draft = draft if node.type in _SIGNATURES else None
        self._end_byte = node.end_byte
