"""The Python scanner, by the contract's examples, an independent walk of the standard library, and texts that are meant to break it."""

import ast
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.parsing.measure import Map, assert_lines_are_in_the_file, installed, rows, sample
from workers.parsing.outline import NoOutline, Symbol
from workers.parsing.python.costs import LINE_BYTES, MAX_BYTES, TOKEN_BYTES
from workers.parsing.python.outline import outline

CASES = Path(__file__).parents[3] / "cases"
STDLIB = installed("*.py", "stdlib")


def refused(text: str) -> dict[str, object]:
    with pytest.raises(NoOutline) as raised:
        outline(text)
    return {"reason": raised.value.reason, **raised.value.fields}


def tried(text: str) -> tuple[list[Symbol], NoOutline | None]:
    """A map, or a refusal."""
    try:
        return outline(text), None
    except NoOutline as refusal:
        return [], refusal


@pytest.mark.rule("OUT-1", "OUT-3", "OUT-5", "OUT-20", "OUT-21", "OUT-22", "OUT-23", "OUT-24", "OUT-25")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "class C:\n    def m(self):\n        def inner():\n            return 1\n        return inner\n\nasync def f():\n    pass\n",
            [("C", 1, 5), ("C.m", 2, 5), ("C.m.inner", 3, 4), ("f", 7, 8)],
            id="P1",
        ),
        pytest.param(
            "try:\n    import x\nexcept ImportError:\n    class Fallback:\n        def go(self):\n            pass\n"
            "    def helper():\n        pass\n",
            [("Fallback", 4, 6), ("Fallback.go", 5, 6), ("helper", 7, 8)],
            id="P2",
        ),
        pytest.param("if A:\n    def f():\n        return 1\nelse:\n    def f():\n        return 2\n", [("f", 2, 3), ("f", 5, 6)], id="P3"),
        pytest.param(
            '@app.route("/api/db",\n           methods=["GET"])\n@login\ndef api_db():\n    return 1\n', [("api_db", 1, 5)], id="P4"
        ),
        pytest.param(
            "class C:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): pass\n",
            [("C", 1, 5), ("C.x", 2, 3), ("C.x", 4, 5)],
            id="P5",
        ),
        pytest.param(
            "def outer():\n    with x:\n        for i in y:\n            def inner(): pass\n    return inner\n",
            [("outer", 1, 5), ("outer.inner", 4, 4)],
            id="P6",
        ),
        pytest.param("", [], id="an empty file"),
    ],
)
def test_the_contracts_examples(text: str, expected: Map) -> None:
    assert rows(outline(text)) == expected


@pytest.mark.rule("OUT-23")
def test_every_block_is_gone_into() -> None:
    blocks = [
        "if a:\n {}",
        "if a: pass\nelif b:\n {}",
        "if a: pass\nelse:\n {}",
        "for a in b:\n {}",
        "for a in b: pass\nelse:\n {}",
        "while a:\n {}",
        "while a: pass\nelse:\n {}",
        "with a:\n {}",
        "try:\n {}\nfinally: pass",
        "try: pass\nexcept a:\n {}",
        "try: pass\nexcept* a:\n {}",
        "try: pass\nexcept a: pass\nelse:\n {}",
        "try: pass\nfinally:\n {}",
        "match a:\n case 1:\n  {}",
        "async def o():\n async with a:\n  {}",
        "async def o():\n async for a in b:\n  {}",
    ]
    for block in blocks:
        names = [name for name, _, _ in rows(outline(block.format("def f(): pass")))]
        assert names[-1] == ("o.f" if "o()" in block else "f"), block


@pytest.mark.rule("OUT-26")
def test_a_lambda_is_no_symbol() -> None:
    assert outline("f = lambda: 1\nclass C:\n    g = lambda self: 2\nlambda: 3\n")[1:] == []


@pytest.mark.rule("OUT-24")
@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("@(\n  # why\n  a\n)\ndef f(): pass\n", 1),
        ("@\\\na\ndef f(): pass\n", 1),
        ("x = 1\n\f@(\n (a\n @ b))\ndef f(): pass\n", 2),
        ("if a:\n    @ (\n\n(\nb))\n    class f: pass\n", 2),
        ("@a\n# a note\n@b\ndef f(): pass\n", 1),
    ],
)
def test_a_decorated_definition_starts_at_the_line_of_its_first_at_sign(text: str, start: int) -> None:
    (symbol,) = outline(text)
    assert symbol.start == start


@pytest.mark.rule("OUT-9", "OUT-10", "OUT-11", "OUT-27")
def test_only_line_feeds_end_lines() -> None:
    odd = 'a = "\u2028\u2029\x85\x0b\x1c"\n\f\ndef f():\r\n    """\u2028"""\n    return 1\r\n\x0c\ndef g(): pass'
    assert rows(outline(odd)) == [("f", 3, 5), ("g", 7, 7)]


@pytest.mark.rule("OUT-28")
def test_a_coding_declaration_has_no_effect_and_a_bom_is_no_python() -> None:
    assert rows(outline("# -*- coding: latin-1 -*-\ndef größe(): pass\n")) == [("größe", 2, 2)]
    assert rows(outline("# coding: nonsense\nclass A: pass\n")) == [("A", 2, 2)]
    assert refused("\ufeffx = 1\n")["error_type"] == "SyntaxError"


@pytest.mark.rule("OUT-20", "OUT-21")
def test_the_case_of_letters_before_a_symbol() -> None:
    text = (CASES / "10-bytes-and-characters" / "labels.py").read_text(encoding="utf-8")
    assert rows(outline(text)) == [("größe", 5, 7), ("plain", 10, 10)]


@pytest.mark.rule("OUT-17", "OUT-18")
@pytest.mark.parametrize(
    ("text", "error_type", "line"),
    [
        ('print "x"\n', "SyntaxError", 1),
        ("if a:\n\tb\n        c\n", "TabError", 3),
        ("if a:\n    b\n  c\n", "IndentationError", 3),
        ("a\n'\ud800'\n", "UnicodeEncodeError", 2),
        ("a\n\nx = f'{a b}'\n", "SyntaxError", 3),
        ("a\nif b:\n", "IndentationError", 2),
        ("-" * 100_000 + "1", "MemoryError", None),
        ("+".join("a" * 100_000), "RecursionError", None),
        ("a" + ".a" * 100_000, "RecursionError", None),
        ("a = 1\0\n", "SyntaxError" if sys.version_info >= (3, 11, 4) else "ValueError", None),
    ],
)
def test_what_cant_be_parsed_says_why_and_where(text: str, error_type: str, line: int | None) -> None:
    answer = refused(text)
    if error_type == "UnicodeEncodeError" or line is not None:
        assert answer == {"reason": "parse_error", "error_type": error_type, "line": line}
    else:
        assert answer.pop("error_type") in {error_type, "SyntaxError"}
        assert answer == {"reason": "parse_error"}, "a line that isn't known is left out"


@pytest.mark.rule("OUT-18", "OUT-19")
@pytest.mark.parametrize("links", [100, 1_200, 5_000, 50_000])
def test_a_chain_of_elif_is_a_map_or_a_refusal_and_never_a_crash(links: int) -> None:
    text = "if a:\n    def f(): pass\n" + "".join(f"elif a{n}:\n    def f(): pass\n" for n in range(links))
    found, refusal = tried(text)
    if refusal is None:
        assert len(found) == links + 1
    else:
        assert refusal.reason == "parse_error"
        assert refusal.fields["error_type"] in {"RecursionError", "MemoryError"}


def test_warnings_of_the_parser_are_silenced_in_every_thread() -> None:
    text = 'x = "\\q"\ndef f(): return 1\n'
    found: list[int] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        threads = [threading.Thread(target=lambda: found.extend(len(outline(text)) for _ in range(20))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with pytest.raises(UserWarning):
            warnings.warn("the filters are as they were", stacklevel=1)
    assert found == [1] * 80


@pytest.mark.rule("OUT-4")
def test_a_name_is_whole_and_all_names_together_are_bounded() -> None:
    long = "n" * 100_000
    assert [symbol.name for symbol in outline(f"class {long}:\n    def m(self): pass\n")] == [long, f"{long}.m"]
    many = f"class {long}:\n" + "    def m(self): pass\n" * 2_000
    assert refused(many) == {"reason": "too_many_symbols", "max": 50_000}


MOST_TOKENS = MAX_BYTES // TOKEN_BYTES
MOST_LINES = MAX_BYTES // (2 * TOKEN_BYTES + LINE_BYTES)


@pytest.mark.parametrize(
    "text",
    [
        "import a" + ".a" * 400_000,
        "x = 1; import b as c, \\\na" + ".a" * 400_000,
        "from a" + "\\\n.℘" * 400_000 + " import b",
        "import a.a.a.a.a.a" * 50 + "\n" + ("import " + "a." * 2_000 + "a\n") * 100,
        'f"' + "{a}" * 400_000 + '"',
        "x = (rf'''" + "{a}\n" * 400_000 + "''')",
        "a\n" * MOST_LINES,
        "a;" * MOST_LINES,
        "(\n)\n" + "a\n" * MOST_LINES,
        "x = [" + "1," * (MOST_TOKENS // 2) + "]",
        'f"{a}" ' * (MOST_TOKENS // 4),
        "x = '''" + "\U0001f600" * 15_000_000 + "'''",
    ],
    ids=range(12),
)
def test_what_the_parser_would_pay_dearly_for_is_refused_before(text: str) -> None:
    assert refused(text) == {"reason": "parse_error", "error_type": "MemoryError"}


@pytest.mark.parametrize(
    "text",
    [
        "import a.b.c.d.e.f.g\n" * 8_000,
        "'" + "1.2" * 30_000 + "'\n",
        "x = '''" + "a, b. {c} " * 300_000 + "'''\n",
        "# a comment, and another one\n\n" * 100_000,
        "".join(f'f"{{a}} {{b:{{c}}}} {n}"\n' for n in range(5_000)),
    ],
    ids=range(5),
)
def test_what_only_looks_dear_is_parsed(text: str) -> None:
    assert rows(outline(text + "def f(): pass\n"))[-1][0] == "f"


def independent(text: str) -> Iterator[tuple[str, int, int]]:
    """Names by climbing from each definition to the root, and starts by the decorators' own lines."""
    tree = ast.parse(text)
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in ast.walk(tree):
        if isinstance(node, definitions):
            above: ast.AST | None = node
            names = []
            while above is not None:
                names += [above.name] if isinstance(above, definitions) else []
                above = parents.get(above)
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield ".".join(reversed(names)), start, node.end_lineno or 0


def compare(path: Path) -> int:
    """Symbols of a file whose map is what the independent walk finds."""
    try:
        text = path.read_bytes().decode("utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = sorted(independent(text))
    except (UnicodeDecodeError, SyntaxError):
        return 0
    symbols = outline(text)
    assert sorted((symbol.name, symbol.start, symbol.end) for symbol in symbols) == expected, path
    lines = text.split("\n")
    for symbol in symbols:
        first = lines[symbol.start - 1].lstrip(" \t\f")
        assert first.startswith(("@", "def ", "async ", "class ")) or ":" in first, (path, symbol)
    return len(symbols)


@pytest.mark.rule("OUT-2", "OUT-20", "OUT-21", "OUT-22", "OUT-23", "OUT-24", "OUT-25")
def test_the_standard_library_is_mapped_as_an_independent_walk_finds_it() -> None:
    assert sum(compare(path) for path in sample(STDLIB, 150)) > 1_000


@pytest.mark.deep
@pytest.mark.timeout(600)
def test_the_whole_standard_library_and_everything_installed() -> None:
    assert sum(compare(path) for path in [*STDLIB, *installed("*.py")]) > 50_000


PIECES = st.sampled_from([
    "def f", "async ", "class C", "(", ")", ":", "\n", "    ", "\t", "@", "a", ".", ",", "if ", "else", "try", "except ", "match ",
    "case ", "'", '"', "'''", 'f"', "{", "}", "[", "]", "\\", "#", "=", "lambda", "1", "\0", "é", "\u2028", "\f", "\ud800", "pass",
    "import "
])  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_ends_in_a_map_inside_the_file_or_a_refusal(text: str) -> None:
    found, refusal = tried(text)
    assert_lines_are_in_the_file(found, text)
    if refusal:
        assert refusal.reason == "parse_error"
        assert 1 <= refusal.fields.get("line", 1) <= text.count("\n") + 1
