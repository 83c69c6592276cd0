"""The HTML scanner, by the contract's examples, by Python's own tokenizer on real pages, and by texts that are meant to break it."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.parsing.measure import Map, assert_lines_are_in_the_file, installed, rows
from workers.parsing.html.outline import outline
from workers.parsing.outline import NoOutline

INSIDE = re.compile(r"(<(?:style|script)\b[^>]*>)(.*?)(?=</)", re.DOTALL)
PAGES = installed("*.html")

H1 = """{% extends "base.html" %}
{% block title %}Home{% endblock %}
{% block content %}
<div id="main">
  <div class="inner">x</div>
  {% include "parts/nav.html" %}
</div>
{% endblock %}
{% macro nv(value) %}
  {{ value }}
{% endmacro %}
<style>
  div#main { color: red }
  @media (max-width: 600px) {
    .x { margin: 0 }
  }
</style>
<script>
function renderThemes() {
  return 1;
}
</script>
<script id="init">
function renderThemes() {
  go();
}
</script>
<script type="application/json" id="data">
{"function renderThemes() {}": 1}
</script>
<style id="user-custom-theme">
:root[data-theme="custom"] {
  --bg: #000;
}
</style>
<section id="open">
<p>never closed
"""
H1_MAP = [
    ("extends base.html", 1, 1),
    ("block title", 2, 2),
    ("block content", 3, 8),
    ("div#main", 4, 7),
    ("include parts/nav.html", 6, 6),
    ("macro nv", 9, 11),
    ("style", 12, 17),
    ("div#main", 13, 13),
    ("@media (max-width: 600px)", 14, 16),
    (".x", 15, 15),
    ("script", 18, 22),
    ("renderThemes", 19, 21),
    ("script#init", 23, 27),
    ("script#init.renderThemes", 24, 26),
    ("script#data", 28, 30),
    ("style#user-custom-theme", 31, 35),
    ('style#user-custom-theme.:root[data-theme="custom"]', 32, 34),
    ("section#open", 36, 38),
]


def names(text: str) -> list[str]:
    return [name for name, _, _ in rows(outline(text))]


@pytest.mark.rule("OUT-29")
def test_a_deep_element_has_a_flat_name_and_only_an_id_of_a_script_is_a_prefix() -> None:
    depth = 12
    text = (
        '<div id="a">' * depth
        + '<p id="deep"></p>'
        + "</div>" * depth
        + '<script>function f() {}</script><script id="s">function f() {}</script>'
    )
    assert names(text) == ["div#a"] * depth + ["f", "p#deep", "script", "script#s", "script#s.f"]


@pytest.mark.rule(*(f"OUT-{number}" for number in range(29, 51)))
def test_the_contracts_example_h1() -> None:
    assert rows(outline(H1)) == H1_MAP
    contained = {"div#main": 2, "block ": 2, "@media": 1, "renderthemes": 2, "#": 8}
    assert {part: sum(part in name.casefold() for name, _, _ in H1_MAP) for part in contained} == contained


@pytest.mark.rule("OUT-48", "OUT-49", "OUT-50")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            '{% if a %}\n<div id="x" class="a">\n{% else %}\n<div id="x" class="b">\n{% endif %}\ntext\n</div>\n',
            [("div#x", 2, 8), ("div#x", 4, 7)],
            id="H2",
        ),
        pytest.param(
            '<style id="theme">\n.foo { top: 0 }\n@media print {\n  .foo { top: 1px }\n}\n</style>\n',
            [("style#theme", 1, 6), ("style#theme..foo", 2, 2), ("style#theme.@media print", 3, 5), ("style#theme..foo", 4, 4)],
            id="H4",
        ),
        pytest.param("{% block a %}\ntext\n", [("block a", 1, 3)], id="H5"),
    ],
)
def test_the_contracts_other_examples(text: str, expected: Map) -> None:
    assert rows(outline(text)) == expected


ESSENCES = [
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
]
"""Section 4.6 of the MIME Sniffing standard, copied from it: the JavaScript MIME type essences."""


@pytest.mark.rule("OUT-34", "OUT-35", "OUT-36", "OUT-37", "OUT-38", "OUT-41")
@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<script>", ["script", "f"]),
        ('<script type="module" id="m">', ["script#m", "script#m.f"]),
        ('<script type="TEXT/JavaScript">', ["script", "f"]),
        ("<script type=' text/javascript\t'>", ["script", "f"]),
        ('<script type="">', ["script", "f"]),
        ("<script type>", ["script", "f"]),
        ('<script type="text/javascript; charset=utf-8">', ["script"]),
        ('<script type="application/json">', ["script"]),
        ('<script type="importmap">', ["script"]),
        ('<script type="text/template">', ["script"]),
        ('<script type="text/javascrıpt">', ["script"]),
        ('<script type="text/livescript1.0">', ["script"]),
        ('<script type="{{ kind }}">', ["script"]),
        *((f'<script type="{essence.upper()}">', ["script", "f"]) for essence in ESSENCES),
    ],
)
def test_what_decides_the_inside_of_a_script(tag: str, expected: list[str]) -> None:
    assert names(f"{tag}\nfunction f() {{}}</script>") == expected


@pytest.mark.rule("OUT-34")
def test_a_script_from_elsewhere_is_one_line() -> None:
    assert rows(outline('\n<script src="x.js"></script>\n')) == [("script", 2, 2)]


@pytest.mark.rule("OUT-42", "OUT-43", "OUT-44", "OUT-45", "OUT-46")
@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<style>", ["style", ".a", "@media x", ".b"]),
        ('<style type="text/css">', ["style", ".a", "@media x", ".b"]),
        ('<style type="TEXT/CSS" id="t">', ["style#t", "style#t..a", "style#t.@media x", "style#t..b"]),
        ('<style type="">', ["style", ".a", "@media x", ".b"]),
        ('<style type=" text/css">', ["style"]),
        ('<style type="text/css; charset=utf-8">', ["style"]),
        ('<style type="text/plain">', ["style"]),
    ],
)
def test_what_decides_the_inside_of_a_style(tag: str, expected: list[str]) -> None:
    assert sorted(names(f"{tag}.a{{}}@media x{{.b{{}}}}</style>")) == sorted(expected)


@pytest.mark.rule("OUT-33")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<DIV ID=x>", ["div#x"]),
        ("<a iD = 'X y'>", ["a#X y"]),
        ('<a href="id=x" data-id="x" :id="x" x-id=x>', []),
        ("<a title=\"<b id='x'>\">", []),
        ('<a id="">', []),
        ("<a id>", []),
        ("<a id=x id=y>", ["a#x"]),
        ("<a\n\tclass='>'\n/id=x>", ["a#x"]),
        ("<a b='c'id=x>", ["a#x"]),
        ("<a id=x/>", ["a#x/"]),
        ('<div id="row-{{ i["a"] }}">', ['div#row-{{ i["a"] }}']),
        ("<div {% if a > b %}id='x'{% endif %} {# id=y #}>", ["div#x"]),
        ("<h{{ n }} id=x>", ["h{{ n }}#x"]),
        ("<!-- <a id=x> --><b id=y>", ["b#y"]),
        ("<!--><b id=y>-->", ["b#y"]),
        ("<!-- --!><b id=y>", ["b#y"]),
        ("<!-- <a id=x>", []),
        ("<!DOCTYPE html id=x><?php <a id=y>?></ <b id=z>", []),
        ("< a id=x><1 id=y></>", []),
        ("<textarea><a id=x></textarea><title><a id=y></title><b id=z>", ["b#z"]),
        ("<template><a id=x></a></template>", ["a#x"]),
        ("{# <a id=x> #}{% raw %}<b id=y>{{ '<c id=z>' }}{% endraw %}", ["b#y", "c#z"]),
        ("<script>'</script><a id=x>'</script>", ["a#x", "script"]),
        ("<script>// </SCRIPT\n><a id=x>", ["script", "a#x"]),
        ("<script></scripty></ſcript><a id=x>", ["script"]),
        ("<style>/* </style><a id=x>", ["a#x", "style"]),
        ("<a id=x", []),
        ("<a id='x>", []),
    ],
)
def test_what_is_an_element_with_an_id(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.rule("OUT-33", "OUT-49")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<input\nid=x\n>\n<br id=y>\n", [("input#x", 1, 3), ("br#y", 4, 4)]),
        ('<path\nid="x"/>\n<g id=y />\n', [("path#x", 1, 2), ("g#y", 3, 3)]),
        ("<svg><title/><a id=x>\n</a></svg>", [("a#x", 1, 2)]),
        ("<div id=a>\n<div>\n</div>\n</DIV\n>\n", [("div#a", 1, 5)]),
        ("<p id=a>\n</span></div>\n<span id=b>\n</p>\n</span>", [("p#a", 1, 4), ("span#b", 3, 5)]),
        ("<script id=a>\nfunction f(){\n", [("script#a", 1, 3), ("script#a.f", 2, 3)]),
        ("<script>\nfunction f(){\n</script>\n", [("script", 1, 3), ("f", 2, 3)]),
        ("<style>\n.a{\n\n</style>\n\n", [("style", 1, 4), (".a", 2, 4)]),
    ],
)
def test_where_an_element_ends(text: str, expected: Map) -> None:
    assert rows(outline(text)) == expected


@pytest.mark.rule("OUT-30", "OUT-31", "OUT-32")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{%- block a scoped required -%}\n{%- endblock a -%}", [("block a", 1, 2)]),
        (
            "{% block actions-form %}{% block actions.form-a %}\n{% endblock %}{% endblock %}",
            [("block actions-form", 1, 2), ("block actions.form-a", 1, 2)],
        ),
        ("{%+ macro m(a, b='%}') %}\n{% endmacro +%}", [("macro m", 1, 2)]),
        ("{% block a %}\n{% block b %}\n{% endblock %}\n{% endblock %}", [("block a", 1, 4), ("block b", 2, 3)]),
        ("{% block a %}\n{% macro m() %}\n{% endblock %}\n{% endmacro %}", [("block a", 1, 3), ("macro m", 2, 4)]),
        ("{% endblock %}{% endmacro %}", []),
        ("{% import 'm.html' as m with context %}", [("import m.html", 1, 1)]),
        ('{% from "m.html" import a, b as c %}', [("from m.html", 1, 1)]),
        ("{% include 'a b.html' ignore  missing without context %}", [("include a b.html", 1, 1)]),
        ("{% include [ 'a.html',\n 'b.html' ] ignore missing %}", [("include [ 'a.html', 'b.html' ]", 1, 1)]),
        ("{% extends layout.of(a)  ~ '.html' %}", [("extends layout.of(a) ~ '.html'", 1, 1)]),
        ("{% extends 'a' if b else 'c' %}", [("extends 'a' if b else 'c'", 1, 1)]),
        ("{% import get(m) as n %}\n{% from get(m) import a %}", [("import get(m)", 1, 1), ("from get(m)", 2, 2)]),
        ("\n{%\nextends\n'a'\n%}", [("extends a", 2, 2)]),
        ("{% include %}{% block %}{% block 'a' %}{% %}{%%}", []),
        ("{% set a %}{% call b() %}{% filter c %}{% if d %}{% for e in f %}", []),
        ("{# {% block a %} #}{% raw %}{% block b %}{% endraw %}{% block c %}", [("block c", 1, 1)]),
        ("{%- raw -%}\n{% block a %}", []),
        (
            "<!-- {% block a %}\n{% endblock %} --><script>'{% block b %}'</script>",
            [("block a", 1, 2), ("block b", 2, 2), ("script", 2, 2)],
        ),
        ("{{ '{% block a %}' }}{{ {'a': {'b': '}}'}} }}{% block c %}", [("block c", 1, 1)]),
        ("{{ unclosed {% block a %}\n{% block b", [("block a", 1, 2)]),
        ("{% set a = 'it%} s' %}\n{% if it's %}\n{% block b %}", [("block b", 3, 3)]),
    ],
)
def test_jinjas_tags(text: str, expected: Map) -> None:
    assert rows(outline(text)) == expected


@pytest.mark.rule("OUT-39", "OUT-43", "OUT-47")
def test_jinja_inside_scripts_and_styles_is_no_structure() -> None:
    text = (
        "<script>\n{% if a %}function f() { return {{ {'a': '}'} | tojson }}; }{% endif %}\n"
        "function render{{ name }}() {\n{# } #}\n}\n{{ macro() }} function g() {}\n</script>\n"
        "<style>\n{% if a %} .a{% endif %}-{{ b }} {# { #} {\n}\n{{ c }} { }\n.d { e: {{ f }}; }\n</style>\n"
    )
    assert rows(outline(text)) == [
        ("script", 1, 7),
        ("f", 2, 2),
        ("render{{ name }}", 3, 5),
        ("g", 6, 6),
        ("style", 8, 13),
        (".a-{{ b }}", 9, 10),
        ("{{ c }}", 11, 11),
        (".d", 12, 12),
    ]


@pytest.mark.rule("OUT-4")
def test_a_name_is_whole_and_all_names_together_are_bounded() -> None:
    long = "n" * 1_000_000
    assert names(f"<script id={long}>function f(){{}}</script>") == [f"script#{long}", f"script#{long}.f"]
    with pytest.raises(NoOutline, match="too_many_symbols"):
        outline(f"<script id={long}>{'function f(){}' * 1_000}</script>")


class Ids(HTMLParser):
    """Elements with an id, scripts and styles, as Python's own tokenizer finds them; the ends by one stack for each name."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[list[str | int | None]] = []
        self.open: dict[str, list[list[str | int | None]]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        anchor = next((value for name, value in attrs if name == "id"), None)
        row: list[str | int | None] = [f"{tag}#{anchor}" if anchor else tag, self.getpos()[0], None]
        if anchor or tag in {"script", "style"}:
            self.found.append(row)
        self.open.setdefault(tag, []).append(row)

    def handle_endtag(self, tag: str) -> None:
        if self.open.get(tag):
            self.open[tag].pop()[2] = self.getpos()[0]


@pytest.mark.rule("OUT-33", "OUT-34", "OUT-42")
def test_real_pages_are_mapped_as_pythons_own_tokenizer_reads_them() -> None:
    compared = 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if "{%" in text or "{{" in text:
            continue
        text = INSIDE.sub(lambda match: match[1] + "\n" * match[2].count("\n"), text)
        ids = Ids()
        ids.feed(text)
        expected = [tuple(row) for row in ids.found]
        assert rows(outline(text)) == sorted(expected, key=lambda row: (row[1], row[0], row[2])), page
        compared += len(expected)
    assert compared > 300


PIECES = st.sampled_from([
    "<div", " id=", "x", '"', "'", ">", "/>", "</div>", "<script", "</script>", "<style>", "</style>", "<!--", "-->", "{%", "%}", "{{",
    "}}", "{#", "#}", " block a ", "endblock", " raw ", "endraw", "include ", "\n", "function f(){", "}", ".a{", "<", "<br", " ", "\r\n",
    "\0", "\u2028", "\ud800", "`", "${", "=", "type=", "<title>", "class A", "=>", "x=", "("
])  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_text_has_a_map_inside_the_file(text: str) -> None:
    symbols = outline(text)
    assert_lines_are_in_the_file(symbols, text)
    assert all(symbol.name for symbol in symbols)
