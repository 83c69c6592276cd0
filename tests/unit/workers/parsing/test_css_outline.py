"""The CSS scanner, by the contract's examples, by tinycss2 on real and generated sheets, and by texts that are meant to break it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.parsing.measure import Map, assert_lines_are_in_the_file, installed, rows
from workers.parsing.css.outline import outline

SHEETS = installed("*.css")

C1 = """/* card */
.card:hover { color: red; }
.a,
.b:focus
{
  margin: 0;
}
@import url(other.css);
@media (max-width: 768px) {
  /* mobile */
  .card { padding: 0 }
}
@supports (display: grid) { .g { display: grid } }
@keyframes spin {
  0% { transform: none }
  100% { transform: rotate(360deg) }
}
"""


@pytest.mark.rule("OUT-6", "OUT-51", "OUT-52", "OUT-53", "OUT-55", "OUT-56", "OUT-57", "OUT-58", "OUT-59", "OUT-60", "OUT-61", "OUT-62")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            C1,
            [
                (".card:hover", 2, 2),
                (".a, .b:focus", 3, 7),
                ("@media (max-width: 768px)", 9, 12),
                (".card", 11, 11),
                (".g", 13, 13),
                ("@supports (display: grid)", 13, 13),
                ("@keyframes spin", 14, 17),
            ],
            id="C1",
        ),
        pytest.param(".a{color:red}@media print{.a{color:#000}}", [(".a", 1, 1), (".a", 1, 1), ("@media print", 1, 1)], id="C2"),
        pytest.param(
            "/* not .this { } */\n.a /* x */ .b { top: 0 }\n/* above\n   the selector */ .c\n{ top: 0 }\n",
            [(".a .b", 2, 2), (".c", 4, 5)],
            id="C3",
        ),
        pytest.param('.q::before { content: "}"; }\n.r { background: url("a{b}.png") }\n', [(".q::before", 1, 1), (".r", 2, 2)], id="C4"),
    ],
)
def test_the_contracts_examples(text: str, expected: Map) -> None:
    assert rows(outline(text)) == expected


@pytest.mark.rule("OUT-63")
@pytest.mark.parametrize("text", ["", "\n\n", "/* .a{} */", "@import 'a.css';\n@charset 'utf-8';", "a: b;", "/*", '"', "url(", "}", "{}"])
def test_a_sheet_without_a_rule_has_an_empty_map(text: str) -> None:
    assert outline(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param(".a,.b{}", [".a,.b"], marks=pytest.mark.rule("OUT-54")),
        pytest.param(".a\t\n ,\r\n\f.b {}", [".a , .b"], marks=pytest.mark.rule("OUT-52")),
        pytest.param(".a/* x */.b{}", [".a.b"], marks=pytest.mark.rule("OUT-59")),
        pytest.param(".a/* { ; } */ > /**/ .b{}", [".a > .b"], marks=pytest.mark.rule("OUT-59")),
        pytest.param("/**//*{*/.a{}", [".a"], marks=pytest.mark.rule("OUT-58")),
        pytest.param(".a\xa0b{}", [".a\xa0b"], marks=pytest.mark.rule("OUT-52")),
        pytest.param(".a\\{b{} .c\\\\{}", [".a\\{b", ".c\\\\"], marks=pytest.mark.rule("OUT-61")),
        pytest.param("[data-x='{;}/*']{}", ["[data-x='{;}/*']"], marks=pytest.mark.rule("OUT-61")),
        pytest.param(".a{b:url(x{y;z/*)} .c{}", [".a", ".c"], marks=pytest.mark.rule("OUT-61")),
        pytest.param('.a{b:url( "x)" )} .c{}', [".a", ".c"], marks=pytest.mark.rule("OUT-61")),
        pytest.param(".a{b:xurl({)} .c{}", [".a"], marks=pytest.mark.rule("OUT-61")),
        pytest.param('.a{b:"\\"}"} .c{}', [".a", ".c"], marks=pytest.mark.rule("OUT-61")),
        pytest.param('.a{b:"x\\\n}"} .c{}', [".a", ".c"], marks=pytest.mark.rule("OUT-61")),
        pytest.param('.a{b:"x\n} .c{}', [".a", ".c"], marks=pytest.mark.rule("OUT-61")),
        pytest.param(".a:is({}){} .b{}", [".a:is({})", ".b"], marks=pytest.mark.rule("OUT-61")),
        pytest.param(".a[{;}]{}", [".a[{;}]"], marks=pytest.mark.rule("OUT-61")),
        pytest.param("@layer a, b; @namespace x url(y); .c{}", [".c"], marks=pytest.mark.rule("OUT-57")),
        pytest.param(
            "@font-face{} @page :first{ @top-left{} } @layer x{ .l{} } @container (a){ .k{} } @property --x{}",
            ["@font-face", "@page :first", "@top-left", "@layer x", ".l", "@container (a)", ".k", "@property --x"],
            marks=pytest.mark.rule("OUT-51", "OUT-55"),
        ),
        pytest.param("@-webkit-keyframes x{from{}to{}} @KEYFRAMES y{0%{a{}}} .z{}", ["@-webkit-keyframes x", "@KEYFRAMES y", ".z"],
                     marks=pytest.mark.rule("OUT-56")),
        pytest.param(".a{ &:hover{} > .b{} c:hover{} @media x{ d{} } e: f; .g{} }",
                     [".a", "&:hover", "> .b", "c:hover", "@media x", "d", ".g"],
                     marks=pytest.mark.rule("OUT-55")),
        pytest.param(".a{ --x: {b:c}; --y:{} {}; font: {d:e} .f{} }", [".a", ".f"], marks=pytest.mark.rule("OUT-51")),
        pytest.param("--x:hover{} .b{}", [".b"], marks=pytest.mark.rule("OUT-51")),
        pytest.param("} .a{} } ; .b{} ) .c{}", [".a", ".b", ") .c"], marks=pytest.mark.rule("OUT-60")),
        pytest.param("<!-- .a{} --> .b{}", [".a", ".b"], marks=pytest.mark.rule("OUT-52")),
        pytest.param(".a{*zoom:1;_b:c;filter:progid:D.M(x='y')} .d{}", [".a", ".d"], marks=pytest.mark.rule("OUT-51")),
    ],
)  # fmt: skip
def test_what_is_a_rule_and_its_name(text: str, names: list[str]) -> None:
    assert [symbol.name for symbol in outline(text)] == names


@pytest.mark.rule("OUT-60")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".a {\n b: c;\n", [(".a", 1, 3)]),
        ("@media x {\n .a {\n }\n", [("@media x", 1, 4), (".a", 2, 3)]),
        (".a {\n b: (;\n}\n.c{}", [(".a", 1, 4)]),
        (".a\n{\n}\n\n}\n.b{\n}", [(".a", 1, 3), (".b", 6, 7)]),
        (".a {\r\n}\r\n\f\u2028.b{}\n", [(".a", 1, 2), ("\u2028.b", 3, 3)]),
    ],
)
def test_where_a_rule_ends(text: str, expected: Map) -> None:
    assert rows(outline(text)) == expected


@pytest.mark.rule("OUT-4")
def test_a_name_is_whole() -> None:
    name = ", ".join(f".a{n}" for n in range(20_000))
    assert [symbol.name for symbol in outline(name + "{}")] == [name]


def by_tinycss2(nodes: list[Any]) -> Iterator[tuple[str, int]]:
    """Names and first lines by an independent parser of the same specification."""
    for node in nodes:
        if node.type not in {"qualified-rule", "at-rule"} or node.content is None:
            continue
        start = next((token.source_line for token in node.prelude if token.type not in {"whitespace", "comment"}), node.source_line)
        text = "".join(token.serialize() for token in node.prelude if token.type != "comment")
        keyword = f"@{node.at_keyword}" if node.type == "at-rule" else ""
        name = re.sub(r"[ \t\n\r\f]+", " ", keyword + text).strip()
        if name:
            yield name, node.source_line if keyword else start
        if not keyword.lower().endswith("keyframes"):
            yield from by_tinycss2(tinycss2.parse_blocks_contents(node.content))


def assert_agrees(text: str) -> int:
    symbols = outline(text)
    # It counts a form feed as a line, and writes quotes, escapes and the bounds between tokens its own way.
    own_way = re.compile(r"[\"'\\]|/\*\*/")
    expected = sorted((own_way.sub("", name), line) for name, line in by_tinycss2(tinycss2.parse_stylesheet(text.replace("\f", " "))))
    assert sorted((own_way.sub("", symbol.name), symbol.start) for symbol in symbols) == expected
    lines = text.split("\n")
    assert all("}" in lines[symbol.end - 1] or symbol.end == len(lines) for symbol in symbols)
    return len(symbols)


@pytest.mark.rule("OUT-2", "OUT-51", "OUT-55", "OUT-60")
def test_real_sheets_are_mapped_as_tinycss2_reads_them() -> None:
    assert sum(assert_agrees(path.read_text(encoding="utf-8")) for path in SHEETS) > 800


SELECTORS = st.sampled_from([".a", "b:hover", "#c > d", "[e='}']", "f::before", ".g,\n.h", ".i/*;*/.j", "&:k"])
DECLARATIONS = st.sampled_from(
    ["a:b;", "c:url(d{);", 'e:"}";', "--f:{g:h};", "/* { */", "i:j(k;l);", "\n", "m:\\};", "n:url( 'o' );", "@p q;", "'\\\n';"]
)
BLOCKS = st.recursive(
    st.tuples(SELECTORS, st.lists(DECLARATIONS, max_size=4).map("".join)).map(lambda parts: f"{parts[0]} {{ {parts[1]} }}\n"),
    lambda inner: st.tuples(
        st.sampled_from(["@media (a)", "@supports not (b:c)", ".n", "@layer o", "@keyframes p", "@font-face"]),
        st.lists(st.one_of(inner, DECLARATIONS), max_size=4).map("".join),
    ).map(lambda parts: f"{parts[0]}\n{{ {parts[1]} }}"),
    max_leaves=12,
)


@given(st.lists(BLOCKS, max_size=6).map("".join))
def test_generated_sheets_are_mapped_as_tinycss2_reads_them(text: str) -> None:
    assert_agrees(text)


PIECES = st.sampled_from([
    ".a", "@media", "@keyframes", " ", "\n", "{", "}", "(", ")", "[", "]", ";", ":", "--x", '"', "'", "/*", "*/", "\\", "url(", "<!--",
    "-->", ",", "\f", "\r\n", "\0", "é", "\u2028", "\ud800", "/", "1"
])  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_text_has_a_map_inside_the_file(text: str) -> None:
    symbols = outline(text)
    assert_lines_are_in_the_file(symbols, text)
    lines = text.split("\n")
    assert all(
        re.split(r"[ \t\r\f]", symbol.name)[0][:2] in lines[symbol.start - 1] or "/*" in lines[symbol.start - 1] for symbol in symbols
    )
