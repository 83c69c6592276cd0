"""Functions inside scripts, by tables, by the tree-sitter grammar on real files, and by texts that are meant to break the scan."""

from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_javascript
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.parsing.measure import Map, installed, sample
from workers.parsing import outline as outlines
from workers.parsing.html import javascript_brackets
from workers.parsing.html.javascript import MAX_LEFT, definitions
from workers.parsing.outline import NoOutline, Symbol

GRAMMAR = tree_sitter.Language(tree_sitter_javascript.language())
SCRIPTS = [path for path in installed("*.js") if path.stat().st_size < 100_000]


def outline(text: str) -> list[Symbol]:
    def line(at: int) -> int:
        return text.count("\n", 0, at) + 1

    return [Symbol(one.name, line(one.start), line(len(text) if one.end is None else one.end - 1)) for one in definitions(text, text)]


def found(text: str) -> Map:
    return sorted((symbol.name, symbol.start, symbol.end) for symbol in outline(text))


@pytest.mark.rule("OUT-39", "OUT-40")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("function a(){} async function b(){} function* c(){} async function* d(){} class e{} class f extends g{}", "a b c d e f"),
        ("export function a(){} export default function b(){} export class c{} export default async function d(){}", "a b c d"),
        ("export default function(){} export default class{} export default {a: function b(){}}; export {c, d}", ""),
        ("const a = function(){}, b = () => 1, c = async x => x; let d = class{}; var e = async function(){}, f = function* g(){}",
         "a b c d e f"),
        ("window.go = function(){}; a.b['c'].d = () => {}; this.#e = class{}; f = async (g, h) => {}; i('j').k = l => l",
         "window.go a.b['c'].d this.#e f i('j').k"),
        ("a = b = function(){}; c = 1, d = () => 2; return e, f = function(){}", "b d f"),
        ("a = function(){}(); b = function(){}.bind(c); d = (function(){})(); e = class{}.f; g = function(){} || h; i = !function(){}", ""),
        ("a(function b(){}); (function c(){})(); return function d(){}; e = [function f(){}]; g = {h: function i(){}, j(){}, k: () => 1}",
         ""),
        ("class a { b(){} static c = () => {}; d = function(){}; get e(){} static { function f(){} } function(){} class(){} }", "a f"),
        ("a += function(){}; a ||= class{}; a == function(){}; const {b} = function(){}; const [c] = {}; for (const d = () => 1;;) {}",
         ""),
        ("a ? function b(){} : function c(){}; d = e ? () => 1 : () => 2; a ? b : c\nfunction f(){}", "f"),
        ("switch (a) { case b ? c : d: function e(){} break; default: function f(){} } g: function h(){}", "e f h"),
        ("if (a) function b(){} else function c(){}\nfor (;;) function d(){}", "b c d"),
        ("function a(b = function(){}, {c} = {d: () => {}}) { function e(){ const f = () => { class g {} } } }", "a e f g"),
        ("a\nfunction b(){}\nc()\nasync function d(){}\nlet e = f\nasync function g(){}", "b d g"),
        ("const a = () => ({b: 1})\nconst c = d => e => f\ng()", "a c"),
        ("a = x => { return function b(){} }, c = y => y", "a c"),
        ("import {a} from 'b'\nimport c from 'd'\nfunction e(){}\nimport('f').then(function g(){})", "e"),
        ("new class a {}; x instanceof class b {}; throw function c(){}; typeof class d {}", ""),
        ("a.function = 1; a.class.b = () => 1; ({function: 1, class: 2, if: 3}); function c(){}", "a.class.b c"),
    ],
)  # fmt: skip
def test_what_is_a_definition_and_its_name(text: str, names: str) -> None:
    assert sorted(symbol.name for symbol in outline(text)) == sorted(names.split())


@pytest.mark.rule("OUT-39")
@pytest.mark.parametrize(
    "odd",
    [
        "'}'", '"{\\"}"', "'\\\n}'", "`}`", "`\\`}`", "`${`}`}}`", "`a${ {b: `c${'}'}`} }}`", "/}/", "/[/}]/", "/\\/}/.test(a)",
        "x = a / b / {c}.d",
        "// }\n", "/* } */",
        "if (a) /}/.b()", "a++ / 1", "return /}/", "<!-- }\n", "a = {}/1", "(1) / 2 / `}`", "[] / 1; '}'",
    ],
)  # fmt: skip
def test_what_braces_are_no_structure(odd: str) -> None:
    text = f"function f() {{\n{odd}\n}}\nfunction g() {{}}"
    last = 4 + odd.count("\n")
    assert found(text) == [("f", 1, last - 1), ("g", last, last)]


@pytest.mark.rule("OUT-39", "OUT-47")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export\nasync function f()\n{\n}\n", [("f", 1, 4)]),
        ("const\n  a = () => 1,\n  b = function() {\n  };\n", [("a", 1, 2), ("b", 3, 4)]),
        ("a\n  .b = x =>\n    x +\n    1;\n\n", [("a .b", 1, 4)]),
        ("const f = () =>\n  g(\n    1)\n\nh()\n", [("f", 1, 3)]),
        ("function f() {\n if (a) {\n}\n", [("f", 1, 4)]),
        ("function f() {\n g(\n}\nfunction h() {}\n", [("f", 1, 3), ("h", 4, 4)]),
        ("}})];function f() {\n}\n", [("f", 1, 2)]),
        ("function f(\n", [("f", 1, 2)]),
        ("function f\nx = function;\nclass C\n", [("C", 3, 4)]),
        ("'\nfunction f() {}\n`\nfunction g() {}", [("f", 2, 2)]),
    ],
)
def test_where_a_definition_begins_and_ends_also_in_a_broken_script(text: str, expected: Map) -> None:
    assert found(text) == expected


def test_a_left_side_that_is_a_program_is_no_name() -> None:
    side = "a('" + "b" * MAX_LEFT + "').c"
    assert found(f"{side} = () => 1; {side[:7]}').c = () => 2") == [("a('bbbb').c", 1, 1)]


VALUES = {"function_expression", "generator_function", "arrow_function", "class"}
DECLARED = {"function_declaration", "generator_function_declaration", "class_declaration"}
LEFT = {"identifier", "member_expression", "subscript_expression"}


def by_the_grammar(text: str) -> Map | None:
    """The same definitions, found in the grammar's tree; None for a file that it takes for broken."""
    root = tree_sitter.Parser(GRAMMAR).parse(text.encode()).root_node
    if root.has_error:
        return None
    rows = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        named = named_by(node)
        if named:
            name, first = named
            rows.append((" ".join(name.text.decode().split()), first.start_point[0] + 1, node.end_point[0] + 1))
    return sorted(rows)


def named_by(node: tree_sitter.Node) -> tuple[tree_sitter.Node, tree_sitter.Node] | None:
    """The name of the definition that this node is, and the node where it begins."""
    if node.type in DECLARED:
        name = node.child_by_field_name("name")
        return name and (name, exported(node))
    value = node.child_by_field_name("value" if node.type == "variable_declarator" else "right")
    if value is None or value.type not in VALUES:
        return None
    if node.type == "variable_declarator":
        name, above = node.child_by_field_name("name"), node.parent
        if name.type != "identifier" or above.parent.type in {"for_statement", "for_in_statement"}:
            return None
        is_first = next(child for child in above.named_children if child.type == node.type) == node
        return name, exported(above) if is_first else node
    if node.type != "assignment_expression":
        return None
    left, above = node.child_by_field_name("left"), node
    while above.type in {"assignment_expression", "sequence_expression"}:
        above = above.parent
    is_listed = above.type == "return_statement" and node.parent.named_children[0] != node
    is_statement = above.type in {"expression_statement", "variable_declarator"} or is_listed
    return (left, node) if left.type in LEFT and len(left.text) <= MAX_LEFT and is_statement else None


def exported(node: tree_sitter.Node) -> tree_sitter.Node:
    return node.parent if node.parent.type == "export_statement" else node


def compare(path: Path) -> int:
    text = path.read_bytes().decode("utf-8")
    expected = by_the_grammar(text)
    if expected is None:
        return 0
    assert found(text) == expected, path
    return len(expected)


@pytest.mark.rule("OUT-39", "OUT-40")
def test_real_scripts_have_the_definitions_that_the_grammar_finds() -> None:
    assert sum(compare(path) for path in sample(SCRIPTS, 150)) > 400


@pytest.mark.deep
@pytest.mark.timeout(600)
def test_all_scripts_installed_have_the_definitions_that_the_grammar_finds() -> None:
    assert sum(compare(path) for path in SCRIPTS) > 4_000


PIECES = st.sampled_from([
    "function", " f", "(", ")", "{", "}", "[", "]", "=>", "=", ";", ",", "\n", "class ", "async ", "const ", "var ", "a", ".", "`", "${",
    "'", '"', "/", "//", "/*", "*/", "?", ":", "export ", "default ", "return ", "if", "+", "++", "*", "extends ", "1", "\\", "<!--",
    "\0", "\ud800", "é"
])  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_text_has_definitions_inside_it(text: str) -> None:
    for definition in definitions(text, text):
        assert 0 <= definition.start < (len(text) if definition.end is None else definition.end) <= len(text)
        assert definition.name


def test_the_ceiling_of_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (outlines, javascript_brackets):
        monkeypatch.setattr(module, "MAX_SYMBOLS", 50)
    assert len(definitions(*["function f(){}" * 50] * 2)) == 50
    assert definitions(*["a=function(){}()\n" * 51] * 2) == []
    with pytest.raises(NoOutline, match="too_many_symbols"):
        definitions(*["a=()=>1\n" * 51] * 2)
