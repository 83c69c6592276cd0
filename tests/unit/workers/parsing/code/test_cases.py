"""The cases about definitions: their own tables."""

from pathlib import Path

import pytest

from tests.unit.workers.parsing.code.reading import needs
from workers.parsing.code.index import Index
from workers.parsing.code.languages import language_of
from workers.parsing.code.read import read_index
from workers.parsing.code.symbols import SymbolRefused, find, outline

CASES = Path(__file__).parents[4] / "cases"


def case(path: str) -> Index:
    language = language_of(path)
    assert language is not None
    return read_index((CASES / path).read_bytes(), language)


def listed(index: Index) -> list[tuple[str, int, int]]:
    return [(one["qualifiedName"], one["startLine"], one["endLine"]) for one in outline(index)]


def lines(index: Index, symbol: str) -> tuple[int, int]:
    one = index.definitions[find(index, symbol)]
    return one.start, one.end


def candidates(index: Index, symbol: str) -> list[tuple[int, int]]:
    with pytest.raises(SymbolRefused, match="ambiguous-symbol") as refused:
        find(index, symbol)
    return [(one.start, one.end) for one in refused.value.candidates]


@pytest.mark.rule("RCC-10")
def test_case_01_a_reference_names_no_text_of_a_string() -> None:
    markers = case("01-token-special-literals/markers.py")
    assert lines(markers, "join") == (8, 10)
    assert needs(markers, "join")[0] == ["END", "ASK"]


@pytest.mark.rule("RCC-3", "RCC-4", "RCC-5", "RCC-6", "RCC-10", "RCC-14")
def test_case_09_decorated_repeated_and_nested_definitions_of_python() -> None:
    service = case("09-py-decorated-definitions/service.py")
    assert lines(service, "count") == (17, 24)
    assert sorted(needs(service, "count")[0]) == ["LIMIT", "traced"]
    assert lines(service, "Box") == (27, 43)
    assert sorted(needs(service, "Box")[0]) == ["LIMIT", "count", "traced"]
    assert set(needs(service, "Box")[1].ambiguous) <= {"width"}
    assert candidates(service, "Box.width") == [(30, 32), (34, 36)]
    assert candidates(service, "pick") == [(46, 47), (48, 49), (50, 51)]
    assert candidates(service, "late") == [(55, 56), (58, 59)]
    assert service.definitions[find(service, "open")].name == "Box.Lid.open"
    assert lines(service, "open") == (42, 43)
    with pytest.raises(SymbolRefused, match="symbol-not-found"):
        find(service, "nosuch")


@pytest.mark.rule("RCC-3", "RCC-9", "RCC-10")
def test_case_10_text_of_any_script_before_a_definition_moves_no_line() -> None:
    tsx = case("10-bytes-and-characters/labels.tsx")
    assert listed(tsx) == [("TITLES", 2, 2), ("fullName", 5, 5), ("Badge", 7, 7)]
    assert needs(tsx, "fullName")[0] == ["TITLES"]
    python = case("10-bytes-and-characters/labels.py")
    assert lines(python, "größe") == (5, 7)
    assert lines(python, "plain") == (10, 10)
    assert needs(python, "plain")[0] == ["größe", "TITLE"]


@pytest.mark.rule("RCC-3", "RCC-9", "RCC-10", "RCC-11")
def test_case_11_components_written_as_values() -> None:
    card = case("11-tsx-arrow-components/Card.tsx")
    assert listed(card) == [
        ("CardProps", 3, 3),
        ("Item", 4, 4),
        ("GAP", 6, 6),
        ("format", 7, 7),
        ("Row", 9, 11),
        ("Card", 13, 22),
        ("first", 24, 24),
        ("second", 24, 24),
        ("default", 26, 28),
    ]
    kinds = ["type", "interface", "constant", "function", "function", "constant", "constant", "function", "function"]
    assert [one["kind"] for one in outline(card)] == kinds
    of_card = ["CardProps", "GAP", "Row", "Item", "format"]
    assert needs(card, "Card")[0] == of_card
    assert needs(card, "Row")[0] == ["Item", "format"]
    assert needs(card, "second")[0] == []
    assert needs(card, "default")[0] == ["Card", *of_card]


@pytest.mark.rule("RCC-3", "RCC-4", "RCC-9", "RCC-10", "RCC-14")
def test_case_12_overloads_and_signatures_without_a_body() -> None:
    parse = case("12-ts-overloads/parse.ts")
    assert listed(parse) == [
        ("Options", 1, 1),
        ("Parsed", 2, 2),
        ("parse", 5, 10),
        ("Reader", 12, 18),
        ("Reader.read", 13, 17),
        ("ambient", 20, 20),
        ("Deep", 22, 24),
        ("Deep.parse", 23, 23),
    ]
    kinds = ["interface", "type", "function", "class", "method", "function", "namespace", "function"]
    assert [one["kind"] for one in outline(parse)] == kinds
    assert needs(parse, "parse")[0] == ["Options", "Parsed"]
    for symbol in ("Reader", "Reader.read"):
        names, found = needs(parse, symbol)
        assert names == ["parse", "Options", "Parsed"]
        assert [parse.definitions[place].start for place in found.places] == [5, 1, 2]
        assert found.ambiguous == ()
    assert needs(parse, "ambient")[0] == ["Options", "Parsed"]
    assert lines(parse, "Deep.parse") == (23, 23)
    assert needs(parse, "Deep.parse")[0] == []
