"""The shapes of DOC section 19, byte for byte, and the rules that are about which answer carries what."""

import json
from typing import Any

import pytest

from tests.unit.workers.sections.pages import BUDGET, CONTEXT, PAGE, as_sent, ask, document, sent
from workers.parsing.headings import Heading
from workers.sections.section_tree import make_document

HEAD = {"ok": True, **CONTEXT, "includes": []}
ROOT, K10, K11, K12 = "Critical patterns", "K10. Silent fallback", "K11. Swallowed exception", "K12. Cap without refusal"
TOC: list[dict[str, Any]] = [
    {"title": ROOT, "level": 1, "breadcrumb": [ROOT], "line_range": [1, 28], "approx_bytes": 370},
    {"title": K10, "level": 2, "breadcrumb": [ROOT, K10], "line_range": [5, 12], "approx_bytes": 109},
    {"title": "How it looks", "level": 3, "breadcrumb": [ROOT, K10, "How it looks"], "line_range": [9, 12], "approx_bytes": 48},
    {"title": K11, "level": 2, "breadcrumb": [ROOT, K11], "line_range": [13, 24], "approx_bytes": 148},
    {"title": "How it looks", "level": 3, "breadcrumb": [ROOT, K11, "How it looks"], "line_range": [17, 20], "approx_bytes": 52},
    {"title": "See also", "level": 3, "breadcrumb": [ROOT, K11, "See also"], "line_range": [21, 24], "approx_bytes": 19},
    {"title": K12, "level": 2, "breadcrumb": [ROOT, K12], "line_range": [25, 28], "approx_bytes": 66},
]
SUBSECTIONS = [{"title": "How it looks", "level": 3, "line_range": [17, 20]}, {"title": "See also", "level": 3, "line_range": [21, 24]}]
NEIGHBORS = {"prev": {"title": K10, "level": 2, "line_range": [5, 12]}, "next": {"title": K12, "level": 2, "line_range": [25, 28]}}
K11_TEXT = (
    "## K11. Swallowed exception\n\nThe caller never learns that the call failed.\n\n### How it looks\n\n"
    "A bare `except` with no re-raise.\n\n### See also\n\nK10.\n"
)


def limited(*hidden: tuple[int, int]) -> list[dict[str, Any]]:
    return [TOC[index] | ({"hidden_subsections": count} if count else {}) for index, count in hidden]


@pytest.mark.rule("DOC-14", "DOC-19", "DOC-20", "DOC-23", "DOC-24", "DOC-27", "DOC-43")
def test_the_map() -> None:
    assert sent(PAGE) == as_sent({**HEAD, "mode": "toc", "toc": TOC, "toc_truncated": False, "section_count": 7})


@pytest.mark.rule("DOC-33", "DOC-37", "DOC-38", "DOC-39", "DOC-40", "DOC-41", "DOC-45")
@pytest.mark.parametrize(
    ("max_depth", "toc"), [(2, limited((0, 0), (1, 1), (3, 2), (6, 0))), (1, limited((0, 6))), (3, TOC), (64, TOC)]
)  # fmt: skip
def test_the_map_with_a_depth_limit(max_depth: int, toc: list[dict[str, Any]]) -> None:
    right = {**HEAD, "mode": "toc", "toc": toc, "toc_truncated": False, "section_count": 7, "max_depth": max_depth}
    assert sent(PAGE, max_depth=max_depth) == as_sent(right)


@pytest.mark.rule("DOC-21", "DOC-103", "DOC-131")
def test_the_map_of_an_rst_page_names_what_it_includes() -> None:
    text = (
        "Server guide\n============\n\n.. include:: shared/notice.rst\n\nHow the server reads pages.\n\n"
        "Reading\n-------\n\nA page is read from the mirror.\n\nWriting\n-------\n\nNothing is written.\n"
    )
    page = make_document(text, [Heading("Server guide", 1, 1), Heading("Reading", 2, 8), Heading("Writing", 2, 13)])
    top = "Server guide"
    toc = [
        {"title": top, "level": 1, "breadcrumb": [top], "line_range": [1, 17], "approx_bytes": 175},
        {"title": "Reading", "level": 2, "breadcrumb": [top, "Reading"], "line_range": [8, 12], "approx_bytes": 49},
        {"title": "Writing", "level": 2, "breadcrumb": [top, "Writing"], "line_range": [13, 17], "approx_bytes": 37},
    ]
    right = {**HEAD, "includes": ["shared/notice.rst"], "mode": "toc", "toc": toc, "toc_truncated": False, "section_count": 3}
    assert sent(page, includes=("shared/notice.rst",)) == as_sent(right)


@pytest.mark.rule("DOC-15", "DOC-46", "DOC-47", "DOC-50", "DOC-51", "DOC-52", "DOC-54", "DOC-55", "DOC-56", "DOC-61", "DOC-65")
@pytest.mark.parametrize("query", ["K11", "k11.", "k11.  swallowed   exception", K11])
@pytest.mark.parametrize("include", [True, False])
def test_a_section(query: str, *, include: bool) -> None:
    right = {
        **HEAD, "mode": "section", "section": K11, "breadcrumb": [ROOT, K11], "level": 2, "line_range": [13, 24],
        "include_subsections": include, "offset": 0,
        "content": K11_TEXT if include else "## K11. Swallowed exception\n\nThe caller never learns that the call failed.\n",
        "truncated": False, "subsections": SUBSECTIONS, "neighbors": NEIGHBORS,
    }  # fmt: skip
    assert sent(PAGE, section=query, include_subsections=include) == as_sent(right)
    assert sent(PAGE, section=query, include_subsections=include, max_depth=1) == as_sent(right)


@pytest.mark.rule("DOC-50")
def test_a_section_without_subsections_is_the_same_either_way() -> None:
    both = [ask(PAGE, section="K12", include_subsections=include) for include in (True, False)]
    assert both[0]["content"] == both[1]["content"] == "## K12. Cap without refusal\n\nThe list is cut and nothing says so.\n"


@pytest.mark.rule("DOC-55")
def test_top_headings_are_neighbors_of_top_headings() -> None:
    page = "### a\n# b\n## c\n# d"
    near = [ask(page, section=title)["neighbors"] for title in "abcd"]
    titles = [tuple(side and side["title"] for side in (each["prev"], each["next"])) for each in near]
    assert titles == [(None, "b"), ("a", "d"), (None, None), ("b", None)]


@pytest.mark.rule("DOC-88", "DOC-89", "DOC-93", "DOC-95")
def test_a_page_of_a_section_that_ended_at_max_chars() -> None:
    text = "# Main table\n" + "x" * 31_191
    answer = ask(text, section="Main table")
    assert list(answer)[-6:] == ["content", "truncated", "next_offset", "remaining_chars", "subsections", "neighbors"]
    assert (len(answer["content"]), answer["truncated"], answer["next_offset"], answer["remaining_chars"]) == (12_000, True, 12_000, 19_204)
    rest = ask(text, section="Main table", offset=12_000, max_chars=100_000)
    assert rest["content"] == "x" * 19_204
    assert "next_offset" not in rest
    assert "remaining_chars" not in rest


@pytest.mark.rule("DOC-91", "DOC-92", "DOC-94")
def test_a_page_of_a_section_that_ended_at_the_byte_budget() -> None:
    text = "手引\n====\n" + "字" * 142_996
    page = make_document(text, [Heading("手引", 1, 1)])
    context = {**CONTEXT, "repo": "CodeBot", "path": "docs/guide-cjk.rst"}
    answer = ask(page, context, section="手引", max_chars=100_000)
    assert list(answer)[-7:] == [
        "content", "truncated", "next_offset", "remaining_chars", "truncation_reason", "subsections", "neighbors"
    ]  # fmt: skip
    assert answer["truncated"] is True
    assert answer["truncation_reason"] == "byte_budget"
    assert answer["next_offset"] == len(answer["content"])
    assert answer["next_offset"] + answer["remaining_chars"] == len(text)
    size = len(sent(page, context, section="手引", max_chars=100_000))
    assert BUDGET - 3 < size <= BUDGET


@pytest.mark.rule("DOC-53", "DOC-105", "DOC-106")
def test_a_cut_title_and_cut_subsections() -> None:
    text = f"# {'a' * 5_000}\n" + "".join(f"## Case {number}\n" for number in range(1, 7_001))
    page = document(text)
    answer = ask(page, section="a" * 4_096)
    assert list(answer) == [
        "ok", *CONTEXT, "includes", "mode", "section", "title_truncated", "breadcrumb", "level", "line_range", "include_subsections",
        "offset", "content", "truncated", "next_offset", "remaining_chars", "subsections", "subsections_truncated", "neighbors",
    ]  # fmt: skip
    assert (answer["section"], answer["title_truncated"], answer["breadcrumb"]) == ("a" * 4_096, True, ["a" * 4_096])
    assert answer["subsections"] == [{"title": f"Case {n}", "level": 2, "line_range": [n + 1, n + 1]} for n in range(1, 400)] + [
        {"title": "Case 400", "level": 2, "line_range": [401, 401]}
    ]
    assert answer["subsections_truncated"] is True


@pytest.mark.rule("DOC-72", "DOC-74", "DOC-77")
def test_no_such_section() -> None:
    right = {"ok": False, "error": "section_not_found", **CONTEXT, "includes": [], "requested": "K14"}
    assert sent(PAGE, section="K14") == as_sent({**right, "suggestions": ["K10", "K11", "K12"], "toc": TOC, "toc_truncated": False})


@pytest.mark.rule("DOC-41", "DOC-44", "DOC-72", "DOC-73", "DOC-78")
def test_no_such_section_and_a_heading_is_close() -> None:
    right = {
        "ok": False, "error": "section_not_found", **CONTEXT, "includes": [], "requested": "See alse", "suggestions": ["See also"],
        "toc": limited((0, 6)), "toc_truncated": False, "max_depth": 1,
    }  # fmt: skip
    assert sent(PAGE, section="See alse", max_depth=1) == as_sent(right)


@pytest.mark.rule("DOC-72")
def test_the_query_comes_back_as_it_was_sent() -> None:
    query = " \tNo  SUCH\u2010thing\ud800 "
    assert ask(PAGE, section=query)["requested"] == query


@pytest.mark.rule("DOC-79", "DOC-80", "DOC-81", "DOC-85")
def test_a_repeated_heading() -> None:
    candidates = [{key: TOC[index][key] for key in ("title", "breadcrumb", "level", "line_range")} for index in (2, 4)]
    right = {"ok": False, "error": "ambiguous_section", **CONTEXT, "includes": [], "requested": "How it looks", "candidates": candidates}
    assert sent(PAGE, section="How it looks") == as_sent(right)
    assert sent(PAGE, section="How it looks", max_depth=1) == as_sent(right)


@pytest.mark.rule("DOC-70", "DOC-82", "DOC-84")
def test_a_repeated_identifier_with_more_than_50_headings() -> None:
    page = "# Generated\n" + "".join(f"## K11. {number}\n" for number in range(60))
    answer = ask(page, section="K11")
    assert list(answer) == ["ok", "error", *CONTEXT, "includes", "requested", "candidates", "candidates_truncated"]
    assert [candidate["title"] for candidate in answer["candidates"]] == [f"K11. {number}" for number in range(50)]
    assert answer["candidates_truncated"] is True
    assert ask(page, section="K11. 59")["line_range"] == [61, 62]


@pytest.mark.rule("DOC-85")
def test_a_heading_whose_whole_name_repeats_is_never_answered_by_it() -> None:
    page = "# K11. x\n# K11. y\n# k11.  X"
    assert [ask(page, section=query)["error"] for query in ("K11", "K11. x", "K11. X")] == ["ambiguous_section"] * 3
    assert ask(page, section="K11. y")["line_range"] == [2, 2]


@pytest.mark.rule("DOC-58", "DOC-59")
@pytest.mark.parametrize("query", ["x" * 4_097, " " * 4_097, "k" * 5_000])
def test_a_query_that_is_too_long_is_not_echoed(query: str) -> None:
    right = {"ok": False, "error": "section_too_long", **CONTEXT, "max_chars": 4_096, "actual_chars": len(query)}
    assert sent(PAGE, section=query) == as_sent(right)


@pytest.mark.rule("DOC-17", "DOC-58", "DOC-59")
@pytest.mark.parametrize("query", ["", " ", "\t\n\u00a0", " " * 4_096])
def test_a_blank_query_up_to_the_cap_is_the_map(query: str) -> None:
    assert sent(PAGE, section=query) == sent(PAGE)


@pytest.mark.rule("DOC-58", "DOC-72")
def test_a_query_at_the_cap_is_matched() -> None:
    assert ask(f"# {'x' * 4_096}", section="X" * 4_096)["mode"] == "section"
    answer = ask(PAGE, section="y" * 4_096)
    assert (answer["error"], answer["requested"]) == ("section_not_found", "y" * 4_096)


@pytest.mark.rule("DOC-24", "DOC-72")
def test_a_page_without_headings() -> None:
    assert sent("text\n") == as_sent({**HEAD, "mode": "toc", "toc": [], "toc_truncated": False, "section_count": 0})
    right = {"ok": False, "error": "section_not_found", **CONTEXT, "includes": [], "requested": "K1", "suggestions": [], "toc": []}
    assert sent("text\n", section="K1") == as_sent({**right, "toc_truncated": False})


@pytest.mark.rule("DOC-17")
def test_a_heading_without_a_title_is_in_the_map_and_is_nobodys_answer() -> None:
    page = make_document("#\n## a", [Heading("", 1, 1), Heading("a", 2, 2)])
    assert [entry["breadcrumb"] for entry in ask(page)["toc"]] == [[""], ["", "a"]]
    assert ask(page, section="")["mode"] == "toc"


def deep(levels: int, chars: int) -> str:
    """Headings each below the one before, their titles as long as may be: the map is many times the page."""
    return "".join("#" * level + f" {level:03}" + "\x01" * chars + "\n" for level in range(1, levels + 1))


@pytest.mark.rule("DOC-25", "DOC-26", "DOC-27", "DOC-28", "DOC-31", "DOC-99", "DOC-100")
def test_a_map_is_cut_by_number_and_by_size() -> None:
    many = "".join(f"# h{number}\n" for number in range(401))
    answer = ask(many)
    assert ([entry["title"] for entry in answer["toc"]], answer["toc_truncated"]) == ([f"h{number}" for number in range(400)], True)
    assert answer["section_count"] == 401
    assert ask(many, section="h400")["line_range"] == [401, 402]
    assert ask(many.rsplit("# ", 1)[0])["toc_truncated"] is False
    text = deep(64, 4_000)
    answer = ask(text)
    whole = sum(level * 24_000 for level in range(1, 65))
    assert whole > 100 * len(text)
    assert (len(answer["toc"]), answer["toc_truncated"], answer["section_count"]) == (3, True, 64)
    assert len(sent(text)) <= BUDGET


@pytest.mark.rule("DOC-35", "DOC-36")
def test_a_depth_limit_leaves_whole_what_would_be_cut() -> None:
    page = "".join(f"# c{number}\n" + "## same\n" * 9 for number in range(100))
    assert ask(page)["toc_truncated"] is True
    answer = ask(page, max_depth=1)
    assert (len(answer["toc"]), answer["toc_truncated"], answer["section_count"]) == (100, False, 1_000)
    assert {entry["hidden_subsections"] for entry in answer["toc"]} == {9}


@pytest.mark.rule("DOC-96", "DOC-97", "DOC-103")
def test_headings_around_a_section_that_exceed_the_budget() -> None:
    titles = [f"{number:03}{'x' * 4_000}" for number in range(100)]
    page = "# top\n" + "".join(f"## {title}\n" for title in titles)
    answer = ask(page, section="top")
    assert list(answer) == ["ok", "error", *CONTEXT, "includes", "bytes", "max", "line_range"]
    assert (answer["error"], answer["max"], answer["line_range"]) == ("section_too_large", BUDGET, [1, 102])
    ranges = [[number, number] for number in range(2, 101)] + [[101, 102]]
    smallest = {
        **HEAD, "mode": "section", "section": "top", "breadcrumb": ["top"], "level": 1, "line_range": [1, 102], "include_subsections": True,
        "offset": 0, "content": "#", "truncated": True, "next_offset": 1, "remaining_chars": len(page) - 1,
        "truncation_reason": "byte_budget",
        "subsections": [{"title": title, "level": 2, "line_range": lines} for title, lines in zip(titles, ranges, strict=True)],
        "neighbors": {"prev": None, "next": None},
    }  # fmt: skip
    assert answer["bytes"] == len(as_sent(smallest)) > BUDGET


@pytest.mark.rule("DOC-75", "DOC-76")
@pytest.mark.parametrize(("titles", "right"), [([f"zz{n:02}" for n in range(51)], "zz"), ([f"K{n}. {'x' * 30}" for n in range(51)], "K")])
def test_at_most_50_suggestions_of_either_kind(titles: list[str], right: str) -> None:
    page = "".join(f"# {title}\n" for title in titles)
    answer = ask(page, section="zzzz")
    assert answer["suggestions"] == [title.split(".")[0] for title in titles[:50]]
    assert (answer["suggestions"][0].startswith(right), answer["suggestions_truncated"]) == (True, True)
    answer = ask(page.split("\n", 1)[1], section="zzzz")
    assert (len(answer["suggestions"]), "suggestions_truncated" in answer) == (50, False)


@pytest.mark.rule("DOC-100", "DOC-101")
def test_of_two_lists_the_map_is_emptied_first() -> None:
    control = "\x01"
    page = "".join(f"# chapter {control * 4_000}{number:02}\n" for number in range(12))
    answer = ask(page, section="chapter " + "\x01" * 3_000)
    assert list(answer) == [
        "ok",
        "error",
        *CONTEXT,
        "includes",
        "requested",
        "suggestions",
        "suggestions_truncated",
        "toc",
        "toc_truncated",
    ]
    assert (answer["suggestions_truncated"], answer["toc"], answer["toc_truncated"]) == (True, [], True)
    assert 0 < len(answer["suggestions"]) < 12


@pytest.mark.rule("DOC-83", "DOC-84", "DOC-99")
def test_candidates_with_long_breadcrumbs_are_cut_from_the_end() -> None:
    text = deep(30, 3_000) + "".join("#" * 31 + " same\n" for _ in range(5))
    answer = ask(text.replace("# 00", "# 0"), section="same")
    assert answer["candidates_truncated"] is True
    assert answer["candidates"] == []
    few = deep(3, 4_000) + "#### same\n" * 5
    answer = ask(few, section="same")
    assert [candidate["line_range"][0] for candidate in answer["candidates"]] == [4, 5, 6]


@pytest.mark.rule("DOC-102", "DOC-103")
@pytest.mark.parametrize("section", [None, "zzzz", "same"])
def test_what_does_not_fit_with_empty_lists_is_refused_with_its_context(section: str | None) -> None:
    page = "# same\n# same\n# other"
    empty = len(sent(page, section=section))
    for more in range(BUDGET - empty - 60, BUDGET):  # from one that fits, some lists cut, to one that doesn't with none
        answer = ask(page, includes=("x" * more,), section=section)
        if answer.get("error") == "answer_too_large":
            break
        assert "content" not in answer
    assert list(answer) == ["ok", "error", *CONTEXT, "includes", "bytes", "max"]
    assert (answer["bytes"], answer["max"]) == (BUDGET + 1, BUDGET)


@pytest.mark.rule("DOC-91", "DOC-99")
@pytest.mark.parametrize("fill", ["x", "字", "\x01", '"'])
@pytest.mark.parametrize("section", [None, "same", "000", "nothing like it"])
def test_no_answer_about_a_hostile_page_is_over_the_budget(fill: str, section: str | None) -> None:
    for text in (
        "".join("#" * (number % 64 + 1) + f" {number:03}{fill * 2_000}\n" for number in range(80)),
        "".join(f"# same\n## {fill * 4_096}{number}\n" for number in range(60)),
        "# same\n" + fill * 300_000,
    ):
        for max_depth in (None, 1, 30):
            raw = sent(text, section=section, max_depth=max_depth, max_chars=100_000)
            assert len(raw) <= BUDGET
            json.loads(raw)
