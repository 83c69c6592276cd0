"""Which definition a symbol or a reference means, and what a definition needs of its file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.parsing.code.reading import JS, PYTHON, needs, read
from workers.parsing.code.closure import MAX_AMBIGUOUS, MAX_DEPENDENCIES, dependencies
from workers.parsing.code.symbols import MAX_CANDIDATES, SymbolRefused, described, find, outline


@pytest.mark.rule("RCC-4")
def test_a_qualified_name_is_matched_before_a_simple_one() -> None:
    index = read("class A:\n    def f(self): pass\n    def g(self): pass\ndef f(): pass\n", PYTHON)
    assert index.definitions[find(index, "f")].start == 4
    assert index.definitions[find(index, "A.f")].start == 2
    assert index.definitions[find(index, "g")].start == 3


@pytest.mark.rule("RCC-5")
def test_a_name_of_several_definitions_is_answered_with_eight_of_them() -> None:
    index = read("".join(f"class C{number}:\n    def f(self): pass\n" for number in range(12)), PYTHON)
    with pytest.raises(SymbolRefused) as refused:
        find(index, "f")
    assert refused.value.reason == "ambiguous-symbol"
    assert [one.name for one in refused.value.candidates] == [f"C{number}.f" for number in range(MAX_CANDIDATES)]


@pytest.mark.rule("RCC-6")
@pytest.mark.parametrize("symbol", ["", "g", "f.g", "F", "f ", ".f", "x"])
def test_a_name_that_is_not_there_is_not_found(symbol: str) -> None:
    with pytest.raises(SymbolRefused) as refused:
        find(read("def f(x): pass\n", PYTHON), symbol)
    assert (refused.value.reason, refused.value.candidates) == ("symbol-not-found", ())


@pytest.mark.rule("RCC-9")
def test_an_outline_says_names_kinds_and_lines_and_nothing_else() -> None:
    index = read("class A:\n    def f(self):\n        return 'secret'\n", PYTHON)
    assert outline(index) == [
        {"name": "A", "qualifiedName": "A", "kind": "class", "startLine": 1, "endLine": 3},
        {"name": "f", "qualifiedName": "A.f", "kind": "method", "startLine": 2, "endLine": 3},
    ]
    assert described(index.definitions[1]) == outline(index)[1]


@pytest.mark.rule("RCC-10")
def test_dependencies_are_followed_as_far_as_they_go_and_cycles_end() -> None:
    source = """\
        def a(): return b()
        def b(): return c() + a()
        def c(): return LIMIT
        LIMIT = OTHER
        OTHER = 1
        UNUSED = 2
    """
    index = read(source, PYTHON)
    assert needs(index, "a")[0] == ["b", "c", "LIMIT", "OTHER"]
    assert needs(index, "b")[0] == ["c", "a", "LIMIT", "OTHER"]
    assert needs(index, "c", "OTHER")[0] == ["LIMIT"]


@pytest.mark.rule("RCC-10")
def test_what_stands_in_a_definition_that_comes_along_is_not_named_beside_it() -> None:
    source = """\
        class A {
          m() { return f(); }
          n() {}
        }
        function f() { return A.n() + new A(); }
        function g() { return A.n(); }
    """
    index = read(source, JS)
    assert needs(index, "A")[0] == ["f"]
    assert needs(index, "f")[0] == ["A"]
    assert needs(index, "g")[0] == ["A.n"]


@pytest.mark.rule("RCC-10")
def test_64_definitions_are_added_and_a_65th_is_told_of() -> None:
    def chain(length: int) -> str:
        return "".join(f"def f{number}(): f{number + 1}()\n" for number in range(length)) + f"def f{length}(): pass\n"

    names, found = needs(read(chain(MAX_DEPENDENCIES), PYTHON), "f0")
    assert (len(names), found.is_cut) == (64, False)
    names, found = needs(read(chain(MAX_DEPENDENCIES + 1), PYTHON), "f0")
    assert (names, found.is_cut) == ([f"f{number}" for number in range(1, 65)], True)


@pytest.mark.rule("RCC-14")
def test_a_reference_with_several_candidates_adds_none_and_is_listed() -> None:
    source = """\
        def use(x): return x.close(), twice(), A.close
        class A:
            def close(self): pass
        class B:
            def close(self): pass
        def twice(): return 1
        def twice(): return 2
    """
    names, found = needs(read(source, PYTHON), "use")
    assert names == ["A.close"]
    assert found.ambiguous == ("close", "twice")
    assert not found.is_ambiguous_cut


@pytest.mark.rule("RCC-14")
def test_32_ambiguous_names_are_listed_and_more_are_told_of() -> None:
    def source(names: int) -> str:
        calls = ", ".join(f"f{number}()" for number in range(names))
        return f"def use(): return {calls}, ONE\nONE = 1\n" + "".join(f"def f{number}(): pass\n" * 2 for number in range(names))

    _, found = needs(read(source(MAX_AMBIGUOUS), PYTHON), "use")
    assert (found.ambiguous, found.is_ambiguous_cut) == (tuple(f"f{number}" for number in range(32)), False)
    names, found = needs(read(source(MAX_AMBIGUOUS + 1), PYTHON), "use")
    assert (found.ambiguous, found.is_ambiguous_cut) == (tuple(f"f{number}" for number in range(32)), True)
    assert names == ["ONE"], "source is never cut because of that list"


@pytest.mark.rule("RCC-10")
def test_a_chain_means_as_much_of_itself_as_names_a_definition() -> None:
    source = """\
        const TITLES = { home: 1 };
        class Box { static make() {} }
        Box.of = function () {};
        function use(other) { TITLES.home.x; Box.make(); Box.of.call(1); other.y.only(); }
        class Only {
          only() {}
        }
    """
    assert needs(read(source, JS), "use")[0] == ["TITLES", "Box.make", "Box.of", "Only.only"]


@given(st.lists(st.tuples(st.integers(0, 30), st.lists(st.integers(0, 30), max_size=5)), min_size=1, max_size=60))
def test_whatever_refers_to_what_each_definition_is_added_once_and_none_of_those_asked_for(shape: list[tuple[int, list[int]]]) -> None:
    source = "".join(f"def f{name}(): return [{', '.join(f'f{one}' for one in called)}]\n" for name, called in shape)
    index = read(source, PYTHON)
    found = dependencies(index, [0])
    assert 0 not in found.places
    assert len(set(found.places)) == len(found.places) <= MAX_DEPENDENCIES
    names = [index.definitions[place].name for place in found.places]
    assert all(len(index.qualified[name]) == 1 for name in names)
    assert all(len(index.qualified[name]) > 1 for name in found.ambiguous)
