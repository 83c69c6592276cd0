"""The Markdown map against cmark-gfm on documents put together from lines of every kind, and texts made to cost time."""

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.unit.workers.parsing.cmark_oracle import github, ours
from tests.unit.workers.parsing.markdown_causes import row_of
from workers.parsing.headings import ParseRefused
from workers.parsing.markdown.headings import headings
from workers.parsing.outline import has_lone_carriage_return

LINES = [
    *(
        "# H",
        "## H2",
        "Text",
        "text two",
        "---",
        "===",
        "- item",
        "- ",
        "-",
        "1. one",
        "2. two",
        "> q",
        ">",
        "> ```",
        "> # q",
        "```",
        "~~~",
    ),
    *("````", "    code", "  ind", "   three", "\ttab", "- # in", "  # in2", "* * *", "***", "<div>", "</div>", "<!-- c", "-->", "<b>"),
    *("<script>", "</script>", "|a|b|", "|-|-|", "| x | y |", "|a", "|-", "a|b", "-|-", "", "", "  ", "#", "##", "#nope", "# H #", "- a"),
    *("  - b", "    - c", "      d", "* x", "+ y", "10) z", "  > m", "> > qq", "> - l", "- > lq", "`` `", "\\# esc", "Text  ", "Title\\"),
    *("--", "=", "- ---", "-\t# t", "1.", "   # ind3", "    # ind4", "> text", "lazy", "<?php", "?>", "<![CDATA[", "]]>", "<!X", "</p>"),
    *(
        "<a href='x'>",
        "<hr>",
        "&nbsp;",
        "- [ ] t",
        "[^1]: foot",
        "+++",
        "...",
        "---\t",
        "=== x",
        "- - -",
        "> ---",
        "> ===",
        "  ---",
        "  ===",
    ),
    *("[a]: /u", "[a]:", "/u", "'title'", "[b]: /v 'x'", "- [a]: /u", "> [a]: /u", "[a]: <>", "\xa0nb", "\x0c", "\x0b# x", "\u2028"),
    *("\x0c---", "#\xa0x", "#\x0cx", "---\x0c", "---\xa0", "===\x0b", "-\xa0x", "```\x0c", "\x85", "# a\u2028b", "<source>", "<search>"),
    *("<div\xa0x>", "<b\u3000>", "<br/>"),
]
LINE = st.sampled_from(LINES)
DOCUMENTS = st.one_of(
    st.lists(LINE, min_size=2, max_size=8, unique=True).flatmap(lambda lines: st.lists(st.sampled_from(lines), max_size=10)),
    st.lists(LINE, max_size=10),
)


def agree(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    if github(text) != ours(text):
        assert row_of(text) is not None, f"a divergence that no row explains: {text!r}"


@pytest.mark.rule("MDG-2", "MDG-4", "MDG-5", "MDG-6", "MDG-11", "DOC-133")
@pytest.mark.timeout(1800)
@examples(1_000, deep=200_000)
@given(DOCUMENTS)
def test_documents_have_the_headings_that_github_shows_or_a_row_that_says_why_not(lines: list[str]) -> None:
    agree(lines)


@given(st.text(st.sampled_from(" \t\n\r\f\v#=->*+1.)`~|:<!?/aA[]()\\\"'&\u2028\x85\xa0\0\ud800"), max_size=80))
@examples(400)
def test_nothing_is_raised_but_a_refusal(text: str) -> None:
    if has_lone_carriage_return(text):
        with pytest.raises(ParseRefused, match="inconsistent_line_endings"):
            headings(text)
        return
    lines = text.split("\n")
    found = headings(text)
    assert [heading.line for heading in found] == sorted({heading.line for heading in found})
    assert all(lines[heading.line - 1].strip() for heading in found)
    for cap in (0, 3):
        with contextlib.suppress(ParseRefused):
            headings(text, max_tokens=cap)


def filled(unit: str) -> str:
    """As many of `unit` as fit into 512,000 characters and 14,990 lines."""
    return unit * min(512_000 // len(unit), 14_990 // unit.count("\n") if "\n" in unit else 512_000)


HOSTILE = {
    "lists in lists": filled("- " * 100 + "x\n\nz\n\n"),
    "lists without an end": filled("- " * 2_000 + "x\n"),
    "quotes and lazy lines": "> " * 20 + "x\n" + filled("a\n"),
    "quotes": filled(">" * 33 + "\n"),
    "definitions": filled("[a]: /u\n"),
    "labels": filled("[a\n"),
    "one paragraph": filled("a\n"),
    "one heading": filled("a\n")[:-100] + "---\n",
    "headings": filled("#\n"),
    "attributes": "<a" + " b" * 200_000 + "\n",
    "tags": filled("<a b b b b b b b b b b b b b b!\n"),
    "columns": "|a" * 100_000 + "|\n" + "|-" * 100_000 + "|\n",
    "tables": filled("|a\n|-\n\n"),
    "items": filled("- a\n"),
    "dashes": "-" * 500_000 + "x",
    "tabs": filled("\t" * 30 + "a\n"),
    "blank": "\n" * 14_990,
    "front matter": "---\n" + filled("a\n")[:-100],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_bounded_by_the_ceilings(name: str) -> None:
    before = time.process_time()
    with contextlib.suppress(ParseRefused):
        headings(HOSTILE[name])
    assert time.process_time() - before < 10
