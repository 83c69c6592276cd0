"""Why scripts and style sheets are read by tokenizers of our own: what libraries take for text that is made to cost."""

from functools import partial
from importlib.metadata import version

import tinycss2
import tree_sitter
import tree_sitter_javascript

from infra.bench.own_process import spent_by
from shared.budget import MIB


def _script(text: str) -> str:
    # Its progress callback could stop it, but then there is no tree, and every template has a map (OUT-19).
    root = tree_sitter.Parser(tree_sitter.Language(tree_sitter_javascript.language())).parse(text.encode()).root_node
    return "errors" if root.has_error else "parsed"


def _sheet(text: str) -> str:
    try:
        return f"{len(tinycss2.parse_stylesheet(text)):,} rules"
    except ValueError as error:
        return type(error).__name__


def measure() -> None:
    """Print what each takes."""
    print(", ".join(f"{name} {version(name)}" for name in ("tree-sitter", "tree-sitter-javascript", "tinycss2")), "\n")
    print("| library     | text                  | peak MiB | CPU s | result")
    for library, parse, texts in (
        ("tree-sitter", _script, [("/* ", 50_000), ("/* ", 100_000), ("a/**/", 50_000), ("/[", 50_000), ("[a,", 1_000_000)]),
        ("tinycss2", _sheet, [("{", 5_000_000), ("a:b;", 5_000_000), ("1", 5_000)]),
    ):
        for unit, size in texts:
            spent = spent_by(partial(parse, unit * (size // len(unit))))
            said = f"{size:,} of {unit!r}"
            print(f"| {library:11} | {said:21} | {spent.peak_bytes / MIB:8.1f} | {spent.cpu_s:5.2f} | {spent.said}", flush=True)
