"""Functions and classes of a Python file, at any depth and inside every block, by their dotted names (OUT-20 to OUT-28)."""

import ast
from collections.abc import Iterator
from typing import Final, TypeAlias

from workers.parsing.outline import MAX_SYMBOLS, Symbol, too_many_symbols
from workers.parsing.python.parse import parse

MAX_NAMES: Final = 2**26
"""Characters of all names together, which is what a map holds besides: a class whose name is megabytes long has it repeated before each of
its methods."""

_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_BLOCKS: Final = ("body", "handlers", "orelse", "finalbody", "cases")
"""The fields of a statement, of an `except` and of a `case` that hold statements. A definition stands nowhere else."""


def outline(text: str) -> list[Symbol]:
    """The symbols of `text` in file order. Linear in the text's length; nothing recurses.

    Raises:
        NoOutline: `parse_error`, or `too_many_symbols` (more than `MAX_NAMES` characters are that too).
    """
    lines: list[str] | None = None
    found: list[Symbol] = []
    characters = 0
    for definition, name in _definitions(parse(text)):
        if len(found) == MAX_SYMBOLS:
            raise too_many_symbols()
        characters += len(name)
        if characters > MAX_NAMES:
            raise too_many_symbols()
        start = definition.lineno
        if definition.decorator_list:
            lines = lines or text.split("\n")
            start = _line_of_at(lines, definition.decorator_list[0].lineno)
        # The tree of a parsed text always has its ends; only trees made by hand may lack them.
        found.append(Symbol(name, start, definition.end_lineno or definition.lineno))
    return found


def _definitions(tree: ast.Module) -> Iterator[tuple[_Definition, str]]:
    """Every definition and its full name: the prefix grows in functions and classes only (OUT-22)."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, _Definition):
            name = prefix + node.name
            yield node, name
            prefix = f"{name}."
        inner = [child for block in _BLOCKS for child in getattr(node, block, ())]
        waiting.extend((child, prefix) for child in reversed(inner))


def _line_of_at(lines: list[str], expression: int) -> int:
    """The line of the `@` whose expression begins on line `expression`: only brackets, comments and line joins can stand between them."""
    line = expression
    while line > 1 and not lines[line - 1].lstrip(" \t\f").startswith("@"):
        line -= 1
    return line
