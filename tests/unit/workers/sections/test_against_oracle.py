"""Any document, any question, ceilings small enough to meet: every answer is the oracle's, byte for byte."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.unit.workers.sections.oracle import Ceilings, Oracle
from tests.unit.workers.sections.pages import as_sent, ceilings, sent
from workers.parsing.headings import Heading
from workers.sections.section_tree import make_document

SHORT = {"repo": "r"}
TITLES = ["K1", "K1.", "k1. a", "K1. a", "K1.1 b", "K11", "K11.a", "K12\u2014x", "aa", "aA", "a\u2010b", "a-b", "a  b", "ab", "abc", "abd",
    "", "字字", "\x01\x01", "e\u0301" * 9, "👨\u200d👩\u200d👧" * 3, '"\\', "שלום", "ש1", "long " * 30]  # fmt: skip
QUERIES = [*TITLES, "K1 ", "K13", "zz", "A\u2013B", "\ta\n b ", "ab" * 20, " ", "k11.", "K1.1", "H2"]
FILLER = st.sampled_from(["", "", "text", "# none", "שורה", "字" * 30, "\r", "crlf\r", "\x01\x02", "👨" * 9, "x" * 200])


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[Heading]]:
    """A text and headings on some of its lines, of any levels."""
    lines, headings = draw(st.lists(FILLER, max_size=3)), []
    for level in draw(st.lists(st.integers(1, 5), max_size=9)):
        title = draw(st.sampled_from(TITLES))
        lines.append("#" * level + " " + title)
        headings.append(Heading(title, level, len(lines)))
        lines += draw(st.lists(FILLER, max_size=3))
    return "\n".join(lines), headings


REQUESTS = st.fixed_dictionaries(
    {
        "section": st.none() | st.sampled_from(QUERIES),
        "include_subsections": st.booleans(),
        "max_chars": st.sampled_from([1, 3, 7, 50, 500, 100_000]),
        "offset": st.sampled_from([0, 0, 0, 1, 9, 99, 10**9]),
        "max_depth": st.none() | st.integers(1, 5),
    }
)
CEILINGS = st.builds(
    Ceilings,
    budget=st.integers(100, 700) | st.just(256_000),
    toc=st.sampled_from([1, 3, 400]),
    candidates=st.sampled_from([1, 2, 50]),
    suggestions=st.sampled_from([1, 2, 50]),
    title=st.sampled_from([3, 5, 4_096]),
)


@pytest.mark.rule(
    "DOC-14", "DOC-15", "DOC-17", "DOC-19", "DOC-20", "DOC-21", "DOC-22", "DOC-23", "DOC-24", "DOC-25", "DOC-26", "DOC-27", "DOC-29",
    "DOC-30", "DOC-33", "DOC-34", "DOC-35", "DOC-36", "DOC-37", "DOC-38", "DOC-39", "DOC-41", "DOC-43", "DOC-44", "DOC-46", "DOC-47",
    "DOC-48", "DOC-50", "DOC-51", "DOC-52", "DOC-53", "DOC-54", "DOC-55", "DOC-56", "DOC-57", "DOC-61", "DOC-62", "DOC-63", "DOC-64",
    "DOC-65", "DOC-66", "DOC-67", "DOC-68", "DOC-69", "DOC-70", "DOC-72", "DOC-73", "DOC-74", "DOC-76", "DOC-77", "DOC-78", "DOC-79",
    "DOC-80", "DOC-81", "DOC-82", "DOC-83", "DOC-88", "DOC-89", "DOC-92", "DOC-93", "DOC-94", "DOC-96", "DOC-97", "DOC-99", "DOC-100",
    "DOC-101", "DOC-102", "DOC-105", "DOC-106"
)  # fmt: skip
@examples(300)
@given(documents(), REQUESTS, CEILINGS, st.sampled_from([(), ("a.rst",), ("b" * 90, "字.rst")]))
@example(("", []), {"section": None, "include_subsections": True, "max_chars": 500, "offset": 0, "max_depth": None}, Ceilings(), ())
def test_every_answer_is_the_oracles(
    page: tuple[str, list[Heading]], request: dict[str, Any], most: Ceilings, includes: tuple[str, ...]
) -> None:
    text, headings = page
    expected = Oracle(text, headings, SHORT, includes, most).answer(**request)
    with ceilings(
        OUTPUT_BYTE_BUDGET=most.budget, TOC_MAX=most.toc, CANDIDATES_MAX=most.candidates, SUGGESTIONS_MAX=most.suggestions,
        MAX_TITLE_CHARS=most.title,
    ):  # fmt: skip
        answer = sent(make_document(text, headings), SHORT, includes, **request)
    assert answer == as_sent(expected)


@pytest.mark.rule("DOC-26", "DOC-99", "DOC-100", "DOC-101", "DOC-102")
@examples(60)
@given(documents(), REQUESTS)
def test_at_every_budget_around_an_answers_size_the_most_that_fits_is_shown(
    page: tuple[str, list[Heading]], request: dict[str, Any]
) -> None:
    """A byte decides: `true` is shorter than `false`, and a flag may cost more than an entry saves."""
    text, headings = page
    document = make_document(text, headings)
    size = len(sent(document, SHORT, **request))
    for budget in range(size - 4, size + 2):
        expected = Oracle(text, headings, SHORT, (), Ceilings(budget=budget)).answer(**request)
        with ceilings(OUTPUT_BYTE_BUDGET=budget):
            assert sent(document, SHORT, **request) == as_sent(expected)


@pytest.mark.rule("DOC-24", "DOC-38", "DOC-40", "DOC-42")
@given(documents(), st.integers(1, 7))
def test_what_a_depth_limit_hides_and_what_it_shows_are_the_whole_page(page: tuple[str, list[Heading]], max_depth: int) -> None:
    document = make_document(*page)
    limited, whole = (json.loads(sent(document, SHORT, max_depth=depth)) for depth in (max_depth, None))
    assert limited["section_count"] == whole["section_count"] == len(page[1])
    assert sum(entry.get("hidden_subsections", 0) for entry in limited["toc"]) + len(limited["toc"]) == len(page[1])
    assert all(entry.get("hidden_subsections") != 0 for entry in limited["toc"])
    if max_depth >= max((len(entry["breadcrumb"]) for entry in whole["toc"]), default=0):
        assert limited == whole | {"max_depth": max_depth}
    with ceilings(TOC_MAX=2):
        cut = json.loads(sent(document, SHORT, max_depth=max_depth))
    if cut["toc_truncated"]:
        assert sum(entry.get("hidden_subsections", 0) for entry in cut["toc"]) + len(cut["toc"]) < cut["section_count"] == len(page[1])


@pytest.mark.rule("DOC-48", "DOC-89", "DOC-90", "DOC-92", "DOC-96")
@examples(150)
@given(documents(), st.integers(0, 8), st.sampled_from([1, 4, 33, 900]), st.integers(150, 500), st.booleans())
def test_the_pages_of_a_section_joined_are_its_lines(
    page: tuple[str, list[Heading]], index: int, max_chars: int, budget: int, include: bool
) -> None:
    text, headings = page
    titles = [heading.title for heading in headings]
    if index >= len(headings) or not titles[index] or titles.count(titles[index]) > 1:
        return
    document = make_document(text, headings)
    request: dict[str, Any] = {"section": titles[index], "max_chars": max_chars, "include_subsections": include}
    whole = json.loads(sent(document, SHORT, **request | {"max_chars": 10**6}))
    if "content" not in whole:  # two titles that differ, and are the same when normalized
        return
    joined, offset, page_at = "", 0, whole
    with ceilings(OUTPUT_BYTE_BUDGET=budget):
        while True:
            page_at = json.loads(sent(document, SHORT, **request, offset=offset))
            if not page_at["ok"]:
                assert page_at["error"] in {"section_too_large", "answer_too_large"}
                return
            joined += page_at["content"]
            if not page_at["truncated"]:
                break
            assert page_at["next_offset"] == offset + len(page_at["content"]) > offset
            offset = page_at["next_offset"]
    assert joined == whole["content"]
    first, last = whole["line_range"]
    if include:
        assert joined == "\n".join(text.split("\n")[first - 1 : last])
