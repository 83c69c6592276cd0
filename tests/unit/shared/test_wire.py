"""The arguments of the reading tools, as JSON arrives. What the schema must refuse is refused here, before any tool's code runs."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from shared.wire.call import Call, Caller
from shared.wire.get_repo_file import GetRepoFileArguments
from shared.wire.list_repo_tree import ListRepoTreeArguments
from shared.wire.list_repos import ListReposArguments
from shared.wire.search_repo import SearchRepoArguments

MODELS: list[type[BaseModel]] = [GetRepoFileArguments, ListRepoTreeArguments, ListReposArguments, SearchRepoArguments]


def problems(model: type[BaseModel], arguments: dict[str, Any]) -> list[tuple[str, str]]:
    try:
        model.model_validate(arguments)
    except ValidationError as error:
        return [(".".join(map(str, problem["loc"])), problem["type"]) for problem in error.errors()]
    return []


@pytest.mark.rule("LIN-35", "LIN-37", "GRF-5")
@pytest.mark.parametrize("lines", [["3", "40"], [1.0, 5], [1.5, 5], [True, 5], [1, False], [None, 1], [[1], 2], "3-40", "1",
        3, True, {"start": 1}, '["3", 40]',
                                   "[true, 5]", "[1.5, 2]", "{}", "", "null", "\ud800"])  # fmt: skip
def test_lines_that_are_no_list_of_integers_are_refused_by_the_schema(lines: Any) -> None:
    assert [where.split(".")[0] for where, _ in problems(GetRepoFileArguments, {"repo": "r", "path": "p", "lines": lines})][:1] == ["lines"]


@pytest.mark.rule("LIN-23", "LIN-38")
@pytest.mark.parametrize("lines", [None, [], [3], [1, 2, 3], [0, 2], [-1, 2], [5, 3], [1, 10**18]])
def test_the_shape_of_a_list_of_integers_is_left_to_the_tool(lines: Any) -> None:
    assert GetRepoFileArguments.model_validate({"repo": "r", "path": "p", "lines": lines}).lines == lines


@given(st.lists(st.integers(), max_size=3), st.sampled_from(["", " ", "\n"]))
def test_a_string_that_holds_a_json_list_is_read_as_that_list(lines: list[int], space: str) -> None:
    text = space + json.dumps(lines) + space
    assert GetRepoFileArguments.model_validate({"repo": "r", "path": "p", "lines": text}).lines == lines


@pytest.mark.rule("LIN-38", "GRF-8")
def test_lines_and_ref_that_were_not_sent_are_none() -> None:
    arguments = GetRepoFileArguments.model_validate({"repo": "r", "path": "p"})
    assert (arguments.lines, arguments.ref) == (None, None)


@pytest.mark.rule("PLT-140")
@pytest.mark.parametrize("model", MODELS)
@given(name=st.text(max_size=20), value=st.none() | st.text() | st.integers())
def test_an_argument_that_the_tool_does_not_have_is_refused(model: type[BaseModel], name: str, value: Any) -> None:
    if name not in model.model_fields:
        assert problems(model, {name: value}) == [(name, "extra_forbidden")]


@pytest.mark.rule("SRC-2", "REF-5", "REF-7")
def test_of_the_tools_here_exactly_the_file_and_the_tree_take_a_ref() -> None:
    assert [model.__name__ for model in MODELS if "ref" in model.model_fields] == ["GetRepoFileArguments", "ListRepoTreeArguments"]


@pytest.mark.rule("TREE-3", "GRF-6")
@given(st.integers(), st.integers(), st.integers())
def test_paging_numbers_are_clamped_and_never_refused(page: int, per_page: int, limit: int) -> None:
    tree = ListRepoTreeArguments(repo="r", page=page, per_page=per_page)
    assert tree.page == sorted([1, page, 10**9])[1]
    assert tree.per_page == sorted([1, per_page, 1_000])[1]
    assert ListReposArguments(limit=limit).limit == sorted([1, limit, 200])[1]


@pytest.mark.rule("SRC-4")
@given(st.integers(), st.integers() | st.none())
def test_numbers_of_a_search_are_clamped_and_never_refused(max_results: int, context_lines: int | None) -> None:
    arguments = SearchRepoArguments(max_results=max_results, context_lines=context_lines)
    assert arguments.max_results == sorted([1, max_results, 100])[1]
    assert arguments.context_lines == (None if context_lines is None else sorted([0, context_lines, 10])[1])


@pytest.mark.rule("SRC-6", "SRC-13", "SRC-49")
def test_the_defaults_of_a_search_are_literal_text_in_any_case_without_external_code() -> None:
    assert SearchRepoArguments(repo="r", query="ab").model_dump() == {
        "repo": "r",
        "query": "ab",
        "regex": False,
        "case_sensitive": False,
        "file_pattern": None,
        "max_results": 50,
        "context_lines": None,
        "include_vendored": False,
    }


@pytest.mark.rule("TREE-3")
@pytest.mark.parametrize("huge", [10**30, -(10**30), 10**400])
def test_a_page_number_of_any_length_is_clamped(huge: int) -> None:
    assert ListRepoTreeArguments(repo="r", page=huge, per_page=huge).page == (10**9 if huge > 0 else 1)


def test_the_defaults_of_a_tree_are_the_first_page_of_200_without_stats() -> None:
    assert ListRepoTreeArguments(repo="r").model_dump() == {
        "repo": "r",
        "path": None,
        "ref": None,
        "page": 1,
        "per_page": 200,
        "include_stats": False,
    }


@pytest.mark.parametrize(("sent", "meant"), [(True, True), ("true", True), ("yes", True), ("1", True), (1, True), (False, False),
        ("false", False),
                                             ("no", False), ("0", False), (0, False)])  # fmt: skip
def test_a_flag_is_read_as_the_client_meant_it(sent: Any, meant: bool) -> None:
    assert ListRepoTreeArguments.model_validate({"repo": "r", "include_stats": sent}).include_stats is meant


@pytest.mark.parametrize("sent", ["maybe", 2, None, "", [], 0.5])
def test_what_is_no_flag_in_any_reading_is_refused(sent: Any) -> None:
    assert [where for where, _ in problems(ListRepoTreeArguments, {"repo": "r", "include_stats": sent})] == ["include_stats"]


@pytest.mark.rule("REF-25")
@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_text_passes_the_schema_exactly_as_it_was_sent(text: str) -> None:
    arguments = GetRepoFileArguments.model_validate({"repo": text, "path": text, "ref": text})
    assert (arguments.repo, arguments.path, arguments.ref) == (text, text, text)


@pytest.mark.parametrize("field", ["repo", "path"])
@pytest.mark.parametrize("value", [None, 3, True, [], {}, b"r"])
def test_text_that_is_no_string_is_refused_with_the_parameters_name(field: str, value: Any) -> None:
    assert problems(GetRepoFileArguments, {"repo": "r", "path": "p", field: value}) == [(field, "string_type")]


@pytest.mark.parametrize("model", [*MODELS, Call, Caller])
def test_what_crosses_the_queue_is_frozen_and_rejects_surprises(model: type[BaseModel]) -> None:
    assert model.model_config["frozen"] is True
    assert model.model_config["extra"] == "forbid"


def test_a_call_survives_the_queues_json_unchanged() -> None:
    arguments = GetRepoFileArguments(repo="r", path="\u05e9\ud800", lines=[1, 2]).model_dump()
    call = Call(id="1", caller=Caller(user="u", scopes=frozenset({"read"}), admin=True), entered=0.5, deadline=1.5, arguments=arguments)
    wire = json.loads(json.dumps(call.model_dump(mode="json")))
    assert Call.model_validate(wire) == call


@pytest.mark.parametrize("model", MODELS)
def test_every_parameter_is_described_and_its_schema_can_be_shown(model: type[BaseModel]) -> None:
    schema = model.model_json_schema()
    assert schema["additionalProperties"] is False
    assert [name for name, field in model.model_fields.items() if not field.description] == []
