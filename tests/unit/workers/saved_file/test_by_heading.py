"""A Markdown file by its headings: the contract's examples byte for byte, cmark-gfm's headings, and every refusal with its fields."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.limits import MAX_SECTION_CHARS, MAX_TITLE_CHARS
from tests.unit.workers.parsing.cmark_oracle import github
from tests.unit.workers.saved_file.files import BUDGET, Answer, as_sent, ask, markdown, saved, sent
from tests.unit.workers.sections.pages import PAGE
from tests.unit.workers.sections.pages import sent as document_sent
from workers.parsing.markdown import headings as parser
from workers.parsing.markdown.limits import MAX_LINES, MAX_TOKENS
from workers.saved_file.markdown import is_markdown
from workers.sections import documents

HANDOFF = (
    "# Handover guide\n\nIntro.\n\n## K11. Swallowed exception\n\nWhat happens when an exception is swallowed.\n\n### Example\n\n"
    "Sample code.\n\n## K12. Ceiling without a refusal\n\nText.\n"
)
ROOT, K11, K12 = "Handover guide", "K11. Swallowed exception", "K12. Ceiling without a refusal"
TOC: list[Answer] = [
    {"title": ROOT, "level": 1, "breadcrumb": [ROOT], "line_range": [1, 16], "approx_bytes": 169},
    {"title": K11, "level": 2, "breadcrumb": [ROOT, K11], "line_range": [5, 12], "approx_bytes": 101},
    {"title": "Example", "level": 3, "breadcrumb": [ROOT, K11, "Example"], "line_range": [9, 12], "approx_bytes": 26},
    {"title": K12, "level": 2, "breadcrumb": [ROOT, K12], "line_range": [13, 16], "approx_bytes": 41},
]
FILE = markdown(HANDOFF, version=7)
SECTION: Answer = {
    "section": K11, "breadcrumb": [ROOT, K11], "level": 2, "line_range": [5, 12], "include_subsections": True, "offset": 0,
    "content": "## K11. Swallowed exception\n\nWhat happens when an exception is swallowed.\n\n### Example\n\nSample code.\n",
    "truncated": False,
    "subsections": [{"title": "Example", "level": 3, "line_range": [9, 12]}],
    "neighbors": {"prev": None, "next": {"title": K12, "level": 2, "line_range": [13, 16]}},
}  # fmt: skip


def about(status: str, **fields: Any) -> Answer:
    return {"found": True, "status": status, "ok": True, "file": FILE.record, "includes": [], **fields}


def titles(answer: Answer) -> list[str]:
    return [entry["title"] for entry in answer["toc"]]


@pytest.mark.rule("GTF-101", "GTF-102", "GTF-105", "GTF-106", "GTF-107", "GTF-108", "GTF-109", "GTF-110", "GTF-122", "GTF-9")
@pytest.mark.parametrize("flag", [True, "true", "yes", 1])
def test_the_map_of_the_contracts_example(flag: object) -> None:
    assert sent(FILE, toc=flag) == as_sent(about("toc", mode="toc", toc=TOC, toc_truncated=False, section_count=4))


@pytest.mark.rule("GTF-114", "GTF-115", "GTF-116", "GTF-117", "GTF-118", "GTF-119", "GTF-120", "GTF-121", "GTF-124")
@pytest.mark.parametrize(
    ("asked", "enforced", "shown"),
    [
        (2, 2, [(0, 0), (1, 1), (3, 0)]),
        (1, 1, [(0, 3)]),
        (0, 1, [(0, 3)]),
        (-7, 1, [(0, 3)]),
        (3, 3, [(0, 0), (1, 0), (2, 0), (3, 0)]),
        (99, 64, [(0, 0), (1, 0), (2, 0), (3, 0)]),
    ],
)
def test_a_depth_limit(asked: int, enforced: int, shown: list[tuple[int, int]]) -> None:
    toc = [TOC[index] | ({"hidden_subsections": hidden} if hidden else {}) for index, hidden in shown]
    assert sum(hidden for _, hidden in shown) + len(toc) == 4
    right = about("toc", mode="toc", toc=toc, toc_truncated=False, section_count=4, max_depth=enforced)
    assert sent(FILE, toc=True, max_depth=asked) == as_sent(right)


@pytest.mark.rule("GTF-114")
def test_depth_is_the_length_of_the_breadcrumb_and_not_the_level() -> None:
    answer = ask(markdown("# a\n### b\n#### c\n"), toc=True, max_depth=2)
    assert [(entry["title"], entry["level"], entry.get("hidden_subsections")) for entry in answer["toc"]] == [("a", 1, None), ("b", 3, 1)]


@pytest.mark.rule(
    "GTF-104", "GTF-125", "GTF-126", "GTF-127", "GTF-128", "GTF-136", "GTF-137", "GTF-138", "GTF-139", "GTF-140", "GTF-38", "GTF-119"
)  # fmt: skip
@pytest.mark.parametrize("query", ["K11", "k11.", K11, "k11.  SWALLOWED\texception "])
@pytest.mark.parametrize("more", [{}, {"max_depth": 1}, {"max_chars": 5, "offset": 0}])
def test_the_section_of_the_contracts_example(query: str, more: Answer) -> None:
    assert sent(FILE, section=query, **more) == as_sent(about("section", mode="section", **SECTION))
    assert ask(FILE, lines=[5, 12])["file"]["code"] == SECTION["content"]


@pytest.mark.rule("GTF-147", "GTF-148", "GTF-149", "GTF-123", "GTF-119", "GTF-101")
def test_the_refusal_of_the_contracts_example() -> None:
    head = {"found": True, "status": "section", "ok": False, "error": "section_not_found", "file": FILE.record, "includes": []}
    missing = {"requested": "K13", "suggestions": ["K11", "K12"], "toc": TOC, "toc_truncated": False}
    assert sent(FILE, section="K13") == as_sent(head | missing)
    limited = ask(FILE, section="K13", max_depth=1)
    assert limited == head | missing | {"toc": [TOC[0] | {"hidden_subsections": 3}], "max_depth": 1}
    assert ask(FILE, section="exmaple", max_depth=1)["suggestions"] == ["Example"]
    assert ask(FILE, section="Example", max_depth=1)["level"] == 3


@pytest.mark.rule("GTF-152", "GTF-153", "GTF-154", "GTF-156", "GTF-157", "GTF-123")
def test_a_name_that_repeats_brings_its_candidates_and_each_is_read_by_its_lines() -> None:
    file = markdown("# G\n## A\n### See also\na\n## B\n### See also\nb\n")
    answer = ask(file, section="see  also", max_depth=1)
    assert list(answer) == ["found", "status", "ok", "error", "file", "includes", "requested", "candidates"]
    assert (answer["error"], answer["requested"]) == ("ambiguous_section", "see  also")
    first = {"title": "See also", "breadcrumb": ["G", "A", "See also"], "level": 3, "line_range": [3, 4]}
    assert answer["candidates"] == [first, {**first, "breadcrumb": ["G", "B", "See also"], "line_range": [6, 8]}]
    assert ask(file, lines=[3, 4])["file"]["code"] == "### See also\na"
    assert "### See also\nb" in ask(file, section="B")["content"]


@pytest.mark.rule("GTF-125", "GTF-126", "GTF-127", "GTF-128", "GTF-129", "GTF-130", "GTF-131", "GTF-149")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("K1", "K1. a"), ("K11", "K11. b"), ("K11.1 c", "K11.1 c"), ("K2", None), ("long\u2010name", "long-name"),
        ("LONG\u2014NAME", "long-name"),
        ("part", None), ("`code`", "`code`"), ("code", None), ("טבלה", None), ("טבלה  מרכזית", "טבלה מרכזית"), ("null", "null"),
    ],
)  # fmt: skip
def test_which_heading_is_meant(query: str, found: str | None) -> None:
    names = ["K1. a", "K11. b", "K11.1 c", "K15 d", "long-name", "part of a name", "part two", "`code`", "טבלה מרכזית", "null"]
    answer = ask(markdown("".join(f"# {name}\n" for name in names)), section=query)
    assert (answer.get("section"), answer.get("error")) == (found, None if found else "section_not_found")


@pytest.mark.rule("GTF-17", "GTF-113", "GTF-155")
def test_a_heading_named_null_is_read_by_the_maps_lines() -> None:
    file = markdown("# a\nx\n# null\ny\n# b\n")
    (entry,) = [entry for entry in ask(file, toc=True)["toc"] if entry["title"] == "null"]
    assert ask(file, lines=entry["line_range"])["file"]["code"] == "# null\ny"
    assert [record["line"] for record in ask(file, query="null")["results"]] == [3]


@pytest.mark.rule("GTF-88", "GTF-89", "GTF-90")
@pytest.mark.parametrize(
    ("name", "language", "expected"),
    [
        ("a.md", "text", True), ("A.MD", "python", True), ("a.Markdown", "text", True), ("plain", "markdown", True), ("plain", "Md", True),
        ("a.mdx", "text", False), ("md", "text", False), ("a.md.txt", "text", False), ("plain", "markdown2", False),
    ],
)  # fmt: skip
def test_which_files_are_markdown(name: str, language: str, expected: bool) -> None:
    assert is_markdown(name, language) is expected
    file = saved("# a\n", name, language)
    for asked in ({"toc": True}, {"section": "a"}):
        answer = ask(file, **asked)
        status = "toc" if "toc" in asked else "section"
        assert (answer["found"], answer["status"], answer["ok"]) == (True, status, expected)
        if not expected:
            assert list(answer) == ["found", "status", "ok", "error", "file", "hint"]
            assert (answer["error"], answer["file"]) == ("not_markdown", file.record)


def lines_of(count: int) -> str:
    return "\n" * (count - 1)


@pytest.mark.rule("GTF-91", "GTF-92", "GTF-93", "GTF-94", "GTF-95", "GTF-96", "GTF-97", "GTF-98", "GTF-99", "GTF-166", "PLT-73")
@pytest.mark.parametrize(
    ("text", "code", "fields"),
    [
        ("ש" * 256_001, "too_large_for_sections", {"bytes": 512_002, "max": 512_000}),
        ("x" * 512_001, "too_large_for_sections", {"bytes": 512_001, "max": 512_000}),
        (lines_of(MAX_LINES + 1), "too_many_lines", {"max": MAX_LINES, "total_lines": MAX_LINES + 1}),
        ("# a\r\nb\rc\n", "inconsistent_line_endings", {"line": 2}),
        ("- a\n" * (MAX_TOKENS // 3), "too_many_tokens", {"max": MAX_TOKENS}),
    ],
)
def test_what_the_parser_does_not_take_can_be_read_otherwise(text: str, code: str, fields: Answer) -> None:
    file = markdown(text)
    for asked in ({"toc": True}, {"section": "s" * 5_000}):
        answer = ask(file, **asked)
        more = {"line": answer["line"]} if code == "too_many_tokens" else {}
        assert list(answer) == ["found", "status", "ok", "error", *fields, *more, "file", "hint"]
        assert {name: answer[name] for name in ("error", "file", *fields)} == {"error": code, "file": file.record, **fields}
        assert "lines=[start, end]" in answer["hint"]
        assert 'query="..."' in answer["hint"]
    assert ask(file, lines=[1, 1])["found"]


@pytest.mark.rule("GTF-92", "GTF-94", "GTF-96")
@pytest.mark.parametrize("text", ["ש" * 256_000, lines_of(MAX_LINES), "# a\r\nb\r\n"])
def test_what_is_just_within_is_parsed(text: str) -> None:
    assert ask(markdown(text), toc=True)["ok"]


@pytest.mark.rule("GTF-97", "GTF-98")
def test_too_many_headings_are_refused_without_a_part_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser.headings, "__kwdefaults__", {**parser.headings.__kwdefaults__, "max_sections": 2})
    answer = ask(markdown("# many\n" * 9), toc=True)
    assert (answer["error"], answer["max"], answer["line"], "toc" in answer) == ("too_many_sections", 2, 3, False)
    assert MAX_LINES < parser.MAX_SECTIONS == 50_000


@pytest.mark.rule("GTF-133", "GTF-134")
@pytest.mark.parametrize("section", ["s" * 4_097, " " * 4_097, "\n" * 9_999])
def test_a_heading_that_is_too_long_is_not_looked_for(section: str) -> None:
    answer = ask(FILE, section=section)
    assert list(answer) == ["found", "status", "ok", "error", "file", "max_chars", "actual_chars"]
    assert (answer["error"], answer["max_chars"], answer["actual_chars"]) == ("section_too_long", 4_096, len(section))
    assert ask(FILE, section="s" * 4_096)["error"] == "section_not_found"


@pytest.mark.rule("GTF-139", "GTF-141", "GTF-142", "LIN-44", "LIN-43")
@given(st.lists(st.sampled_from(["# a", "## b", "text", "", "שורה", "### ג"]), max_size=9), st.booleans(), st.booleans(), st.booleans())
def test_each_section_is_its_lines_byte_for_byte(lines: list[str], crlf: bool, marked: bool, ended: bool) -> None:
    text = "\ufeff" * marked + ("\r\n" if crlf else "\n").join([*lines, "# last one", ""][: None if ended else -1])
    file = markdown(text)
    toc = ask(file, toc=True)["toc"]
    names = titles({"toc": toc})
    assert names[-1] == "last one"
    for entry in toc:
        exact = ask(file, lines=entry["line_range"])["file"]["code"]
        assert entry["approx_bytes"] == len(exact.encode())
        if names.count(entry["title"]) == 1:
            assert ask(file, section=entry["title"])["content"] == exact


@pytest.mark.rule("GTF-109", "GTF-179", "GTF-180", "DOC-133", "MDG-2")
@given(
    st.lists(
        st.sampled_from(["# a", "b\n===", "## ג", "text", "", "- # in", "> # in", "```", "    # code", "<div>", "| a |\n|---|"]),
        max_size=12,
    )
)
def test_the_headings_are_cmark_gfms(blocks: list[str]) -> None:
    text = "\n\n".join(blocks)
    toc = ask(markdown(text), toc=True)["toc"]
    assert [(entry["level"], entry["line_range"][0]) for entry in toc] == github(text)


@pytest.mark.rule("GTF-139", "GTF-140", "GTF-141")
@pytest.mark.parametrize("max_chars", [500, 600, 10**9])
def test_pages_join_to_the_section(max_chars: int) -> None:
    text = "# one\n" + "שורה ארוכה 字\r\n" * 150
    file, offset, read = markdown(text), 0, ""
    while True:
        page = ask(file, section="one", max_chars=max_chars, offset=offset)
        read += page["content"]
        assert len(page["content"]) <= max(500, min(max_chars, 100_000))
        assert page["truncated"] == ("next_offset" in page) == ("remaining_chars" in page)
        if not page["truncated"]:
            break
        assert (page["next_offset"], page["remaining_chars"]) == (len(read), len(text) - len(read))
        offset = page["next_offset"]
    assert read == text
    assert ask(file, section="one", offset=10**9)["content"] == ""


@pytest.mark.rule("GTF-142", "GTF-143", "GTF-173", "PLT-91")
def test_a_page_over_the_budget_ends_earlier_and_loses_nothing() -> None:
    text = "# one\n" + "字" * 160_000
    page = ask(markdown(text), section="one", max_chars=100_000)
    assert (page["truncated"], page["truncation_reason"]) == (True, "byte_budget")
    assert BUDGET - 3 < len(as_sent(page)) <= BUDGET
    assert page["content"] == text[: page["next_offset"]]
    hebrew = ask(markdown("# one\n" + "ש" * 110_000), section="one", max_chars=100_000)
    assert (len(hebrew["content"]), hebrew["truncated"], "truncation_reason" in hebrew) == (100_000, True, False)


@pytest.mark.rule("GTF-111", "GTF-112", "GTF-113", "GTF-118", "GTF-124", "GTF-110", "GTF-144")
def test_a_long_map_is_cut_from_its_end_and_what_is_cut_is_still_found() -> None:
    many = "# top\n" + "".join(f"## h{number}\n### deep {number}\n" for number in range(450))
    answer = ask(markdown(many), toc=True)
    assert (len(answer["toc"]), answer["toc_truncated"], answer["section_count"]) == (400, True, 901)
    upper = ask(markdown(many), toc=True, max_depth=2)
    assert (len(upper["toc"]), upper["toc_truncated"]) == (400, True)
    assert titles(upper)[-1] == "h398"
    assert sum(entry.get("hidden_subsections", 0) for entry in upper["toc"]) + len(upper["toc"]) < 901
    assert ask(markdown(many), section="h449")["line_range"] == [900, 902]
    top = ask(markdown(many), section="top")
    assert (len(top["subsections"]), top["subsections_truncated"]) == (400, True)
    assert "subsections_truncated" not in ask(markdown(many), section="h1")
    wide = markdown("".join(f"# {number} {'字' * 500}\n" for number in range(300)))
    cut = ask(wide, toc=True)
    assert (cut["toc_truncated"], cut["section_count"], titles(cut)[0][:2]) == (True, 300, "0 ")
    assert BUDGET - 3_200 < len(as_sent(cut)) <= BUDGET


@pytest.mark.rule("GTF-145", "GTF-146", "GTF-166")
def test_a_section_whose_headings_leave_no_room_for_a_character() -> None:
    file = markdown("# one\n" + "".join(f"## {number} {'字' * 250}\n" for number in range(400)))
    answer = ask(file, section="one")
    assert list(answer) == ["found", "status", "ok", "error", "file", "includes", "bytes", "max", "line_range", "hint"]
    assert (answer["error"], answer["max"], answer["line_range"]) == ("section_too_large", BUDGET, [1, 402])
    least = {
        **about("section", mode="section"), "file": file.record, "section": "one", "breadcrumb": ["one"], "level": 1,
        "line_range": [1, 402], "include_subsections": True, "offset": 0, "content": "#", "truncated": True, "next_offset": 1,
        "remaining_chars": len(file.text) - 1, "truncation_reason": "byte_budget",
        "subsections": [{"title": line[3:], "level": 2, "line_range": [n, n]} for n, line in enumerate(file.text.split("\n")[1:-1], 2)],
        "neighbors": {"prev": None, "next": None},
    }  # fmt: skip
    least["subsections"][-1]["line_range"] = [401, 402]
    assert answer["bytes"] == len(as_sent(least)) > BUDGET
    assert "lines=[start, end]" in answer["hint"]


@pytest.mark.rule("GTF-150", "GTF-151", "GTF-154", "GTF-155")
def test_the_lists_of_refusals_have_their_caps_and_the_map_is_cut_before_the_suggestions() -> None:
    alike = markdown("".join(f"# K7. Name {number}\n" for number in range(60)))
    ambiguous = ask(alike, section="K7")
    assert (len(ambiguous["candidates"]), ambiguous["candidates_truncated"]) == (50, True)
    assert [entry["line_range"] for entry in ambiguous["candidates"]][-1] == [50, 50]
    missing = ask(alike, section="Name 100")
    assert (len(missing["suggestions"]), missing["suggestions_truncated"]) == (50, True)
    assert ask(alike, section="K7. Name 59")["line_range"] == [60, 61]
    long = markdown("".join(f"# K7. {number:02} {'字' * 1_650}\n" for number in range(60)))
    cut = ask(long, section="K7. 00 " + "字" * 1_600)
    assert (cut["toc"], cut["toc_truncated"], len(cut["suggestions"])) == ([], True, 50)
    longer = markdown("".join(f"# K7. {number:02} {'字' * 2_700}\n" for number in range(60)))
    cut = ask(longer, section="K7. 00 " + "字" * 2_600)
    assert (cut["toc"], cut["suggestions_truncated"], len(cut["suggestions"]) < 50) == ([], True, True)
    assert len(ask(longer, section="K7")["candidates"]) < 50


@pytest.mark.rule("GTF-154", "GTF-158")
def test_thousands_of_headings_under_one_identifier_are_fifty_candidates() -> None:
    file = markdown("".join(f"# K1. {number:05} {'-' * 26}\n" for number in range(13_030)))
    answer = ask(file, section="K1")
    assert (answer["error"], len(answer["candidates"]), answer["candidates_truncated"]) == ("ambiguous_section", 50, True)
    assert len(as_sent(answer)) < 20_000


@pytest.mark.rule("GTF-159", "GTF-160", "GTF-161", "GTF-162")
def test_long_headings_are_cut_at_the_source() -> None:
    assert MAX_TITLE_CHARS == MAX_SECTION_CHARS == 4_096
    long = "e\u0301" * 2_100
    answer = ask(markdown(f"# {long}\n## x\n"), toc=True)
    title = answer["toc"][0]["title"]
    assert (title, answer["toc"][0]["title_truncated"]) == ("e\u0301" * 2_048, True)
    assert answer["toc"][1]["breadcrumb"] == [title, "x"]
    assert "title_truncated" not in answer["toc"][1]
    section = ask(markdown(f"# {long}\n## x\n"), section=title)
    assert (section["section"], section["title_truncated"]) == (title, True)
    twins = markdown(f"# {long}1\n# {long}2\n# other\n## {long}\n")
    both = ask(twins, section=title)
    assert [(entry["line_range"], entry["title_truncated"]) for entry in both["candidates"]] == [
        ([1, 1], True),
        ([2, 2], True),
        ([4, 5], True),
    ]
    other = ask(twins, section="other")
    assert (other["subsections"][0]["title_truncated"], other["neighbors"]["prev"]["title_truncated"]) == (True, True)


@pytest.mark.rule("GTF-175", "GTF-176", "GTF-177", "GTF-178", "GTF-179", "GTF-180")
def test_where_the_map_differs_from_the_web_renderer() -> None:
    text = "## Install\nSteps.\n\n::: details Advanced notes\n\n## Hidden settings\n- value A\n\n:::\n\n## Use\nExample.\n"
    file = markdown(text)
    toc = ask(file, toc=True)["toc"]
    assert [(entry["title"], entry["level"], entry["line_range"]) for entry in toc] == [
        ("Install", 2, [1, 5]), ("Hidden settings", 2, [6, 10]), ("Use", 2, [11, 13])
    ]  # fmt: skip
    assert ask(file, section="Install")["content"] == "## Install\nSteps.\n\n::: details Advanced notes\n"
    assert ask(file, section="Hidden settings")["content"] == "## Hidden settings\n- value A\n\n:::\n"
    assert titles(ask(markdown("<details>\n# swallowed\n\n# seen\n"), toc=True)) == ["seen"]
    assert titles(ask(markdown("<details>\n\n# seen too\n"), toc=True)) == ["seen too"]
    assert [(entry["title"], entry["line_range"]) for entry in ask(markdown("---\ntitle: x\n---\n# a\n"), toc=True)["toc"]] == [
        ("a", [4, 5])
    ]


@pytest.mark.rule("GTF-100", "GTF-101", "GTF-102", "DOC-138")
@pytest.mark.parametrize("section", [None, "K11", "K13", "How it looks", "See also", "x" * 5_000])
@pytest.mark.parametrize("max_depth", [None, 2])
def test_the_answer_is_the_documentation_tools_with_the_file_in_place_of_the_page(section: str | None, max_depth: int | None) -> None:
    file = markdown(PAGE)
    asked: Answer = {"toc": True} if section is None else {"section": section}
    head = {"found": True, "status": "toc" if section is None else "section"}
    theirs = document_sent(PAGE, {**head, "file": file.record}, section=section, max_depth=max_depth)
    ours = sent(file, **asked, max_depth=max_depth)
    assert len(ours) == len(theirs)
    assert ours.startswith(as_sent(head)[:-1] + b',"ok":')
    assert re.sub(rb'"found":true,"status":"\w+",', b"", ours) == re.sub(rb'"found":true,"status":"\w+",', b"", theirs)


def test_what_was_parsed_is_kept_for_its_user_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    parses: list[str] = []
    form = documents.FORMATS[".md"]

    def read(text: str) -> Any:
        parses.append(text)
        return form.read(text)

    monkeypatch.setitem(documents.FORMATS, ".md", replace(form, read=read))
    file = markdown("# kept\n\ntext\n")
    for asked in ({"toc": True}, {"section": "kept"}, {"section": "other"}):
        ask(file, **asked)
        ask(replace(file, record={**file.record, "id": "b" * 24, "version": 4}), **asked)
    assert parses == [file.text]
    ask(replace(file, user="eve"), toc=True)
    ask(replace(file, text="# kept\n\ntext"), toc=True)
    assert parses == [file.text, file.text, "# kept\n\ntext"]
