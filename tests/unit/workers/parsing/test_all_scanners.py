"""What holds for every scanner alike: the ceiling of symbols, and that no text costs more than its size."""

import pytest

from tests.unit.workers.parsing.measure import SOON, Outline, filled, growth, seconds
from workers.parsing import outline as outlines
from workers.parsing.css.outline import outline as css
from workers.parsing.html import javascript_brackets
from workers.parsing.html.javascript import definitions
from workers.parsing.html.outline import outline as html
from workers.parsing.outline import NoOutline, Symbol
from workers.parsing.python.outline import outline as python
from workers.parsing.rst.outline import outline as rst


def javascript(text: str) -> list[Symbol]:
    """What is inside a script, without its lines."""
    return [Symbol(one.name, 1, 1) for one in definitions(text, text)]


FULL = 200
"""A ceiling that a text reaches soon; `test_registry.py` maps a file at the real one."""


@pytest.mark.rule("OUT-12", "OUT-13", "OUT-14", "OUT-15")
@pytest.mark.parametrize(
    ("outline", "text", "unit"),
    [
        (css, "{}", "a{}\n"),
        (html, "{}", "<br id=a>\n"),
        (html, "{}", "{% include 'a' %}\n"),
        (html, "{}", "<script></script>\n"),
        (html, "<style>{}</style>", "a{}"),
        (html, "<script>{}</script>", "function f(){}"),
        (python, "{}", "def f():0\n"),
        (python, "{}", "class a:0\n"),
        (rst, "T\n=\n\n{}", "A\n=\n\n"),
        (rst, "T\n=\n\n{}", "  .. _a:\n"),
    ],
)
def test_the_ceiling_is_for_all_symbols_together(outline: Outline, text: str, unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (outlines, javascript_brackets):
        monkeypatch.setattr(module, "MAX_SYMBOLS", FULL)
    beside = int(text != "{}")  # the element or the title that the others stand in or under
    assert len(outline(text.replace("{}", unit * (FULL - beside)))) == FULL
    with pytest.raises(NoOutline) as refused:
        outline(text.replace("{}", unit * (FULL - beside + 1)))
    assert (refused.value.reason, refused.value.fields) == ("too_many_symbols", {"max": FULL})


def test_a_scan_ends_where_the_ceiling_is_crossed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlines, "MAX_SYMBOLS", FULL)
    with pytest.raises(NoOutline, match="too_many_symbols"):
        css("a{}\n" * (FULL + 1) + "{" * 1_000_000)


HOSTILE = {
    "css": [
        "{", "(", "[", "/*", '"', "'", "a{", "}", "@media{", "url(", "\\", "<!--", "a:b;", "a,", "/", "a{}}", "/**/", "--x:{", "a{--x:{}",
        "a:{", "url(\\", '"\\\n', "@keyframes x{", ";", " ", "\n", "é", "a{b"
    ],
    "html": [
        "<div id=x ", "<div id=x>", "<div>", "{%", "{{", "{#", "<!--", "<script>", "<style>", '"', "<", "</", "<a b='", '{% "', "{% ' %}",
        '{{ " }}{', "{{ { }}", "{% block a %}", "{% raw %}", "<script></script>", "<style>{", "<div /", "</div>", "<title>", "<!a",
        "{{ a }}", "{% include 'a' %}", "<a b=c/>", "{%\"{%'", "{% x" + " " * 50, "{% include x" + " " * 1_000, "<a " + " b" * 1_000
    ],
    "javascript": [
        "{", "(", "[", "`", "`${", "/[", "/* ", "a/**/", "a ", "a;", "function f(){", "'a'", "'", "x=()=>", "x=a=>", "}", "/", "\\", "=>",
        "a=", "class A{", "?:", "async ", "a=function(){}(", "//\n", "<!--", "${", "(}", "(}{", "a[", "a(function(){", "x=(", "/a", "a.b=",
        "}/["
    ],
    "python": [
        "(", "[a,", "{", "-", "not ", "a.", "a\n", "if a:\n", "'", '"""', "f'{", 'f"{a}"', "import a.", "@a\n", "lambda:", "#", "\\\n",
        "def f():\n ", "x = (\n", "1,", "a = ", "{1:", "\t", "a if b else ", '\\"""', "match "
    ],
}  # fmt: skip

SCANNERS: dict[str, Outline] = {"css": css, "html": html, "javascript": javascript, "python": python}
CASES = [(name, unit) for name, units in HOSTILE.items() for unit in units]


@pytest.mark.parametrize(("scanner", "unit"), CASES)
def test_hostile_text_ends_soon(scanner: str, unit: str) -> None:
    assert seconds(SCANNERS[scanner], filled(unit, 100_000)) < SOON


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("scanner", "unit"), CASES)
def test_megabytes_of_hostile_text_take_twice_as_long_as_half_of_them(scanner: str, unit: str) -> None:
    assert growth(SCANNERS[scanner], unit, 2_000_000 if scanner == "javascript" else 10_000_000) < 3
