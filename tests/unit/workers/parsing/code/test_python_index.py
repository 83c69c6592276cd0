"""The index of Python: names, kinds, lines and references, and `ast` as the oracle of the first three."""

import sysconfig
import warnings
from pathlib import Path

import pytest

from tests.unit.workers.parsing.code import python_oracle
from tests.unit.workers.parsing.code.reading import PYTHON, needs, read, refused, rows
from tests.unit.workers.parsing.measure import sample
from workers.parsing.code.index import Unindexed
from workers.parsing.code.languages import language_of
from workers.parsing.code.read import read_index

STDLIB = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
OURS = [path for path in STDLIB if "site-packages" not in path.parts]


@pytest.mark.rule("RCC-3", "RCC-9")
def test_functions_classes_constants_and_type_aliases_are_definitions() -> None:
    source = """\
        A = B = 1
        (C, [D, *E]), F.g, H[0] = x
        I: int = 2
        J: int
        if A:
            K = lambda: 3
        A += 1
        class L(M):
            inner = 4
            @property
            # a note
            @n(
                o)
            async def p(self):
                def q(): pass
                r = 5
            # behind the last statement
        type S = int
        type T[U] = list[U]
        type(V).w = 6
        try: pass
        except X as Y:
            def z(): ...
    """
    assert rows(source, PYTHON) == [
        ("A", "constant", 1, 1),
        ("B", "constant", 1, 1),
        ("C", "constant", 2, 2),
        ("D", "constant", 2, 2),
        ("E", "constant", 2, 2),
        ("I", "constant", 3, 3),
        ("K", "constant", 6, 6),
        ("L", "class", 8, 16),
        ("L.p", "method", 10, 16),
        ("L.p.q", "function", 15, 15),
        ("S", "type", 18, 18),
        ("T", "type", 19, 19),
        ("z", "function", 23, 23),
    ]


@pytest.mark.rule("RCC-10")
def test_references_are_names_and_chains_of_names_but_no_keys_and_no_text() -> None:
    source = """\
        @wrap(a.b . c)
        def f(x: T = y, *args, **kw) -> R:
            '''docstring name'''
            x.call(key=value, **kw)
            return f"{inner!r:>{width}} text", g()[0].last.part, f(1)  # comment name
        wrap = a = T = y = R = x = key = value = inner = width = g = last = part = docstring = text = 1
        comment = kw = args = call = name = b = 1
    """
    (f, *_) = read(source, PYTHON).definitions
    assert f.references == ("wrap", "a.b.c", "x", "T", "y", "args", "kw", "R", "x.call", "value", "inner", "width", ".part", ".last", "g")


@pytest.mark.rule("RCC-10")
def test_self_and_cls_are_the_class_that_a_method_stands_in() -> None:
    source = """\
        class A:
            def run(self): return self.step() + cls.make().step2
            def step(self): pass
            @classmethod
            def make(cls): return [lambda: cls.last]
            def last(self): pass
        class B:
            def step(self): pass
            def last(self): pass
    """
    assert needs(read(source, PYTHON), "A.run")[0] == ["A.step", "A.make", "A.last"]


@pytest.mark.rule("RCC-10")
def test_a_bare_name_in_a_method_is_never_a_member_of_its_class_first() -> None:
    source = """\
        def parse(): pass
        class Reader:
            def parse(self): return parse()
            def read(self): return parse()
            limit = parse()
    """
    index = read(source, PYTHON)
    assert [index.definitions[place].start for place in needs(index, "Reader.read")[1].places] == [1]


def test_two_spellings_of_a_letter_are_one_name() -> None:
    assert [name for name, *_ in rows("def ﬁx(): pass\nµ = 1\n", PYTHON)] == ["fix", "\u03bc"]


@pytest.mark.parametrize("head", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_mark_at_the_head_and_either_line_end_move_no_line(head: bytes, end: bytes) -> None:
    source = head + end.join([b"A = 1", b"", b"def f():", b'    """', "    \u2028 \x0b \x85 😀".encode(), b'    """', b"    return A", b""])
    assert rows(source, PYTHON) == [("A", "constant", 1, 1), ("f", "function", 3, 7)]


@pytest.mark.rule("RCC-13")
def test_what_does_not_parse_is_named() -> None:
    for source in (b"def f(:\n", b"x = (\n", b"a\0b", b"\xff\xfe = 1"):
        assert refused(source, PYTHON) == "parse-error"
    assert rows("", PYTHON) == []


def compared(path: Path) -> bool:
    """Whether the oracle and the index both have something to say of a file; then they say the same."""
    source = path.read_bytes()
    try:
        text = source.decode("utf-8-sig")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = python_oracle.rows(text)
    except (SyntaxError, ValueError):
        return False
    if text.count("\r") != text.count("\r\n"):
        return False  # for `ast` it ends a line
    try:
        index = read_index(source, PYTHON)
    except Unindexed:
        return False
    assert sorted((one.name, one.kind.value, one.start, one.end) for one in index.definitions) == expected, path
    return True


@pytest.mark.rule("RCC-3", "RCC-11")
def test_a_sample_of_the_standard_library_has_the_definitions_and_lines_that_ast_finds() -> None:
    assert sum(map(compared, sample(OURS, 150))) >= 140


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.rule("RCC-3", "RCC-11")
def test_all_of_the_standard_library_has_the_definitions_and_lines_that_ast_finds() -> None:
    assert sum(map(compared, OURS)) >= 0.99 * len(OURS)


@pytest.mark.rule("RCC-11")
def test_the_language_is_the_suffixs() -> None:
    known = {"js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "ts": "typescript", "mts": "typescript"}
    known |= {"cts": "typescript", "tsx": "tsx", "py": "python", "pyi": "python", "TSX": "tsx"}
    assert {suffix: language_of(f"a/b.{suffix}") for suffix in known} == known
    for path in ("a.rb", "py", ".py", "a.py.txt", "a.py/b", "Makefile", "a.vue"):
        assert language_of(path) is None
