"""Names in JavaScript and TypeScript: the source of one, of a chain of them, and all spellings of a left side."""

import re
from typing import Final

from tree_sitter import Node

from workers.parsing.code.drafts import Draft
from workers.parsing.code.index import MAX_NAME_BYTES, Kind

_CHAIN: Final = re.compile(r"[\w$]+(?:\s*\??\.\s*#?[\w$]+)+")
_BETWEEN: Final = re.compile(r"[\s?]+")


class Names:
    """The names in one source."""

    def __init__(self, source: bytes) -> None:
        self._source = source

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self._source[node.start_byte : node.end_byte].decode()

    def chain(self, node: Node) -> str | None:
        """`a.b.c` without the blanks and question marks in it; None where there is anything but names, or more than can be asked for."""
        if node.end_byte - node.start_byte > MAX_NAME_BYTES:
            return None
        text = self.text(node)
        return _BETWEEN.sub("", text) if _CHAIN.fullmatch(text) else None


def spellings(chain: str, this: str | None) -> tuple[tuple[str, ...], str]:
    """The names of what is assigned to a chain of names, and what `this` is in it. `this` is the name of what the assignment stands in."""
    if this is not None and chain.startswith("this."):
        chain = this + chain.removeprefix("this")
    owner, _, last = chain.rpartition(".")
    if owner.endswith(".prototype"):
        owner = owner.removesuffix(".prototype")
        return (f"{owner}.{last}", chain), owner
    return (chain,), owner


def name_of_this(draft: Draft | None) -> str | None:
    """What `this` is in a definition: the class or object of the nearest method, else the function, which then is a constructor."""
    function: str | None = None
    while draft is not None:
        if draft.owner is not None:
            return draft.owner
        if draft.kind is Kind.FUNCTION and function is None:
            function = draft.names[0]
        draft = draft.parent
    return function
