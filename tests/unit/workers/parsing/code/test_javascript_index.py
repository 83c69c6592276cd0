"""The index of JavaScript, TypeScript and TSX: names, kinds, lines, overloads and references."""

import pytest

from tests.unit.workers.parsing.code.reading import JS, TS, TSX, needs, read, refused, rows
from workers.parsing.code.languages import Language
from workers.parsing.code.symbols import find


@pytest.mark.rule("RCC-3", "RCC-4", "RCC-9")
def test_functions_and_classes_are_named_by_what_they_are_assigned_to() -> None:
    source = """\
        var res = module.exports = function create() {};
        res.render = function render(view) {
          function done() {}
          const inner = () => {};
          const no = 1;
        };
        res.type = res.contentType = async () => {};
        Foo.prototype.bar = function () { this.late = () => {}; };
        exports['quoted'] = function () {};
        exports.x = class { m() {} };
        exports.call = wrap(function () {});
        function Foo() { this.made = function () {}; }
    """
    assert rows(source, JS) == [
        ("res", "function", 1, 1),
        ("module.exports", "function", 1, 1),
        ("res.render", "function", 2, 6),
        ("res.render.done", "function", 3, 3),
        ("res.render.inner", "function", 4, 4),
        ("res.type", "function", 7, 7),
        ("res.contentType", "function", 7, 7),
        ("Foo.bar", "function", 8, 8),
        ("Foo.late", "function", 8, 8),
        ("exports.x", "class", 10, 10),
        ("exports.x.m", "method", 10, 10),
        ("Foo", "function", 12, 12),
        ("Foo.made", "function", 12, 12),
    ]
    index = read(source, JS)
    assert {find(index, name) for name in ("Foo.bar", "Foo.prototype.bar", "bar")} == {7}
    assert find(index, "contentType") == 6


@pytest.mark.rule("RCC-3", "RCC-9")
@pytest.mark.parametrize("language", [JS, TS, TSX])
def test_members_of_classes_are_methods_and_what_is_in_objects_is_not(language: Language) -> None:
    source = """\
        class A extends B {
          constructor() { super(); }
          static async *go() {}
          get size() { return 1 }
          set size(to) {}
          arrow = () => {};
          plain = 1;
          #secret = function () {};
          static Inner = class { deep() {} };
          'quoted'() {}
          [Symbol.iterator]() {}
        }
        const holder = { method() {}, value: function () {} };
        const C = class D { m() {} };
        const mixin = (base) => class Mixed extends base { mixed() {} };
        call(class { nameless() {} });
    """
    assert rows(source, language) == [
        ("A", "class", 1, 12),
        ("A.constructor", "method", 2, 2),
        ("A.go", "method", 3, 3),
        ("A.size", "method", 4, 4),
        ("A.size", "method", 5, 5),
        ("A.arrow", "method", 6, 6),
        ("A.#secret", "method", 8, 8),
        ("A.Inner", "class", 9, 9),
        ("A.Inner.deep", "method", 9, 9),
        ("A.quoted", "method", 10, 10),
        ("A.[Symbol.iterator]", "method", 11, 11),
        ("holder", "constant", 13, 13),
        ("C", "class", 14, 14),
        ("C.m", "method", 14, 14),
        ("mixin", "function", 15, 15),
        ("mixin.Mixed", "class", 15, 15),
        ("mixin.Mixed.mixed", "method", 15, 15),
    ]
    assert find(read(source, language), "[Symbol.iterator]") == 10


@pytest.mark.rule("RCC-9")
def test_constants_and_variables_are_those_of_the_modules_level() -> None:
    source = """\
        const a = 1, b = [
          2,
        ];
        let c = 3, d;
        var { e, f: { g = 4 }, ...h } = i, [j, , k = 5] = l;
        if (a) { const block = 1; var inner = 2; }
        for (const each of b) {}
        (function () { const wrapped = 1; function visible() {} })();
        export const m = () => {
          n;
        };
    """
    assert rows(source, JS) == [
        ("a", "constant", 1, 1),
        ("b", "constant", 1, 3),
        ("c", "variable", 4, 4),
        *((name, "variable", 5, 5) for name in "eghjk"),
        ("visible", "function", 8, 8),
        ("m", "function", 9, 11),
    ]


@pytest.mark.rule("RCC-3", "RCC-9", "RCC-11")
def test_types_namespaces_and_declarations_of_typescript() -> None:
    source = """\
        export abstract class Shape<T> {
          abstract area(): number;
          protected constructor(private x: T) {}
        }
        export const enum Side { Left }
        declare namespace Outer.Inner {
          const held: number;
          function f(): void;
          namespace Deep { export interface G {} }
        }
        declare module "other" { export function h(): void }
        declare global { interface Window {} }
        declare const version: string;
        export declare let later: number;
        declare function ambient(): void;
        type Alias<T> = T | undefined;
        export default interface Options {}
        const cast = (<any>function () {}) as Alias<unknown>;
    """
    assert rows(source, TS) == [
        ("Shape", "class", 1, 4),
        ("Shape.area", "method", 2, 2),
        ("Shape.constructor", "method", 3, 3),
        ("Side", "enum", 5, 5),
        ("Outer.Inner", "namespace", 6, 10),
        ("Outer.Inner.held", "constant", 7, 7),
        ("Outer.Inner.f", "function", 8, 8),
        ("Outer.Inner.Deep", "namespace", 9, 9),
        ("Outer.Inner.Deep.G", "interface", 9, 9),
        ("h", "function", 11, 11),
        ("Window", "interface", 12, 12),
        ("version", "constant", 13, 13),
        ("later", "variable", 14, 14),
        ("ambient", "function", 15, 15),
        ("Alias", "type", 16, 16),
        ("Options", "interface", 17, 17),
        ("cast", "function", 18, 18),
    ]


@pytest.mark.rule("RCC-3")
@pytest.mark.parametrize(
    ("source", "kind", "language"),
    [
        ("export default function () {\n}\n", "function", JS),
        ("export default async function* () {\n}\n", "function", JS),
        ("export default class {\n}\n", "class", TS),
        ("export default class {\n}\n", "class", JS),
        ("export default (\n  a) => a;\n", "function", TSX),
        ("export default memo(\n  function Named() {});\n", "constant", TSX),
    ],
)
def test_a_default_export_without_a_name_is_called_default(source: str, kind: str, language: Language) -> None:
    assert rows(source, language) == [("default", kind, 1, 2)]


def test_a_default_export_of_a_name_is_no_definition_of_its_own() -> None:
    assert rows("function f() {}\nexport default f;\nexport { f as g };\n", JS) == [("f", "function", 1, 1)]
    assert rows("export default function f() {}\n", JS) == [("f", "function", 1, 1)]


@pytest.mark.rule("RCC-3")
@pytest.mark.parametrize("language", [JS, TS])
def test_decorators_belong_to_the_lines_and_their_references_to_the_definition(language: Language) -> None:
    source = """\
        const log = 1, bound = 2, mark = 3;
        // above
        @mark()
        export class A {
          @log
          // between
          @bound(1)
          go() {}
          @log held = 1;
        }
        @mark class B {}
    """
    assert rows(source, language)[3:] == [("A", "class", 3, 10), ("A.go", "method", 5, 8), ("B", "class", 11, 11)]
    index = read(source, language)
    assert needs(index, "A.go")[0] == ["log", "bound"]
    assert sorted(needs(index, "A")[0]) == ["bound", "log", "mark"]
    assert needs(index, "B")[0] == ["mark"]


@pytest.mark.rule("RCC-3", "RCC-5")
def test_signatures_are_one_definition_with_what_follows_while_only_comments_stand_between() -> None:
    source = """\
        export function f(a: string): void;

        /* a ; comment */ // and another
        export function f(a: number): void;
        export function f(a: unknown) {}
        function f() {}
        declare function g(): void
        declare function g(a: string): void
        const between = 1;
        declare function g(a: number): void
        class A {
          m(a: string): void;
          @deco m(a?: string) {}
          m(b: number) {}
          get m() { return 1 }
        }
    """
    assert rows(source, TS) == [
        ("f", "function", 1, 5),
        ("f", "function", 6, 6),
        ("g", "function", 7, 8),
        ("between", "constant", 9, 9),
        ("g", "function", 10, 10),
        ("A", "class", 11, 16),
        ("A.m", "method", 12, 13),
        ("A.m", "method", 14, 14),
        ("A.m", "method", 15, 15),
    ]


@pytest.mark.rule("RCC-10")
def test_references_of_javascript_are_names_and_chains_but_no_keys_attributes_or_elements_of_the_document() -> None:
    source = """\
        function f() {
          label: a?.b . c(); d().e.g; ({ h: i, j, k() {} }); this.l.m;
          return <div n={o} p="q"><Row.Cell/><List {...r}>text {s}</List><t/></div>;
        }
        const { a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t, Row, Cell, List, div, text, label } = 1;
    """
    for language in (JS, TSX):
        references = read(source, language).definitions[0].references
        assert references == ("a.b.c", ".g", ".e", "d", "i", "j", "this.l.m", "o", "Row.Cell", "List", "r", "s")


@pytest.mark.rule("RCC-10")
def test_types_are_references_too() -> None:
    source = """\
        interface A {}
        type B = A[];
        namespace N { export type C = B; }
        class D<T extends A> implements A { field: N.C; cast = x as unknown as typeof E.held; }
        const E = { held: 1 };
    """
    index = read(source, TS)
    assert sorted(needs(index, "D")[0]) == ["A", "B", "E", "N.C"]
    assert needs(index, "N.C")[0] == ["B", "A"]


@pytest.mark.rule("RCC-10")
def test_this_is_the_class_or_the_object_that_a_function_is_assigned_to() -> None:
    source = """\
        app.get = function () {};
        app.use = function () { return [1].map(() => this.get()); };
        other.get = function () {};
        class A { run() { return this.#step(); }
          #step() {} }
        class B { #step() {} }
    """
    index = read(source, JS)
    assert needs(index, "app.use")[0] == ["app.get"]
    assert needs(index, "A.run")[0] == ["A.#step"]


@pytest.mark.rule("RCC-13")
@pytest.mark.parametrize("language", [JS, TS, TSX])
def test_what_does_not_parse_is_named(language: Language) -> None:
    for source in ("function (", "class {", "const = 1", "a b", "`${", "<a", "\0"):
        assert refused(source, language) == "parse-error"


def test_a_tsx_file_needs_the_grammar_of_tsx() -> None:
    source = "const a = <T,>(x: T) => <b>{x}</b>;\n"
    assert rows(source, TSX) == [("a", "function", 1, 1)]
    assert refused(source, TS) == "parse-error"
    assert rows("const a = <string>b;\n", TS) == [("a", "constant", 1, 1)]
