"""Which scanner reads which file, and what all scans have in common."""

import pytest

from tests.unit.workers.parsing.measure import Map
from workers.parsing.headings import MAX_SECTIONS
from workers.parsing.outline import MAX_SYMBOLS, NoOutline
from workers.parsing.registry import SCANNERS, scan


def found(file_name: str, text: str) -> Map:
    return [(symbol.name, symbol.start, symbol.end) for symbol in scan(file_name, text)]


def refused(file_name: str, text: str) -> dict[str, object]:
    with pytest.raises(NoOutline) as raised:
        scan(file_name, text)
    return {"reason": raised.value.reason, **raised.value.fields}


@pytest.mark.rule("OUT-8", "OUT-9", "OUT-10", "OUT-11", "OUT-12", "OUT-13", "OUT-14", "OUT-15", "GRF-42")
def test_the_contracts_example_a1() -> None:
    assert found("a.py", "def f():\r\n    pass\r\n") == [("f", 1, 2)]
    assert found("a.py", "def f():\r\n    pass\ndef g():\n    pass\n") == [("f", 1, 2), ("g", 3, 4)]
    assert refused("a.css", ".a{}\r.b{}\n") == {"reason": "inconsistent_line_endings"}
    assert refused("a.py", "x = 1\rdef f(): pass\n") == {"reason": "inconsistent_line_endings"}
    assert len(scan("a.css", "a{}\n" * 50_000)) == 50_000
    assert refused("a.css", "a{}\n" * 50_001) == {"reason": "too_many_symbols", "max": 50_000}
    assert found("A.PY", "def f(): pass\n") == [("f", 1, 1)]
    assert refused("a.md", "# T\n") == {"reason": "unsupported_language"}


@pytest.mark.rule("GRF-42", "OUT-8")
@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (["a.py", "a.pyi", "A.PyI", "b/c.d.py"], "class C: pass\n", [("C", 1, 1)]),
        (["a.html", "a.htm", "a.jinja", "a.jinja2", "a.j2", "a.css.J2", "A.HTM"], "<p id=x>\n</p>", [("p#x", 1, 2)]),
        (["a.css", ".x.css"], ".a{}", [(".a", 1, 1)]),
        (["a.rst", "a.RST"], "T\n=\n", [("T", 1, 3)]),
    ],
)
def test_the_extension_decides_without_regard_to_case(names: list[str], text: str, expected: Map) -> None:
    for name in names:
        assert found(name, text) == expected, name


@pytest.mark.rule("OUT-8")
@pytest.mark.parametrize("name", ["a", "py", ".py", "a.py.txt", "a.py/b", "a.pyc", "a.ts", "a.", "", "a.css~", "a.ρу"])
def test_no_other_name_has_a_scanner(name: str) -> None:
    assert refused(name, "\r") == {"reason": "unsupported_language"}, "before the text is looked at"


@pytest.mark.rule("OUT-9", "OUT-19")
@pytest.mark.parametrize("extension", SCANNERS)
def test_every_language_refuses_a_lone_carriage_return_and_maps_an_empty_file(extension: str) -> None:
    assert refused(f"a{extension}", "a\r\nb\r") == {"reason": "inconsistent_line_endings"}
    assert refused(f"a{extension}", "\r\r\n") == {"reason": "inconsistent_line_endings"}
    assert scan(f"a{extension}", "") == []
    assert scan(f"a{extension}", "\r\n\n") == []


@pytest.mark.rule("OUT-6", "OUT-7")
def test_a_map_is_sorted_by_start_then_name_then_end() -> None:
    text = ".b{}.a{\n}.a{}\n.B{}"
    assert found("a.css", text) == [(".a", 1, 2), (".b", 1, 1), (".a", 2, 2), (".B", 3, 3)]
    assert found("a.css", ".é{}.\U0001f600{}.\uff5e{}.z{}") == [(".z", 1, 1), (".é", 1, 1), (".\uff5e", 1, 1), (".\U0001f600", 1, 1)]
    assert found("a.py", "class f: pass\nif a:\n    def f(): pass\nelse: f = 1\n") == [("f", 1, 1), ("f", 3, 3)]


@pytest.mark.rule("OUT-19", "OUT-63")
@pytest.mark.parametrize("extension", [extension for extension in SCANNERS if not extension.startswith(".py")])
@pytest.mark.parametrize("text", ["<a {% ( {{ '", "a { ` [", "def f(:\n  \tx", "\0\ud800", "= \n=\n"])
def test_only_python_has_parse_errors(extension: str, text: str) -> None:
    scan(f"a{extension}", text)


@pytest.mark.rule("OUT-16", "PLT-82")
def test_the_ceiling_is_the_section_ceiling() -> None:
    assert MAX_SYMBOLS == MAX_SECTIONS == 50_000
