"""Texts that are meant to take memory, stack or time without end: each has an answer, and the next text too (RCC-12, RCC-13)."""

import pytest

from tests.unit.workers.parsing.code.reading import JS, PYTHON, TS, TSX
from workers.indexer.indexer import Indexer
from workers.parsing.code.index import MAX_SOURCE_BYTES, Unindexed
from workers.parsing.code.languages import Language

LIMIT = "resource-limit"

HOSTILE = ["/* ", "/*", "/*\n", "a/**/", "(", "[", "{", "`${", "<a>", "<T,>(", "a<", "'", '"', '"""', "f'{", "if(a)", "a?b:", "a;", "a\n"]
HOSTILE += ["x.", "@", "-", "\\", "=>", "async ", "class A{", "def f(\n", "  \n", "\n", "lambda:", "a if b else ", "not ", "\t\n ", "<!--"]
HOSTILE += ["\0", "א", "😀", "a:{", "{a:"]


def refused(indexer: Indexer, unit: str, size: int, language: Language) -> str:
    """The reason why there is no index of a text of that many bytes; empty when there is one."""
    text = unit.encode()
    try:
        indexer.index(text * (size // len(text)), language)
    except Unindexed as refusal:
        return refusal.reason.value
    return ""


@pytest.mark.rule("RCC-12", "RCC-13")
@pytest.mark.parametrize("language", list(Language))
def test_every_text_has_an_answer(indexer: Indexer, language: Language) -> None:
    """Many end the indexer. One that got no answer would meet this test's timeout; without a budget some of these take minutes."""
    for unit in HOSTILE:
        assert refused(indexer, unit, 40_000, language) in {"", LIMIT, "parse-error"}
    assert refused(indexer, "a\n", 1_000, language) == ""


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.rule("RCC-12", "RCC-13")
@pytest.mark.parametrize("language", list(Language))
def test_so_has_every_text_of_another_size(indexer: Indexer, language: Language) -> None:
    for unit in HOSTILE:
        for size in (1_000, 8_000, 200_000, 1_000_000, MAX_SOURCE_BYTES):
            assert refused(indexer, unit, size, language) in {"", LIMIT, "parse-error"}


@pytest.mark.rule("RCC-12")
@pytest.mark.parametrize(
    ("unit", "size", "language"),
    [
        pytest.param("/*\n", 8_000, PYTHON, id="2.3 GB at its end"),
        pytest.param("/*\n", 40_000, PYTHON, id="60 GB at its end"),
        pytest.param("/* ", 400_000, JS, id="quadratic"),
        pytest.param("/* ", MAX_SOURCE_BYTES, JS, id="one operation reads the file"),
        pytest.param("a/**/", 400_000, TSX, id="quadratic in TSX"),
        pytest.param("'", 400_000, TS, id="quadratic in TypeScript"),
        pytest.param("<a>", 400_000, PYTHON, id="quadratic in Python"),
        pytest.param("a:{", 1_200_000, TS, id="deeper than the stack"),
        pytest.param("(", MAX_SOURCE_BYTES, JS, id="more than its memory"),
    ],
)
def test_a_text_that_takes_more_than_it_may_is_refused_and_the_next_is_indexed(
    indexer: Indexer, unit: str, size: int, language: Language
) -> None:
    assert refused(indexer, unit, size, language) == LIMIT
    assert len(indexer.index(b"def f(): pass\n", PYTHON)) == 1
