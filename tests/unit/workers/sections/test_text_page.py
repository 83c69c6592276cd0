"""Pages of any text: joined they are the text, each as long as it may be, at any budget."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.unit.workers.sections.oracle import longest_page
from tests.unit.workers.sections.pages import BUDGET, as_sent, ceilings
from workers.sections.text_page import PageTooLarge, text_page

TEXT = st.text(st.sampled_from('ab\n"\\\x01שא字👨\u0301\r\x7f\u2028'), max_size=200) | st.text(max_size=60)


@pytest.mark.rule("DOC-88", "DOC-89", "DOC-92", "DOC-93", "DOC-94", "DOC-96", "DOC-97")
@examples(200)
@given(TEXT, st.integers(0, 220), st.integers(1, 250), st.integers(20, 400), st.text(max_size=20))
def test_a_page_is_the_longest_that_fits(text: str, offset: int, max_chars: int, budget: int, around: str) -> None:
    with ceilings(OUTPUT_BYTE_BUDGET=budget):
        try:
            page: Any = text_page({"a": around}, text, offset, max_chars, {"z": [around]})
        except PageTooLarge as refused:
            page = as_sent({"bytes": refused.bytes})
    bounds = (offset, max_chars, budget)
    right = longest_page(text, bounds, lambda page: {"a": around, **page, "z": [around]}, lambda size: {"bytes": size})
    assert page == as_sent(right)
    assert right.get("bytes", budget + 1) > budget


@pytest.mark.rule("DOC-90")
@given(TEXT, st.integers(1, 30), st.integers(140, 300))
def test_pages_joined_are_the_text(text: str, max_chars: int, budget: int) -> None:
    joined, offset = "", 0
    with ceilings(OUTPUT_BYTE_BUDGET=budget):
        while True:
            page = json.loads(text_page({}, text, offset, max_chars, {}))
            joined += page["content"]
            if not page["truncated"]:
                break
            assert page["remaining_chars"] == len(text) - page["next_offset"]
            offset = page["next_offset"]
    assert joined == text


@pytest.mark.rule("DOC-91", "DOC-92", "DOC-95")
@pytest.mark.parametrize(("character", "bytes_each"), [("字", 3), ("ש", 2), ("👨", 4), ("\x01", 6), ("a", 1)])
def test_the_budget_counts_bytes_as_sent(character: str, bytes_each: int) -> None:
    text = character * 143_004
    sent = text_page({"head": 1}, text, 0, 100_000, {"tail": None})
    page = json.loads(sent)
    assert BUDGET - bytes_each < len(sent) <= BUDGET or len(page["content"]) == 100_000
    assert ("truncation_reason" in page) == (len(page["content"]) < 100_000)
    assert page["next_offset"] + page["remaining_chars"] == len(text)


@pytest.mark.rule("DOC-88")
@pytest.mark.parametrize("offset", [4, 5, 10**9])
def test_an_offset_at_or_beyond_the_end_is_an_empty_last_page(offset: int) -> None:
    assert json.loads(text_page({}, "text", offset, 500, {})) == {"content": "", "truncated": False}


@pytest.mark.rule("DOC-96")
def test_no_page_is_ever_empty_while_text_remains() -> None:
    for budget in range(20, 140):
        with ceilings(OUTPUT_BYTE_BUDGET=budget):
            try:
                page = json.loads(text_page({}, "字" * 50, 0, 500, {}))
            except PageTooLarge:
                continue
            assert page["content"]
