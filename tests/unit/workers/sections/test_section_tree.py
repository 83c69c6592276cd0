"""Ranges, sizes and titles of sections as the contract counts them, and what the largest pages cost."""

import time
import tracemalloc
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.unit.workers.sections.oracle import capped
from tests.unit.workers.sections.pages import PAGE, ask, atx, document
from workers.parsing.headings import MAX_SECTIONS, Heading
from workers.sections.section_tree import capped_title, make_document

CAP = 4_096


@pytest.mark.rule("DOC-20", "DOC-21", "DOC-22", "DOC-23")
def test_sections_of_the_contracts_page() -> None:
    page = document(PAGE)
    found = [(section.lines, section.size, section.level) for section in map(page.section, range(7))]
    assert found == [((1, 28), 370, 1), ((5, 12), 109, 2), ((9, 12), 48, 3), ((13, 24), 148, 2), ((17, 20), 52, 3), ((21, 24), 19, 3),
                     ((25, 28), 66, 2)]  # fmt: skip
    assert page.section(5).breadcrumb == ["Critical patterns", "K11. Swallowed exception", "See also"]


@pytest.mark.rule("DOC-22", "DOC-48")
@pytest.mark.parametrize(("end", "lines", "size"), [("", (2, 3), 5), ("\n", (2, 4), 6), ("\n\n", (2, 5), 7)])
def test_the_last_section_holds_the_last_line_be_it_empty(end: str, lines: tuple[int, int], size: int) -> None:
    section = document(f"x\n# a\nb{end}").section(0)
    assert (section.lines, section.size) == (lines, size)


@pytest.mark.rule("DOC-48")
def test_carriage_returns_are_the_sections_own() -> None:
    page = "\r\n# a\r\nb\r\n# c\r\nd"
    headings = [Heading("a", 1, 2), Heading("c", 1, 4)]
    answers = [ask(make_document(page, headings), section=title) for title in "ac"]
    assert [answer["content"] for answer in answers] == ["# a\r\nb\r", "# c\r\nd"]


@pytest.mark.rule("DOC-34")
def test_depth_is_the_breadcrumbs_and_not_the_level() -> None:
    page = document("### x\n# top\n### a\n#### aa\n## b\n### ba\n# end")
    assert list(page.depths) == [1, 1, 2, 3, 2, 3, 1]
    assert [page.section(index).parent for index in range(7)] == [None, None, 1, 2, 1, 4, None]
    assert page.children(1) == [2, 4]
    assert page.children(None) == [0, 1, 6]
    assert page.children(6) == []


PIECES = ["a", "b\u0301", "ש\u05b8\u05c1", "👨\u200d👩\u200d👧", "❤\ufe0f", "\u0301\u0301", "🇮🇱", "🇮", "क्ष", "\u1100\u1161"]


@pytest.mark.rule("DOC-105")
@pytest.mark.parametrize("cluster", ["b\u0301", "ש\u05b8\u05c1", "👨\u200d👩\u200d👧", "❤\ufe0f", "🇮🇱"])
def test_a_long_title_ends_before_the_cluster_that_the_cap_would_break(cluster: str) -> None:
    for within in range(len(cluster)):
        title = "x" * (CAP - within) + cluster + "y"
        assert capped_title(title) == "x" * (CAP - within)
    whole = "x" * (CAP - len(cluster)) + cluster
    assert capped_title(whole) == whole
    assert capped_title(whole + "y") == whole


@pytest.mark.rule("DOC-105")
@examples(30)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=40), st.lists(st.sampled_from(PIECES), max_size=10), st.integers(0, 30))
def test_a_cut_title_is_the_longest_of_whole_clusters(head: list[str], tail: list[str], shift: int) -> None:
    filler = "".join(head) * 500
    title = filler[: CAP - shift] + "".join(tail) * 9
    assert capped_title(title) == capped(title, CAP)
    if len(title) > CAP:
        assert "".join(regex.findall(r"\X", title)).startswith(capped_title(title))


@pytest.mark.rule("DOC-105")
def test_a_title_of_one_cluster_beyond_the_cap_is_cut_inside_it() -> None:
    assert capped_title("a" + "\u0301" * 5_000) == "a" + "\u0301" * (CAP - 1)
    assert capped_title("ab" + "\u0301" * 5_000) == "a"
    assert capped_title("x" * CAP) == "x" * CAP


@pytest.mark.rule("DOC-30", "DOC-87", "DOC-105", "DOC-106")
def test_a_title_is_cut_at_its_source_and_marked_wherever_it_stands() -> None:
    long, other = "L" * CAP + "\u0301tail", "L" * 5_000
    page = document(f"# {long}\n## one\n## {other}\n## two\n# {long}x\n## three")
    cut, cut_other = "L" * (CAP - 1), "L" * CAP
    entries = ask(page)["toc"]
    assert [(entry["title"], entry.get("title_truncated")) for entry in entries] == [
        (cut, True), ("one", None), (cut_other, True), ("two", None), (cut, True), ("three", None)
    ]  # fmt: skip
    assert [entry["breadcrumb"] for entry in entries] == [[cut], [cut, "one"], [cut, cut_other], [cut, "two"], [cut], [cut, "three"]]
    answer = ask(page, section="one")
    assert (answer["breadcrumb"], answer["neighbors"]["next"]) == (
        [cut, "one"], {"title": cut_other, "title_truncated": True, "level": 2, "line_range": [3, 3]}
    )  # fmt: skip
    answer = ask(page, section=cut_other)
    assert (answer["section"], answer["title_truncated"]) == (cut_other, True)
    answer = ask(page, section=cut)
    assert answer["error"] == "ambiguous_section"
    assert [(candidate["title"], candidate["title_truncated"], candidate["line_range"]) for candidate in answer["candidates"]] == [
        (cut, True, [1, 4]), (cut, True, [5, 6])
    ]  # fmt: skip
    answer = ask(document(f"# top\n## {other}"), section="top")
    assert answer["subsections"] == [{"title": cut_other, "title_truncated": True, "level": 2, "line_range": [2, 2]}]


@pytest.mark.rule("DOC-107")
def test_a_title_at_the_cap_is_whole_and_not_marked() -> None:
    (entry,) = ask(document("# " + "x" * CAP))["toc"]
    assert (entry["title"], "title_truncated" in entry) == ("x" * CAP, False)


@pytest.mark.parametrize("levels", [1, 64])
def test_the_richest_page_costs_no_more_than_its_size(levels: int) -> None:
    text = "".join(f"# {number:x}\n\n" for number in range(MAX_SECTIONS))
    headings = [Heading(f"{number:x}", number % levels + 1, 2 * number + 1) for number in range(MAX_SECTIONS)]
    assert len(text) < 512_000
    asked: list[dict[str, Any]] = [{}, {"section": "c35"}, {"section": "zzzzzzzzz"}]
    began = time.process_time()
    for request in asked:
        ask(make_document(text, headings), **request)
    assert time.process_time() - began < 5
    tracemalloc.start()
    try:
        ask(make_document(text, headings), **asked[-1])
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_a_page_of_line_ends_alone_is_walked_once() -> None:
    page = make_document("\n" * 512_000, [Heading("a", 1, 1), Heading("b", 1, 511_999)])
    began = time.process_time()
    assert page.section(1).span == (511_998, 512_000)
    assert time.process_time() - began < 1


def test_the_stand_in_reads_the_headings_of_the_page() -> None:
    assert [(heading.level, heading.line) for heading in atx(PAGE)] == [(1, 1), (2, 5), (3, 9), (2, 13), (3, 17), (3, 21), (2, 25)]
