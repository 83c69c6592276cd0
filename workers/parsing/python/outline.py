"""Functions and classes of a Python file, at any depth and inside every block, by their dotted names (OUT-20 to OUT-28)."""

import ast
import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from workers.parsing.outline import Ceilings, Symbol
from workers.parsing.positions import LineStarts
from workers.parsing.python.parse import parse

_AT: Final = re.compile(r"[ \t\f]*+@")
_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_BLOCKS: Final = ("body", "handlers", "orelse", "finalbody", "cases")
"""The fields of a statement, of an `except` and of a `case` that hold statements. A definition stands nowhere else."""


def outline(text: str) -> list[Symbol]:
    """The symbols of `text` in file order. Linear in the text's length; nothing recurses.

    Raises:
        NoOutline: `parse_error`, or `too_many_symbols`.
    """
    with _uncollected():
        return _symbols(text)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No collection of cycles meanwhile: a syntax tree has none, and walking it again and again is a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _symbols(text: str) -> list[Symbol]:
    lines = LineStarts(text)
    found: list[Symbol] = []
    ceilings = Ceilings()
    for definition, name in _definitions(parse(text)):
        ceilings.take(name)
        start = definition.lineno
        if definition.decorator_list:
            expression = definition.decorator_list[0].lineno
            start = _line_of_at(text, expression, lines.start_of(expression))
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


def _line_of_at(text: str, expression: int, line_start: int) -> int:
    """The line of the `@` whose expression begins on line `expression`, which itself begins at `line_start`.

    Only brackets, comments and line joins can stand between them, so that lines without an `@` are passed over.
    """
    begin = line_start
    while not _AT.match(text, begin):
        begin = text.rfind("\n", 0, text.rindex("@", 0, begin)) + 1
    return expression - text.count("\n", begin, line_start)
