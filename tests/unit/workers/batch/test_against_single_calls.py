"""Drawn batches against the single tools: the whole answer, byte for byte."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.git_repositories import git_line
from tests.service import Service
from tests.unit.workers.batch.repositories import FILES, PAGES, batch_service, expected
from tests.unit.workers.reading_calls import BUDGET, Sent, ask_batch, ask_single

LONG = "x" * 4_097

PAGE_PATHS = ["page", "page.md", "./page.md", "in/page", *(str(path) for path in PAGES), "no", "", " ", LONG, "../page.md", "a.rst", ".env"]
SECTIONS = ["K11", "Critical patterns", "no such", "How it looks", "Long", "Part", "", LONG]
PATHS = [*(str(path) for path in FILES), "missing.txt", "dir", "../a.txt", "/a.txt", "", LONG, "a\0b", "\ud800"]
LINES = [[1, 1], [1, 2], [2, 10**6], [5, 3], [1], [0, 1], [9_999, 10_000]]


def dictionaries(kind: str, **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[Sent]:
    return st.fixed_dictionaries({"kind": st.just(kind)}, optional=optional)


SECTION_ITEMS = dictionaries(
    "section",
    path=st.sampled_from(PAGE_PATHS),
    section=st.none() | st.sampled_from(SECTIONS),
    repo=st.sampled_from([None, "", "md", "gone", "unread", "code", "nowhere"]),
)
FILE_ITEMS = dictionaries(
    "file",
    repo=st.sampled_from(["code", "md", "code", "md", "gone", "headless", "broken", "nowhere", "", "--help"]),
    path=st.sampled_from([*PATHS, *(str(path) for path in PAGES)]),
    lines=st.none() | st.sampled_from(LINES),
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with pytest.MonkeyPatch.context() as monkeypatch, batch_service(tmp_path_factory.mktemp("batch") / "data", monkeypatch) as running:
        yield running


def commits(service: Service) -> dict[str, str]:
    return {name: git_line(service.mirror(name), "rev-parse", "main") for name in ("md", "code")}


@pytest.mark.rule("BAT-8", "BAT-9", "BAT-10", "BAT-11", "BAT-13", "BAT-21", "BAT-25", "BAT-26", "BAT-28", "BAT-34", "BAT-35", "BAT-36",
                  "BAT-47", "BAT-59", "BAT-63", "BAT-66", "BAT-67", "DOC-137", "GRF-71")  # fmt: skip
@examples(60)
@given(items=st.lists(SECTION_ITEMS | FILE_ITEMS, min_size=1, max_size=20))
def test_a_batch_is_what_the_single_tools_send_put_together(service: Service, items: list[Sent]) -> None:
    sent = ask_batch(items)
    assert sent == expected(items, commits(service))
    assert len(sent) <= BUDGET


@pytest.mark.rule("BAT-13", "BAT-14", "BAT-66")
@pytest.mark.usefixtures("service")
def test_a_section_item_is_a_page_of_12000_characters_or_the_map() -> None:
    first, second = json.loads(ask_batch([{"kind": "section", "path": "long", "section": "Long"}, {"kind": "section", "path": "page"}]))[
        "items"
    ]
    section = first["result"]
    assert (section["truncated"], section["next_offset"], len(section["content"])) == (True, 12_000, 12_000)
    assert second["result"]["mode"] == "toc"


@pytest.mark.rule("BAT-67", "BAT-68", "BAT-70", "BAT-71")
def test_a_file_that_no_batch_can_hold_is_pointed_to_its_tool_and_the_pass_goes_on(service: Service) -> None:
    whole: Sent = {"kind": "file", "repo": "code", "path": "one-long-line.txt"}
    hebrew: Sent = {"kind": "file", "repo": "code", "path": "hebrew.txt", "lines": [1, 5_201]}
    room = 255_906
    items = [hebrew, *[{"kind": "file", "repo": "code", "path": "a.txt"}] * 9]
    answer = json.loads(ask_batch(items))
    large = answer["items"][0]["result"]
    single = ask_single(hebrew)
    assert len(single) <= BUDGET  # alone it may fill the answer
    assert (large["error"], large["max"], large["read_with"]) == ("item_too_large", room, "codekeeper_get_repo_file")
    assert large["bytes"] > room
    assert answer["items"][0]["resolved_commit"] == commits(service)["code"]
    assert (answer["count"], "unread" in answer) == (10, False)
    assert json.loads(ask_batch([whole]))["items"][0]["result"]["error"] == "answer_too_large"  # the single tool's own refusal
    narrowed = json.loads(ask_batch([hebrew | {"lines": [1, 20]}]))["items"][0]["result"]
    assert (narrowed["status"], narrowed["range"]["end"]) == ("ok", 20)


@pytest.mark.rule("BAT-29", "BAT-30", "BAT-31", "BAT-50", "BAT-51")
@pytest.mark.usefixtures("service")
def test_what_does_not_fit_is_unread_from_there_on_and_comes_when_it_is_sent_again() -> None:
    nearly, small = ({"kind": "file", "repo": "code", "path": path} for path in ("nearly.txt", "a.txt"))
    items = [nearly, nearly, nearly, small, nearly, small]
    answer = json.loads(ask_batch(items))
    assert (answer["count"], answer["unread"], answer["unread_reason"]) == (2, [2, 3, 4, 5], "byte_budget")
    again = json.loads(ask_batch([items[index] for index in answer["unread"]]))
    assert (again["count"], "unread" in again, "unread_reason" in again) == (4, False, False)


@pytest.mark.rule("BAT-11", "BAT-12", "BAT-16", "BAT-18", "BAT-20")
@pytest.mark.usefixtures("service")
def test_a_malformed_item_costs_no_other_its_answer() -> None:
    good = {"kind": "file", "repo": "code", "path": "a.txt"}
    answer = json.loads(ask_batch([good | {"lines": [True, 5]}, good | {"ref": "main"}, "SECRET", good]))
    assert answer["ok"] is True
    assert [item.get("result").get("error") for item in answer["items"]] == ["invalid_item"] * 3 + [None]
    assert [list(item) for item in answer["items"][:3]] == [["index", "result"]] * 3
    assert "SECRET" not in str(answer)


@pytest.mark.rule("BAT-40", "REF-8", "BAT-91")
@pytest.mark.usefixtures("service")
def test_a_missing_default_branch_is_an_ordinary_answer() -> None:
    answer = json.loads(ask_batch([{"kind": "file", "repo": "headless", "path": "a.txt"}]))
    (item,) = answer["items"]
    assert (item["result"]["error"], item["result"]["ref"], item["result"]["path"]) == ("ref_not_mirrored", "refs/heads/main", "a.txt")
    assert "resolved_commit" not in item
