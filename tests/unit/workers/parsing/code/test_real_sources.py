"""Indexes of real sources: against acorn and `ast`, and whether the lines of a definition parse by themselves. Deep: the corpora."""

from collections.abc import Iterable
from pathlib import Path

import pytest
import tree_sitter

from tests.unit.workers.parsing.code.reading import TS, TSX
from tests.unit.workers.parsing.code.test_javascript_oracle import compare
from tests.unit.workers.parsing.code.test_python_index import compared
from tests.unit.workers.parsing.real_pages import real
from workers.parsing.code.index import Definition, Kind, Unindexed
from workers.parsing.code.languages import Language, grammar
from workers.parsing.code.read import read_index

pytestmark = [pytest.mark.deep, pytest.mark.timeout(1800)]

LONGEST_LINE = 1_000
"""Characters of a line from which a file is taken for a minified one: several definitions share a line of it."""


def written(suffix: str, *under: str) -> list[Path]:
    """Files that people wrote, and no declarations that a compiler did."""
    return [path for path in real(suffix, under=under) if not path.name.endswith(f".d{suffix}")]


@pytest.mark.rule("RCC-3", "RCC-11")
@pytest.mark.parametrize(
    ("suffix", "under", "share"),
    [
        (".js", ["npm-express", "npm-react-1", "npm-typescript-eslint", "npm-rxjs", "npm-zod"], 0.99),
        (".js", ["npm-react-dom"], 0.7),  # some of its files are past the quotas
        (".ts", ["npm-rxjs", "npm-zod"], 0.9),  # Node can't take the types out of some
    ],
)
def test_declarations_are_those_of_acorn(suffix: str, under: list[str], share: float) -> None:
    files = written(suffix, *under)
    assert compare(files) >= share * len(files)


@pytest.mark.rule("RCC-3", "RCC-11")
def test_definitions_of_python_packages_are_those_of_ast() -> None:
    files = real(".py", at_most=1_500)
    assert sum(map(compared, files)) >= 0.97 * len(files)


def stands_alone(one: Definition, lines: Iterable[str], language: Language) -> bool:
    """Whether these lines parse by themselves; those of a method in a class."""
    text = "\n".join(lines)
    text = f"abstract class A {{{text}\n}}" if one.kind is Kind.METHOD else text
    return not tree_sitter.Parser(grammar(language)).parse(text.encode()).root_node.has_error


@pytest.mark.rule("RCC-3", "RCC-11")
@pytest.mark.parametrize(("suffix", "language", "least"), [(".ts", TS, 4_000), (".tsx", TSX, 50)])
def test_the_lines_of_a_definition_in_typescript_parse_by_themselves(suffix: str, language: Language, least: int) -> None:
    judged = 0
    for path in written(suffix, "npm-"):
        lines = path.read_text(encoding="utf-8").split("\n")
        try:
            index = read_index(path.read_bytes(), language)
        except Unindexed:
            continue
        if max(map(len, lines)) > LONGEST_LINE:
            continue
        for one in index.definitions:
            assert stands_alone(one, lines[one.start - 1 : one.end], language), (path, one)
            judged += 1
    assert judged >= least
