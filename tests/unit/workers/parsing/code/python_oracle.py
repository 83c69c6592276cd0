"""The definitions of a Python file by `ast`: the oracle of the index."""

import ast
from collections.abc import Iterator

Row = tuple[str, str, int, int]

_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


def rows(text: str) -> list[Row]:
    """Qualified name, kind, first and last line of every function and class, and of every name that the module's level gives a value."""
    return sorted(_rows(ast.parse(text), text.split("\n"), "", None))


def _rows(node: ast.AST, lines: list[str], prefix: str, inside: str | None) -> Iterator[Row]:
    for child in (child for block in _BLOCKS for child in getattr(node, block, ())):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            kind = "class" if isinstance(child, ast.ClassDef) else "method" if inside == "class" else "function"
            start = child.decorator_list[0].lineno if child.decorator_list else child.lineno
            while child.decorator_list and not lines[start - 1].lstrip(" \t\f").startswith("@"):
                start -= 1
            yield prefix + child.name, kind, start, child.end_lineno or 0
            yield from _rows(child, lines, f"{prefix}{child.name}.", kind)
            continue
        if inside is None:
            yield from _constants(child)
        yield from _rows(child, lines, prefix, inside)


def _constants(node: ast.AST) -> Iterator[Row]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) and node.value else []
    names = [name for target in targets for name in _names(target)]
    yield from ((name, "constant", node.lineno, node.end_lineno or 0) for name in names)  # type: ignore[attr-defined]


def _names(target: ast.AST) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _names(element)
    elif isinstance(target, ast.Starred):
        yield from _names(target.value)
