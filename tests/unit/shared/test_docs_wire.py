"""The arguments of `codekeeper_docs_get_section`, as JSON arrives: what is clamped, what becomes a default, and what the schema refuses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from shared.wire.docs_get_section import DocsGetSectionArguments

DEFAULTS = {
    "path": "", "section": None, "include_subsections": True, "max_chars": 12_000, "offset": 0, "repo": None, "ref": None,
    "whole_document": False, "max_depth": None,
}  # fmt: skip


def read(**arguments: Any) -> DocsGetSectionArguments:
    return DocsGetSectionArguments.model_validate(arguments)


def refused(**arguments: Any) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        read(**arguments)
    return sorted({str(problem["loc"][0]) for problem in caught.value.errors()})


@pytest.mark.rule("DOC-1")
def test_the_parameters_and_their_defaults() -> None:
    assert read().model_dump() == DEFAULTS
    schema = DocsGetSectionArguments.model_json_schema()["properties"]
    assert list(schema) == list(DEFAULTS)
    assert all(parameter["description"] for parameter in schema.values())
    assert [schema[name]["type"] for name in ("path", "include_subsections", "max_chars", "offset", "whole_document")] == [
        "string", "boolean", "integer", "integer", "boolean"
    ]  # fmt: skip


@pytest.mark.rule("DOC-1", "DOC-2")
@given(st.integers())
def test_a_number_of_characters_is_clamped_and_never_refused(number: int) -> None:
    assert read(max_chars=number).max_chars == min(max(number, 500), 100_000)
    assert read(offset=number).offset == min(max(number, 0), 10**9)


@pytest.mark.rule("DOC-3")
@given(st.integers())
def test_a_depth_is_clamped_and_never_refused(number: int) -> None:
    assert read(max_depth=number).max_depth == min(max(number, 1), 64)


@pytest.mark.rule("DOC-1", "DOC-2", "DOC-3")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("max_chars", {-1: 500, 0: 500, 499: 500, 500: 500, 501: 501, 99_999: 99_999, 100_000: 100_000, 100_001: 100_000}),
        ("offset", {-1: 0, 0: 0, 1: 1, 10**9: 10**9, 10**9 + 1: 10**9}),
        ("max_depth", {-5: 1, 0: 1, 1: 1, 2: 2, 64: 64, 65: 64}),
    ],
)
def test_the_ends_of_every_range(name: str, values: dict[int, int]) -> None:
    assert {number: getattr(read(**{name: number}), name) for number in values} == values


@pytest.mark.rule("DOC-4")
@pytest.mark.parametrize("value", ["many", "", None, [], {}, [5], "1.5", "1e3", float("inf"), float("nan"), "9" * 5_000, "\ud800"])
def test_what_is_no_number_becomes_the_default(value: Any) -> None:
    found = read(max_chars=value, offset=value)
    assert (found.max_chars, found.offset) == (12_000, 0)


@pytest.mark.rule("DOC-4")
@pytest.mark.parametrize(("value", "number"), [("600", 600), (" 600 ", 600), (600.9, 600), ("-7", -7)])
def test_what_can_be_read_as_a_number_is(value: Any, number: int) -> None:
    found = read(max_chars=value, offset=value)
    assert (found.max_chars, found.offset) == (max(number, 500), max(number, 0))


@pytest.mark.rule("DOC-1")
@pytest.mark.parametrize("value", ["2", 2.0, True, "two", [2]])
def test_a_depth_is_a_strict_integer(value: Any) -> None:
    assert refused(max_depth=value) == ["max_depth"]


@pytest.mark.rule("DOC-1")
@pytest.mark.parametrize(("value", "flag"), [("true", True), (1, True), ("0", False), (False, False)])
def test_flags_are_read_leniently(value: Any, flag: bool) -> None:
    found = read(whole_document=value, include_subsections=value)
    assert (found.whole_document, found.include_subsections) == (flag, flag)


@pytest.mark.rule("DOC-1")
@pytest.mark.parametrize("value", ["maybe", 2, [], None])
def test_a_flag_that_is_none_is_refused(value: Any) -> None:
    assert refused(whole_document=value, include_subsections=value) == ["include_subsections", "whole_document"]


@pytest.mark.parametrize("name", ["path", "section", "repo", "ref"])
def test_texts_are_texts_and_pass_as_they_are(name: str) -> None:
    assert refused(**{name: 5}) == [name]
    assert getattr(read(**{name: " \ud800\0 "}), name) == " \ud800\0 "


@pytest.mark.rule("DOC-6", "DOC-17")
def test_an_empty_section_is_not_an_absent_one() -> None:
    assert (read(section="").section, read(section=None).section) == ("", None)
