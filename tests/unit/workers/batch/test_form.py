"""The form of a batch's answer: the envelope and its reserve, an item's record, and what a malformed item is told."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.errors import ErrorCode, Refused
from tests.unit.workers.reading_calls import BUDGET, ROOMS, as_sent
from workers.batch.envelope import assembled, room_for_items
from workers.batch.in_order import Stopped
from workers.batch.items import prepared
from workers.batch.record import record


@pytest.mark.rule("BAT-65", "BAT-68", "BAT-69")
def test_the_room_of_an_item_is_the_contracts() -> None:
    assert {items: room_for_items(items) for items in ROOMS} == ROOMS
    worst = {"ok": True, "count": 20, "items": [], "unread": list(range(20)), "unread_reason": "byte_budget"}
    assert room_for_items(20) == BUDGET - len(as_sent(worst))


@pytest.mark.rule("BAT-23", "BAT-24", "BAT-27", "BAT-29", "BAT-30")
@given(st.integers(1, 20), st.data())
def test_an_answer_is_the_items_as_they_are_in_an_envelope(requested: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, requested))
    stopped = None if count == requested else data.draw(st.sampled_from(Stopped))
    texts = [data.draw(st.text(max_size=20)) for _ in range(count)]
    records: list[dict[str, Any]] = [
        {"index": index, "result": {"items": [text], '"items":[': '"items":['}} for index, text in enumerate(texts)
    ]
    expected: dict[str, Any] = {"ok": True, "count": count, "items": records}
    if stopped is not None:
        expected |= {"unread": list(range(count, requested)), "unread_reason": stopped.value}
    assert assembled([as_sent(item) for item in records], requested, stopped) == as_sent(expected)


@pytest.mark.rule("BAT-65", "BAT-66")
@pytest.mark.parametrize("requested", ROOMS)
@pytest.mark.parametrize("stopped", [None, *Stopped])
def test_items_that_fill_their_room_are_never_pushed_out_by_the_envelope(requested: int, stopped: Stopped | None) -> None:
    room = ROOMS[requested]
    count = requested if stopped is None else max(requested - 1, 1)
    sizes = [(room + 1) // count - 1] * count
    sizes[-1] += (room + 1) % count
    sent = assembled([as_sent({"": "x" * (size - 7)}) for size in sizes], requested, stopped)
    assert len(sent) <= BUDGET
    json.loads(sent)


@pytest.mark.rule("BAT-25", "BAT-63")
@given(path=st.text(), content=st.text(), reached=st.booleans())
@example(path="\u05e9\ud800", content="null}", reached=True)
def test_a_record_is_its_head_and_the_result_as_it_is(path: str, content: str, *, reached: bool) -> None:
    head: dict[str, Any] = {"index": 3, "request": {"kind": "file", "path": path}} | ({"resolved_commit": "1" * 40} if reached else {})
    result = json.dumps({"ok": True, "content": content}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    written = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    assert record(head, result, 255_925, "tool") == written[:-1] + b',"result":' + result + b"}"


@pytest.mark.rule("BAT-67", "BAT-68", "BAT-71")
def test_a_record_that_no_answer_can_hold_is_too_large_by_its_own_size() -> None:
    head = {"index": 0, "request": {"kind": "file", "repo": "r", "path": "p"}, "resolved_commit": "1" * 40}
    around = len(as_sent({**head, "result": {"content": ""}}))
    fits = as_sent({"content": "x" * (255_925 - around)})
    assert len(record(head, fits, 255_925, "t")) == 255_925
    over = as_sent({"content": "x" * (255_926 - around)})
    refusal = {"ok": False, "error": "item_too_large", "bytes": 255_926, "max": 255_925, "read_with": "t"}
    assert record(head, over, 255_925, "t") == as_sent({**head, "result": refusal})


def test_a_request_that_no_answer_can_hold_is_left_out_so_that_its_item_is_answered() -> None:
    head = {"index": 7, "request": {"kind": "file", "repo": "r", "path": "p" * 300_000}}
    size = len(as_sent({**head, "result": {"ok": False, "error": "path_too_long"}}))
    refusal = {"ok": False, "error": "item_too_large", "bytes": size, "max": 255_876, "read_with": "t"}
    sent = record(head, as_sent({"ok": False, "error": "path_too_long"}), 255_876, "t")
    assert sent == as_sent({"index": 7, "result": refusal})


def refusal_of(sent: Any) -> Any:
    found = prepared(sent, dict)
    return found.answer() if isinstance(found, Refused) else None


@pytest.mark.rule("BAT-12", "BAT-15", "BAT-16", "BAT-18", "REF-7", "PLT-140")
@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ({"kind": "file", "repo": "r", "path": "p", "lines": [True, 5]}, ["lines.0"]),
        ({"kind": "file", "repo": "r", "path": "p", "lines": [1.0, 5]}, ["lines.0"]),
        ({"kind": "file", "repo": "r", "path": "p", "lines": ["1", 5]}, ["lines.0"]),
        ({"kind": "file", "repo": "r", "path": "p", "lines": 5}, ["lines"]),
        *(({"kind": "file", "repo": "r", "path": "p", name: "x"}, [name]) for name in ("ref", "outline", "symbol", "page", "per_page")),
        ({"kind": "file", "repo": "r", "path": "p", "section": "x"}, ["section"]),
        *(({"kind": "section", "path": "p", name: 1}, [name]) for name in ("ref", "offset", "max_chars", "max_depth", "lines")),
        ({"kind": "section", "path": "p", "whole_document": True, "include_subsections": False}, ["whole_document", "include_subsections"]),
        ({"kind": "section", "path": 5, "section": ["x"]}, ["path", "section"]),
        ({"kind": "file", "path": None, "repo": {}}, ["path", "repo"]),
        ({"kind": "outline", "path": "p"}, ["kind"]),
        ({"kind": ["file"], "path": "p"}, ["kind"]),
        ({"path": "p"}, ["kind"]),
        *((value, [""]) for value in ("file", None, 5, ["kind"], True)),
    ],
)
def test_an_item_that_is_none_says_where(sent: Any, where: list[str]) -> None:
    answer = refusal_of(sent)
    assert (list(answer), answer["ok"], answer["error"]) == (["ok", "error", "problems"], False, "invalid_item")
    assert [list(problem) for problem in answer["problems"]] == [["where", "what"]] * len(where)
    assert sorted(problem["where"] for problem in answer["problems"]) == sorted(where)
    assert all(problem["what"] for problem in answer["problems"])


@pytest.mark.rule("BAT-16")
def test_the_problems_of_the_contracts_example_have_its_words() -> None:
    answer = refusal_of({"kind": "file", "repo": "r", "path": "p", "lines": [True, 5], "ref": "main"})
    assert answer["problems"] == [{"where": "lines.0", "what": "must be an integer"}, {"where": "ref", "what": "unknown key"}]


@pytest.mark.rule("BAT-17")
@given(
    st.sampled_from(["kind", "repo", "path", "section", "lines"]),
    st.recursive(st.just("SECRET"), lambda inner: st.lists(inner, min_size=1) | st.dictionaries(st.just("SECRET"), inner, min_size=1)),
)
def test_problems_echo_no_value(name: str, value: Any) -> None:
    for kind in ("file", "section"):
        answer = refusal_of({"kind": kind, "path": "p", "repo": "r"} | {name: value})
        if answer is not None and answer["error"] == ErrorCode.INVALID_ITEM:
            assert "SECRET" not in json.dumps(answer)


def test_however_many_and_long_the_names_that_an_item_has_are_its_problems_are_bounded() -> None:
    answer = refusal_of({"kind": "file", **{f"{number:04}{'x' * 5_000}": 1 for number in range(500)}})
    assert len(answer["problems"]) == 20
    assert max(len(problem["where"]) for problem in answer["problems"]) == 100
