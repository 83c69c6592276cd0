"""The headings of Markdown pages, and the refusals of the parser."""

from pathlib import Path

import pytest

from workers.parsing.headings import MAX_SECTIONS, Heading, ParseRefused
from workers.parsing.markdown.blocks import block_tokens
from workers.parsing.markdown.headings import headings
from workers.parsing.markdown.limits import CHARACTERS_OF_A_LINE, MAX_LINES, MAX_LISTS, MAX_QUOTED, MAX_TOKENS

CASES = Path(__file__).parents[3] / "cases"


def found(text: str) -> list[tuple[str, int, int]]:
    return [(heading.title, heading.level, heading.line) for heading in headings(text)]


def refusal(text: str, **caps: int | None) -> tuple[str, dict[str, object]]:
    with pytest.raises(ParseRefused) as refused:
        headings(text, **caps)
    return refused.value.code, refused.value.fields


@pytest.mark.rule("MDG-2", "DOC-133")
def test_the_case_of_lines_that_look_like_headings() -> None:
    text = (CASES / "06-md-section-fences" / "guide.md").read_text(encoding="utf-8")
    assert found(text) == [("Guide", 1, 1), ("Install", 2, 5), ("Linux", 3, 40), ("Usage", 2, 44), ("Appendix", 1, 53)]


@pytest.mark.rule("MDG-1", "DOC-134", "DOC-32", "DOC-21", "DOC-22")
def test_the_case_of_heading_forms_and_front_matter() -> None:
    text = (CASES / "07-md-headings-frontmatter" / "post.md").read_text(encoding="utf-8")
    assert found(text) == [
        ("Overview", 1, 6),
        ("A title that runs over two lines", 2, 13),
        ("Indented two", 2, 24),
        ("Ends with hash#", 2, 30),
        ("Closed", 2, 32),
        ("", 2, 34),
        ("Last", 2, 42),
    ]


@pytest.mark.rule("DOC-32")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# `code` *and* [link](x) &amp; \\# <b>\n", "`code` *and* [link](x) &amp; \\# <b>"),
        ("#\ttab\t#\t\n", "tab"),
        ("# a # b\n", "a # b"),
        ("# a \\#\n", "a \\#"),
        ("  one  \n \ttwo\\\nthree\n===\n", "one two\\ three"),
        ("a\u2028b\n---\n", "a\u2028b"),
        ("# nul \0\n", "nul \0"),
        ("# a\u00a0 b\n", "a\u00a0 b"),
        ("#\n", ""),
    ],
)
def test_a_title_is_source_text(text: str, title: str) -> None:
    assert [heading.title for heading in headings(text)] == [title]


@pytest.mark.rule("MDG-1", "MDG-2", "DOC-133")
@pytest.mark.parametrize(
    "text",
    [
        "- # in a list\n",
        "1. x\n\n   # in a list\n",
        "> # in a quote\n",
        "> - # in both\n",
        "    # code\n",
        "```\n# fence\n",
        "<!--\n# comment\n",
        "<div>\n# block\n",
        "|a|b|\n|-|-|\n|# c|d|\n",
        "#hashtag\n",
        "####### seven\n",
        "\\# escaped\n",
        "[a]:\n===\n",
        "",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert headings(text) == []


@pytest.mark.rule("DOC-134")
def test_front_matter_stands_at_the_very_start_only() -> None:
    assert found("---\ntitle: x\n# no\n---\n# A\n") == [("A", 1, 5)]
    assert found("\n---\ntitle: x\n---\n# A\n") == [("title: x", 2, 3), ("A", 1, 5)]
    assert found("---\ntitle: x\n# A\n") == [("A", 1, 3)]


@pytest.mark.rule("DOC-21", "DOC-22", "DOC-48")
def test_lines_are_those_of_the_source_whatever_ends_them() -> None:
    text = "one\u2028two\x0cthree\x85\n\n# A\n\ntext\n\nB\n---\n"
    expected = [("A", 1, 3), ("B", 2, 7)]
    assert found(text) == found(text.replace("\n", "\r\n")) == found(text.replace("\n", "\r\n", 2)) == expected


@pytest.mark.rule("DOC-108", "DOC-109", "DOC-110")
@pytest.mark.parametrize(("text", "line"), [("a\rb", 1), ("a\n\r\nb\r\n# c\rd\n", 4), ("a\n\r", 2), ("# a\r\r\n", 1)])
def test_a_lone_carriage_return_is_refused_with_its_line(text: str, line: int) -> None:
    assert refusal(text) == ("inconsistent_line_endings", {"line": line})


@pytest.mark.rule("DOC-108", "DOC-111", "PLT-75")
def test_the_lines_are_counted_before_anything_is_parsed() -> None:
    assert headings("x\n" * (MAX_LINES - 1) + "# A") == [Heading("A", 1, MAX_LINES)]
    assert refusal("x\n" * MAX_LINES) == ("too_many_lines", {"max": MAX_LINES, "total_lines": MAX_LINES + 1})
    # Endings come first, as the number of lines is ambiguous then; tokens come last.
    assert refusal("- x\n" * 2 * MAX_LINES + "\r")[0] == "inconsistent_line_endings"
    assert refusal("- x\n" * 2 * MAX_LINES)[0] == "too_many_lines"


@pytest.mark.rule("DOC-108", "DOC-109", "DOC-113", "PLT-77")
@pytest.mark.parametrize(
    ("text", "tokens", "line"),
    [
        ("a\n\nb\n\nc\n", 6, 3),
        ("# a\n\n# b\n", 3, 1),
        ("|a|b|\n|-|-|\n|1|2|\n|3|4|\n", 10, 1),
        ("|a|b|\n|-|-|\n|1|2|\n|3|4|\n", 18, 3),
        ("|a|b|\n|-|-|\n|1|2|\n|3|4|\n", 24, 4),
        ("- a\n- b\n- c\n", 8, 2),
        ("> a\n> b\n", 1, 1),
    ],
)
def test_the_parse_stops_at_the_token_that_is_one_too_many(text: str, tokens: int, line: int) -> None:
    assert refusal(text, max_tokens=tokens) == ("too_many_tokens", {"max": tokens, "line": line})


@pytest.mark.rule("DOC-109", "DOC-113")
def test_the_line_is_left_out_while_no_token_has_a_place() -> None:
    assert refusal("a\n", max_tokens=0) == ("too_many_tokens", {"max": 0})


@pytest.mark.rule("DOC-113", "PLT-77")
@pytest.mark.parametrize("text", ["# a\n\nb\n", "|a|\n|-|\n|b|\n", "- a\n\n  - b\n", "> a\n\n---\n", "    code\n", "<div>\n"])
def test_exactly_the_ceiling_is_accepted(text: str) -> None:
    tokens = len(block_tokens(text, max_tokens=None, max_sections=None))
    headings(text, max_tokens=tokens)
    assert refusal(text, max_tokens=tokens - 1)[0] == "too_many_tokens"


@pytest.mark.rule("DOC-112", "DOC-114", "DOC-118", "PLT-78")
@pytest.mark.parametrize("text", [("|a" * 100 + "|\n" + "|-" * 100 + "|\n" + "x\n" * 100 + "\n") * 100, "- a\n" * (MAX_LINES - 1)])
def test_many_tables_and_lists_without_a_heading_meet_the_token_ceiling(text: str) -> None:
    code, fields = refusal(text)
    assert (code, fields["max"]) == ("too_many_tokens", MAX_TOKENS)


@pytest.mark.rule("DOC-108", "DOC-109", "DOC-116", "DOC-117")
def test_the_heading_cap_is_crossed_by_the_next_heading() -> None:
    text = "# a\n\nb\n---\n- # not\n"
    assert len(headings(text, max_sections=2)) == 2
    assert refusal(text, max_sections=1) == ("too_many_sections", {"max": 1, "line": 3})
    many = "#\n" * MAX_SECTIONS
    assert len(headings(many, max_lines=None, max_tokens=None)) == MAX_SECTIONS
    code, fields = refusal(many + "#\n", max_lines=None, max_tokens=None)
    assert (code, fields) == ("too_many_sections", {"max": 50_000, "line": 50_001})


@pytest.mark.rule("DOC-118", "PLT-82")
def test_the_ceilings_stand_to_one_another_as_the_contract_says() -> None:
    assert MAX_LINES < MAX_SECTIONS
    assert refusal("#\n" * (MAX_SECTIONS + 1))[0] == "too_many_lines"


def test_lists_in_lists_hide_no_heading_behind_them() -> None:
    """The library alone would drop the rest of the document at the tenth."""
    for depth in (9, 10, 11, 20, MAX_LISTS):
        assert found("- " * depth + "x\n\n# After\n") == [("After", 1, 3)]
    assert refusal("# A\n\n" + "- " * (MAX_LISTS + 1) + "x\n\n# After\n") == ("too_many_tokens", {"max": MAX_TOKENS, "line": 3})


def test_quotes_in_quotes_hide_no_heading_behind_them() -> None:
    for depth in (10, 20, 21, 500):
        assert found("> " * depth + "x\n\n# After\n") == [("After", 1, 3)]
        assert found("> " * depth + "```\n# After\n") == [("After", 1, 2)]
    assert found("> " * 15 + "```\nAfter\n===\n") == [("After", 1, 2)]
    # Deeper it isn't known any more whether the line belongs to a paragraph in the quotes.
    assert refusal("> " * 25 + "```\nAfter\n===\n")[0] == "too_many_tokens"


WALKS = {
    "lazy lines below quotes in quotes": lambda depth: "> " * 15 + "a\n" + "a\n" * depth,
    "quotes that end at their first line, over lines that look like theirs": lambda count: "> # h\na\n" * count,
    "the same with long lines": lambda count: ("> ---\n" + "a" * 10_000 + "\n") * min(count, 50),
}


@pytest.mark.rule("DOC-112", "PLT-76")
@pytest.mark.parametrize("name", WALKS)
def test_what_quotes_walk_over_is_bounded(name: str) -> None:
    """Every quote walks to its end over lines that others walk over again: few bytes and few tokens would take minutes."""
    code, fields = refusal(WALKS[name](7_000))
    assert (code, fields["max"]) == ("too_many_tokens", MAX_TOKENS)
    assert fields["line"] < 200
    headings(WALKS[name](20))


def test_exactly_what_quotes_may_walk_over_is_accepted() -> None:
    lines = MAX_QUOTED // 5
    assert MAX_QUOTED % 5 == 0
    exactly = ">>>>>" + "a\n" * (lines - 1) + "a"
    # The characters of all its lines count beside: as few of them as there can be.
    counted = sum(lines + (2 * lines - 1) // CHARACTERS_OF_A_LINE for _ in range(5))
    assert counted > MAX_QUOTED
    assert refusal(exactly)[0] == "too_many_tokens"
    fewer = lines * MAX_QUOTED // counted - 1
    assert headings(">>>>>" + "a\n" * (fewer - 1) + "a") == []


def test_a_page_that_is_all_a_quote_is_no_walk_too_far() -> None:
    quoted = "> A line of a letter, as long as lines.\n" * (MAX_LINES - 3)
    assert found(quoted + "\n# After") == [("After", 1, MAX_LINES - 1)]
