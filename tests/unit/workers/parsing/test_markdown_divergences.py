"""The table of divergences from GitHub: every row is measured again, and no diverging form is without one."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

import pytest
from markdown_it.common.html_blocks import block_names
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

from tests.unit.workers.parsing import cmark_oracle
from tests.unit.workers.parsing.cmark_oracle import github, ours
from tests.unit.workers.parsing.markdown_causes import ONLY_ONE_SIDE, PYTHON_ONLY_SPACES, TYPE_1, row_of
from tests.unit.workers.parsing.markdown_families import CONTEXTS, FAMILIES, every_other_tag, tag_forms
from tests.unit.workers.parsing.markdown_table import TITLES, Row, cells_of, table
from tests.unit.workers.parsing.markdown_triggers import findings, triggers_in
from workers.parsing.markdown.limits import MAX_TOKENS

ROOT = Path(__file__).parents[4]
TABLE = table()
OTHER_ELEMENTS = """
a abbr acronym applet area audio b bdi bdo bgsound big blink br button canvas cite code data datalist del dfn em embed i image img input
ins kbd keygen label map mark marquee math meter multicol nobr noscript object output picture plaintext portal progress q rb rp rt rtc
ruby s samp slot small spacer span strike strong sub sup svg template time tt u var video wbr xmp
"""
ROWS = [pytest.param(row, id=f"row {row.number}") for row in TABLE.rows]


def diverging(forms: Iterable[str]) -> list[str]:
    return [form for form in forms if github(form) != ours(form)]


@lru_cache
def measured(number: int) -> tuple[list[str], list[str]]:
    forms = list(FAMILIES[number]())
    return forms, diverging(forms)


@pytest.mark.rule("MDG-1", "MDG-3")
def test_the_numbers_belong_to_the_versions_that_run_here() -> None:
    assert cmark_oracle.versions() == {"markdown-it-py": TABLE.markdown_it_py, "cmarkgfm": TABLE.cmarkgfm}
    assert cmark_oracle.cmark_version() == TABLE.cmark_gfm == "0.29.0.gfm.13"


@pytest.mark.rule("MDG-7", "MDG-13", "MDG-16")
def test_the_table_has_the_contract_s_rows_and_a_family_for_each() -> None:
    assert [row.number for row in TABLE.rows] == list(FAMILIES) == list(range(1, len(FAMILIES) + 1))
    assert [row.cause for row in TABLE.rows[:5]] == [
        "A type 7 HTML tag directly after a container line (list item or quote)",
        "The block tag list of CommonMark 0.31.2: `source`/`search`",
        "A table that crosses the completed-cells cap of markdown-it-py 4.x",
        "A setext heading attached to a link definition",
        "A space character that markdown-it-py recognises and cmark-gfm does not, after the name of an HTML tag",
    ]


@pytest.mark.rule("MDG-5", "MDG-6", "MDG-9", "MDG-14", "MDG-20", "MDG-38", "MDG-43", "MDG-44")
@pytest.mark.parametrize("row", ROWS)
def test_each_side_returns_for_the_examples_what_the_row_says(row: Row) -> None:
    assert row.maps
    for example in row.maps:
        assert github(example.text) == example.github, example.text
        assert ours(example.text) == example.ours, example.text
        assert row_of(example.text) == row.number


@pytest.mark.rule("MDG-4", "MDG-10", "MDG-11", "MDG-13", "MDG-22", "MDG-37", "MDG-40")
@pytest.mark.parametrize("row", ROWS)
def test_each_family_diverges_as_often_as_the_row_says_and_for_its_cause_alone(row: Row) -> None:
    forms, diverge = measured(row.number)
    assert len(forms) == len(set(forms)) == row.forms
    assert len(diverge) == row.diverging
    assert {row_of(form) for form in diverge} == {row.number}


@pytest.mark.rule("MDG-11")
def test_no_form_stands_in_two_families_that_it_diverges_in() -> None:
    everything = [form for number in FAMILIES for form in measured(number)[1]]
    assert len(everything) == len(set(everything))


@pytest.mark.rule("MDG-17", "MDG-19", "MDG-11")
def test_every_other_tag_agrees_but_for_four_forms_of_row_1() -> None:
    forms = list(every_other_tag())
    assert len(forms) == 1_950
    diverge = diverging(forms)
    assert diverge == [CONTEXTS[1].format(f"</{name}>") for name in TYPE_1]
    assert {row_of(form) for form in diverge} == {1}


@pytest.mark.rule("MDG-18", "MDG-19")
def test_the_two_block_tag_lists_differ_only_by_the_known_row() -> None:
    candidates = {*block_names, *ONLY_ONE_SIDE, *OTHER_ELEMENTS.split()}
    swallowed = {name for name in candidates if github(f"text\n<{name}>\n## B\n") == []}
    assert swallowed - set(block_names) == {"source"}
    assert set(block_names) - swallowed == {"search"}
    assert len(swallowed | set(block_names)) == 63
    assert {name for name in candidates if ours(f"text\n<{name}>\n## B\n") == []} == set(block_names)


@pytest.mark.rule("MDG-21")
@pytest.mark.parametrize("container", ["- item", "> item"])
def test_an_empty_line_before_the_tag_removes_row_1(container: str) -> None:
    text = f"## Before\n\n{container}\n\n<br>\n## After\n"
    assert github(text) == ours(text) == [(2, 1)]


@pytest.mark.rule("MDG-12", "MDG-23", "MDG-24", "MDG-25", "MDG-26", "MDG-27", "MDG-28", "MDG-29")
def test_row_2_diverges_where_the_contract_says() -> None:
    names = {name: [form for form in tag_forms(name) if form not in {f"<{name}> text", f"<{name}"}] for name in ONLY_ONE_SIDE}
    paragraph, item = CONTEXTS[:2]
    expected = {paragraph.format(form) for forms in names.values() for form in forms}
    expected |= {item.format(form) for form in names["source"]}
    expected |= {context.format(form) for name in ONLY_ONE_SIDE for form in (f"<{name}> text", f"<{name}") for context in CONTEXTS[:4]}
    assert set(measured(2)[1]) == expected
    assert len(expected) == 28


@pytest.mark.rule("MDG-30")
def test_the_closed_divergence_stays_closed() -> None:
    closed = [row.closed for row in TABLE.rows if row.closed]
    assert closed == ["## לפני\n\n- פריט\n<search>\n## אחרי\n"]
    assert github(closed[0]) == ours(closed[0]) == [(2, 1)]


@pytest.mark.rule("MDG-31", "MDG-32", "MDG-33", "MDG-34", "MDG-35", "MDG-36", "MDG-37")
def test_row_3_begins_at_the_cap_and_only_before_an_underline() -> None:
    assert MAX_AUTOCOMPLETED_CELLS == 65_536
    forms, diverge = measured(3)
    assert [form.rsplit("x\n", 1)[1] for form in diverge] == ["---\n", "===\n"]
    assert {form.count("x\n") for form in diverge} == {257}
    assert all(form.count("x\n") == 256 for form in forms[:4])
    assert len(TABLE.rows[2].maps[0].text.encode()) == 1_682


@pytest.mark.rule("MDG-39", "PLT-83")
def test_the_token_ceiling_stops_before_row_3_can_begin() -> None:
    assert MAX_TOKENS < 3 * MAX_AUTOCOMPLETED_CELLS == 196_608


@pytest.mark.rule("MDG-41", "MDG-42", "MDG-43", "MDG-44", "MDG-46")
def test_row_4_holds_three_kinds_and_the_distance_is_the_definition_s_lines() -> None:
    other_line = only_github = only_ours = 0
    for form in measured(4)[1]:
        theirs, mine = github(form), ours(form)
        if [level for level, _ in theirs] == [level for level, _ in mine]:
            other_line += 1
            assert all(line <= own for (_, line), (_, own) in zip(theirs, mine, strict=True))
        else:
            only_github += len(theirs) > len(mine)
            only_ours += len(theirs) < len(mine)
    assert (other_line, only_github, only_ours) == (125, 5, 75)
    for definition in ("[a]: /u", "[a]:\n/u", '[a]: /u\n"t"', "[a]: /u\n[b]: /v", "[a\nb]:\n/u"):
        assert github(f"{definition}\nText\n---\n") == [(2, 1)]
        assert ours(f"{definition}\nText\n---\n") == [(2, definition.count("\n") + 2)]


@pytest.mark.rule("MDG-47", "MDG-50")
def test_the_spaces_of_python_alone_are_the_23_that_are_written_down() -> None:
    written = "\x1c\x1d\x1e\x1f\x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
    assert sorted(PYTHON_ONLY_SPACES) == sorted(written)
    assert len(written) == 23
    trigger = re.compile(TABLE.rows[4].trigger or "")
    assert all(trigger.match(f"<div{space}") for space in written)
    assert not trigger.match("<div x>")


@pytest.mark.rule("MDG-48", "MDG-49", "MDG-51", "MDG-52", "MDG-53", "MDG-54", "MDG-55", "MDG-56")
def test_row_5_hides_a_heading_from_us_where_the_contract_says() -> None:
    forms, diverge = measured(5)
    assert all(len(github(form)) > len(ours(form)) for form in diverge)
    quote = CONTEXTS[4].split("{}")[0]
    assert not [form for form in diverge if form.startswith(quote)]
    for name, contexts in (("div", 4), ("pre", 4), ("b", 2)):
        for space in PYTHON_ONLY_SPACES:
            line = f'<{name}{space}class="x">'
            assert sum(context.format(line) in set(diverge) for context in CONTEXTS) == contexts, (name, space)
    separated = [form for form in forms if re.search(r'<(div|pre) id="y"[^ ]class', form)]
    assert separated
    assert not set(separated) & set(diverge)
    unclosed = [form for form in forms if re.search(r"<b[^ ](?:class=\"x\"> text)?\n", form)]
    assert unclosed
    assert not set(unclosed) & set(diverge)


@pytest.mark.rule("MDG-8")
def test_the_documentation_table_is_this_table() -> None:
    lines = (ROOT / "docs" / "markdown.md").read_text(encoding="utf-8").splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("| # |"))
    assert cells_of(lines[start]) == list(TITLES)
    rows = [cells_of(line) for line in takewhile(lambda line: line.startswith("|"), lines[start + 2 :])]
    assert rows == [row.cells(TABLE.versions) for row in TABLE.rows]


@pytest.mark.rule("MDG-59", "MDG-60", "MDG-68")
def test_no_page_of_the_documentation_holds_a_trigger() -> None:
    assert findings(ROOT / "docs") == []


@pytest.mark.rule("MDG-58", "MDG-60", "MDG-61", "MDG-62", "MDG-63", "MDG-64", "MDG-65")
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<source>\n", [1]),
        ("text\n  </SEARCH >\n", [2]),
        ("<sources>\n\na <source>\n", []),
        ("```\n<source>\n```\n\n    <source>\n", []),
        ("---\n<source>\n---\n", []),
        ("<video>\n<source src='x'>\n</video>\n", []),
        ("<div>\n<source>\n", []),
        ("<div>\n\n<source>\n", [3]),
        ("<source>\n<search>\n", [1, 2]),
        ("<div\u00a0class='x'>\n<source>\n", [1, 2]),
        ("<div class='a\u00a0b'>\n<source>\n", [2]),
        ("text\n<b\u3000x>\n", [2]),
        ("<div id='y'\u00a0class='x'>\n", []),
    ],
)
def test_a_trigger_is_a_line_of_text_that_shows_a_cause(text: str, lines: list[int]) -> None:
    assert [line for line, _ in triggers_in(text)] == lines


@pytest.mark.rule("MDG-65", "MDG-66", "MDG-67")
def test_the_scan_names_the_file_and_accepts_no_empty_folder(tmp_path: Path) -> None:
    assert findings(tmp_path) == [f"{tmp_path}: no page"]
    (tmp_path / "deep").mkdir()
    page, other = tmp_path / "deep" / "page.md", tmp_path / "other.md"
    page.write_text("# A\n\n<source>\n", encoding="utf-8")
    other.write_bytes(b"caf\xe9\n")
    assert findings(tmp_path) == [f"{page}:3: row 2", f"{other}: not UTF-8"]
