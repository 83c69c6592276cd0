"""The arguments of `codekeeper_get_file`, as JSON arrives: what is clamped, what is converted, and what the schema refuses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gateway.tools.get_file import TOOL
from shared.wire.get_file import GetFileArguments

NAMES = (
    "file_name", "file_id", "version", "lines", "query", "context_lines", "max_results", "toc", "section", "max_chars", "offset",
    "max_depth",
)  # fmt: skip


def read(**arguments: Any) -> GetFileArguments:
    return GetFileArguments.model_validate(arguments)


def refused(**arguments: Any) -> set[str]:
    with pytest.raises(ValidationError) as caught:
        read(**arguments)
    return {str(problem["loc"][0]) for problem in caught.value.errors()}


@pytest.mark.rule("GTF-1", "GTF-2", "GTF-5", "GTF-14", "GTF-104")
def test_the_parameters_their_defaults_and_what_stands_first_at_toc_and_section() -> None:
    assert read().model_dump() == dict.fromkeys(NAMES) | {"toc": False}
    shown = TOOL.input_schema()["properties"]
    assert tuple(shown) == NAMES
    assert all(parameter["description"] for parameter in shown.values())
    for name in ("toc", "section"):
        assert "`file_id=file.id`" in shown[name]["description"].split(". ")[0]
    assert (TOOL.name, TOOL.admin, TOOL.writes) == ("codekeeper_get_file", False, False)


@pytest.mark.rule("GTF-5", "GTF-15")
@pytest.mark.parametrize("name", ["file_name", "file_id", "query", "section"])
def test_texts_pass_as_they_are_and_null_the_word_is_one(name: str) -> None:
    for text in ("", "null", " \ud800\0 "):
        assert getattr(read(**{name: text}), name) == text
    assert refused(**{name: 5}) == {name}


@pytest.mark.rule("GTF-9", "GTF-10", "GTF-11")
@pytest.mark.parametrize(
    ("value", "flag"),
    [("true", True), ("yes", True), ("1", True), (1, True), (True, True), ("false", False), ("no", False), ("0", False), (0, False)],
)
def test_a_flag_is_read_leniently(value: Any, flag: bool) -> None:
    assert read(toc=value).toc is flag


@pytest.mark.rule("GTF-6", "GTF-7", "GTF-8", "GTF-10", "LIN-35", "LIN-36", "LIN-37")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("toc", ["maybe", 2, None, "", []]),
        ("lines", [[True, 5], ["1", 5], [1.5, 5], [1.0, 5], "1-5", 5]),
        ("max_depth", ["2", 2.0, True]),
        ("context_lines", ["2", 2.0, True]),
        ("max_results", ["2", 2.0, True]),
        ("max_chars", ["many", "", 1.5, []]),
        ("offset", ["many", 1.5]),
        ("version", ["last", 1.5]),
    ],
)
def test_what_is_of_another_type_is_refused_by_the_schema(name: str, values: list[Any]) -> None:
    assert [refused(**{name: value}) for value in values] == [{name}] * len(values)


@pytest.mark.rule("GTF-8", "LIN-38")
def test_lax_integers_are_converted_and_null_is_not_sent() -> None:
    found = read(max_chars="600", offset="7", version="3", lines=None, max_depth=None)
    assert (found.max_chars, found.offset, found.version, found.lines, found.max_depth) == (600, 7, 3, None, None)


@pytest.mark.rule("GTF-78", "GTF-120", "GTF-140")
@given(st.integers(-(10**12), 10**12) | st.integers(-3, 105))
def test_a_number_out_of_its_range_is_clamped_and_never_refused(number: int) -> None:
    found = read(context_lines=number, max_results=number, max_depth=number, max_chars=number, offset=number)
    assert found.context_lines == min(max(number, 0), 10)
    assert found.max_results == min(max(number, 1), 100)
    assert found.max_depth == min(max(number, 1), 64)
    assert found.max_chars == min(max(number, 500), 100_000)
    assert found.offset == min(max(number, 0), 10**9)
