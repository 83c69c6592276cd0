"""The quotas of RCC-12, each at its edge. Texts that are meant to end the process are `tests/unit/workers/indexer`'s."""

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.parsing.code.reading import JS, PYTHON, read, refused, rows
from workers.parsing.code import parse as parsing
from workers.parsing.code.index import (
    MAX_ALL_REFERENCES,
    MAX_DEFINITIONS,
    MAX_DEPTH,
    MAX_NODES,
    MAX_REFERENCES,
    MAX_SOURCE_BYTES,
    Index,
    Unindexed,
)
from workers.parsing.code.languages import Language
from workers.parsing.code.parse import MAX_STEP_S
from workers.parsing.code.read import read_index

LIMIT = "resource-limit"
FUNCTIONS = b"function f(){}\n" * MAX_DEFINITIONS


def nested(brackets: int) -> bytes:
    """An expression: its statement, a level for each pair of brackets, and what is in the last."""
    return b"(" * brackets + b"a" + b")" * brackets


@pytest.mark.rule("RCC-12")
@pytest.mark.parametrize(
    ("language", "within", "past"),
    [
        pytest.param(PYTHON, b"#" * MAX_SOURCE_BYTES, b"#" * (MAX_SOURCE_BYTES + 1), id="bytes"),
        pytest.param(JS, b"//\n" * (MAX_NODES - 1), b"//\n" * MAX_NODES, id="nodes"),
        pytest.param(JS, FUNCTIONS, FUNCTIONS + b"function f(){}\n", id="definitions of JavaScript"),
        pytest.param(PYTHON, b"a=1\n" * MAX_DEFINITIONS, b"a=1\n" * (MAX_DEFINITIONS + 1), id="definitions of Python"),
        pytest.param(PYTHON, nested(MAX_DEPTH - 2), nested(MAX_DEPTH - 1), id="depth"),
    ],
)
def test_a_file_at_a_quota_is_indexed_and_one_past_it_is_refused(language: Language, within: bytes, past: bytes) -> None:
    assert refused(within, language) == ""
    assert refused(past, language) == LIMIT


@pytest.mark.rule("RCC-12")
def test_a_definition_may_refer_to_256_names_and_all_of_a_file_to_65536() -> None:
    def function(name: str, references: int) -> str:
        return f"def {name}(): return [{', '.join(f'a{number}' for number in range(references))}, {name}, a0]\n"

    assert refused(function("f", MAX_REFERENCES), PYTHON) == ""
    assert refused(function("f", MAX_REFERENCES + 1), PYTHON) == LIMIT
    inner = "class C:\n" + "".join(f"    {function(f'f{number}', 200)}" for number in range(3))
    assert refused(inner, PYTHON) == "", "what the definitions inside it refer to is theirs"
    full = "".join(function(f"f{number}", MAX_REFERENCES) for number in range(MAX_ALL_REFERENCES // MAX_REFERENCES))
    assert refused(full, PYTHON) == ""
    assert refused(full + "def g(): return a0\n", PYTHON) == LIMIT


@pytest.mark.rule("RCC-12")
def test_a_name_of_megabytes_is_not_repeated_before_every_method() -> None:
    source = f"class {'A' * 100_000}:\n" + "    def m(self): pass\n" * 20
    assert refused(source, PYTHON) == LIMIT


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the CPU time that every step of a parse takes; the clock is looked at after every few."""

    def set_to(step_s: float) -> None:
        ticks: Iterator[int] = count(step=parsing._LOOK_EVERY)
        monkeypatch.setattr(parsing.time, "thread_time", lambda: next(ticks) * step_s)

    return set_to


FUNCTION = b"def f(a, b=1):\n    return [a.b, {1: 'c'}]\n"
CODE = FUNCTION * 4_000


@pytest.mark.rule("RCC-12")
def test_the_same_file_has_an_index_on_a_machine_half_as_fast(clock: Callable[[float], None]) -> None:
    clock(MAX_STEP_S * 0.9)
    assert refused(CODE, PYTHON) == ""
    clock(MAX_STEP_S * 1.1)
    assert refused(CODE, PYTHON) == LIMIT
    clock(MAX_STEP_S * 1.1)
    assert refused(FUNCTION * 40, PYTHON) == "", "the average counts after 200 ms only"


def test_a_parse_leaves_nothing_of_its_source_in_memory() -> None:
    def kept() -> int:
        gc.collect()
        return sum(type(one) is memoryview for one in gc.get_objects())

    source = CODE + b"# the end\n"
    read(source, PYTHON)
    before, references = kept(), sys.getrefcount(source)
    for _ in range(20):
        read(source, PYTHON)
    assert kept() == before
    assert sys.getrefcount(source) == references


def test_threads_that_parse_together_get_what_one_gets() -> None:
    sources = [(f"function f{number}() {{ return g{number}; }}\n" * 1_000 + f"const g{number} = 1;\n").encode() for number in range(4)]
    expected = [read(source, JS) for source in sources]
    found: dict[int, Index] = {}
    threads = [threading.Thread(target=lambda at=at: found.update({at: read(sources[at], JS)})) for at in range(4)]  # type: ignore[misc]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[at] for at in range(4)] == expected


PIECES = ["function f(a) {", "class A {", "m() {}", "}", "def f(x):\n", "    ", "return a.b\n", "@d\n", "class B:\n", "x = y = ", "export "]
PIECES += [
    "const {a, b} = c;",
    "default ",
    "declare ",
    "namespace N.M {",
    "interface I {}",
    "type T = I;",
    "f(a: string): void;",
    "res.render = ",
]
PIECES += [
    "() => ",
    "<a>{b}</a>",
    "'s'",
    "`${a}`",
    "/* c */",
    "// d\n",
    "# e\n",
    "\r\n",
    "\ufeff",
    "😀",
    "א",
    "(",
    ")",
    "if x:\n",
    "lambda: ",
]
PIECES += ["...", ";"]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=40).map("".join), st.sampled_from(list(Language)))
def test_whatever_the_text_the_index_is_whole_and_within_the_file(text: str, language: Language) -> None:
    source = text.encode("utf-8", "replace")
    try:
        index = read_index(source, language)
    except Unindexed:
        return
    total = source.count(b"\n") + 1
    for place, one in enumerate(index.definitions):
        assert 1 <= one.start <= one.end <= total
        assert one.parent is None or one.parent < place
        assert all(one.names)
    assert Index.from_json(index.to_json()) == index == read_index(source, language)
    assert rows(source, language) == sorted(rows(source, language), key=lambda row: row[2])


@given(st.binary(max_size=60), st.sampled_from(list(Language)))
def test_any_bytes_have_an_index_or_a_reason(source: bytes, language: Language) -> None:
    assert refused(source, language) in {"", LIMIT, "parse-error"}
