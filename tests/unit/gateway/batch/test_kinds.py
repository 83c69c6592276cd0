"""Which tool an item calls, with which arguments, and what is said of an item that is none."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.batch.kinds import KINDS, call_of
from shared import tasks
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_ECHOED_NAME_CHARS, MAX_ECHOED_NAMES
from shared.tasks import as_job_item
from shared.wire.docs_get_section import DocsGetSectionArguments
from shared.wire.get_repo_file import GetRepoFileArguments


def problems_of(item: object) -> list[dict[str, str]]:
    with pytest.raises(Refused) as refused:
        call_of(item)
    assert refused.value.code is ErrorCode.INVALID_ITEM
    assert set(refused.value.fields) == {"problems"}
    problems = refused.value.fields["problems"]
    assert isinstance(problems, list)
    assert all(set(problem) == {"where", "what"} for problem in problems)
    return problems


@pytest.mark.parametrize(
    ("item", "task", "arguments"),
    [
        (
            {"kind": "section", "path": "guide", "section": "Setup", "repo": "docs", "max_chars": 900},
            tasks.DOCS_GET_SECTION,
            DocsGetSectionArguments(path="guide", section="Setup", repo="docs", max_chars=900),
        ),
        (
            {"kind": "file", "repo": "r", "path": "a.py", "ref": "v1", "lines": [1, 5]},
            tasks.GET_REPO_FILE,
            GetRepoFileArguments(repo="r", path="a.py", ref="v1", lines=[1, 5]),
        ),
        (
            {"kind": "outline", "repo": "r", "path": "a.py", "symbol": "main"},
            tasks.GET_REPO_FILE,
            GetRepoFileArguments(repo="r", path="a.py", outline=True, symbol="main"),
        ),
        ({"kind": "file"}, tasks.GET_REPO_FILE, GetRepoFileArguments()),
    ],
)
def test_an_item_is_the_single_tools_call(item: dict[str, Any], task: tasks.TaskKind, arguments: Any) -> None:
    assert call_of(item) == (task, arguments.model_dump())


@pytest.mark.parametrize(
    ("item", "where"),
    [
        ({}, ["kind"]),
        ({"kind": "tree", "repo": "r"}, ["kind"]),
        ({"kind": ["file"]}, ["kind"]),
        ([], [""]),
        ("file", [""]),
        (None, [""]),
        ({"kind": "file", "outline": True}, ["outline"]),
        ({"kind": "file", "symbol": "x"}, ["symbol"]),
        ({"kind": "outline", "outline": True}, ["outline"]),
        ({"kind": "outline", "lines": [1, 2]}, ["lines"]),
        ({"kind": "section", "lines": [1, 2]}, ["lines"]),
        ({"kind": "section", "path": 5}, ["path"]),
        ({"kind": "file", "lines": [True, 5]}, ["lines.0"]),
        ({"kind": "file", "lines": [1, 2.5], "path": None}, ["path", "lines.1"]),
        ({"kind": "file", "outline": True, "colour": "red"}, ["outline", "colour"]),
    ],
)
def test_what_is_no_item_says_where_and_what(item: object, where: list[str]) -> None:
    assert [problem["where"] for problem in problems_of(item)] == where


def test_names_that_a_caller_chose_are_bounded_in_number_and_length() -> None:
    problems = problems_of({"kind": "file", **{f"{number}{'x' * 500}": 1 for number in range(500)}})
    assert len(problems) == MAX_ECHOED_NAMES
    assert all(len(problem["where"]) <= MAX_ECHOED_NAME_CHARS for problem in problems)


SECRET = "s3cr3t-value"
VALUES = st.recursive(st.just(SECRET) | st.booleans() | st.floats(allow_nan=False) | st.none(), st.lists)
KEYS = st.sampled_from(sorted(DocsGetSectionArguments.model_fields.keys() | GetRepoFileArguments.model_fields.keys()))


@given(kind=st.sampled_from([*KINDS, SECRET, None]), sent=st.dictionaries(KEYS, VALUES, max_size=5))
def test_an_item_is_a_call_or_its_problems_never_repeat_a_value(kind: str | None, sent: dict[str, Any]) -> None:
    with contextlib.suppress(Refused):
        call_of({"kind": kind, **sent})
        return
    assert SECRET not in str(problems_of({"kind": kind, **sent}))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_an_item_waits_for_one_other_and_its_answer_outlives_that(kind: Any) -> None:
    item = as_job_item(kind.task)
    assert (item.name, item.queue, item.soft_s, item.hard_s) == (kind.task.name, tasks.BATCH, kind.task.soft_s, kind.task.hard_s)
    assert item.deadline_s is not None
    assert 2 * item.hard_s < item.deadline_s < 60
