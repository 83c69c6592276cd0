"""The headings of reStructuredText: the contract's tables, by hand, each also held against docutils."""

from pathlib import Path

import pytest

from tests.unit.workers.parsing import rst_oracle
from workers.parsing.headings import MAX_SECTIONS, Heading, ParseRefused
from workers.parsing.outline import MAX_SYMBOLS
from workers.parsing.rst.headings import headings

CASE = Path(__file__).parents[3] / "cases" / "08-rst-adornments" / "manual.rst"


def lines(form: str) -> str:
    """The contract writes a line end as ` / ` and a leading space as a middle dot."""
    return form.replace(" / ", "\n").replace("·", " ") + "\n"


def found(text: str) -> list[tuple[str, int, int]]:
    ours = [(heading.title, heading.level, heading.line) for heading in headings(text)]
    read = rst_oracle.read(text)
    assert [(level, title) for title, level, _ in ours] == read.titles
    return ours


@pytest.mark.parametrize(
    ("form", "titles"),
    [
        pytest.param("Title / =====", [("Title", 1, 1)], marks=pytest.mark.rule("OUT-69")),
        pytest.param("===== / Title / =====", [("Title", 1, 1)], marks=pytest.mark.rule("OUT-70")),
        pytest.param("======= / ·Title / =======", [("Title", 1, 1)], marks=pytest.mark.rule("OUT-71")),
        pytest.param("Long title / ====", [("Long title", 1, 1)], marks=pytest.mark.rule("OUT-72")),
        pytest.param("Title / ===", [], marks=pytest.mark.rule("OUT-73")),
        pytest.param("A / =", [("A", 1, 1)], marks=pytest.mark.rule("OUT-74")),
        pytest.param("標題 / ==", [], marks=pytest.mark.rule("OUT-75")),
        pytest.param("標題 / ====", [("標題", 1, 1)], marks=pytest.mark.rule("OUT-75")),
        pytest.param("e\u0301e / ==", [("e\u0301e", 1, 1)], marks=pytest.mark.rule("OUT-75")),
        pytest.param("====== / Title / =====", [], marks=pytest.mark.rule("OUT-76")),
        pytest.param("===== / Title / -----", [], marks=pytest.mark.rule("OUT-76")),
        pytest.param("===== / Title", [], marks=pytest.mark.rule("OUT-76")),
        pytest.param("==== / Title long / ====", [("Title long", 1, 1)], marks=pytest.mark.rule("OUT-77")),
        pytest.param("=== / Title / ===", [], marks=pytest.mark.rule("OUT-77")),
        pytest.param("text / Title / =====", [], marks=pytest.mark.rule("OUT-78")),
        pytest.param("··Title / ··=====", [], marks=pytest.mark.rule("OUT-79", "DOC-135")),
        *[
            pytest.param(form, [], marks=pytest.mark.rule("OUT-80"))
            for form in ("- item / ------", ":field: x / ------", "| line / ------", ">>> x / -----", ".. comment / ---")
        ],
        *[
            pytest.param(f"{title} / ---------", [(title, 1, 1)], marks=pytest.mark.rule("OUT-81"))
            for title in ("1. Intro", "A. Setup", "2.1 Setup", "1) Setup")
        ],
        pytest.param("text /  / ---- /  / more", [], marks=pytest.mark.rule("OUT-82")),
        pytest.param(".. comment / Title / =====", [("Title", 1, 2)], marks=pytest.mark.rule("OUT-83")),
        pytest.param(".. note:: x / Title / =====", [("Title", 1, 2)], marks=pytest.mark.rule("OUT-83")),
        pytest.param("- a / T / =", [("T", 1, 2)], marks=pytest.mark.rule("OUT-83")),
        pytest.param("Title / ======··", [("Title", 1, 1)], marks=pytest.mark.rule("OUT-84")),
        pytest.param("Title / ─────", [], marks=pytest.mark.rule("OUT-84")),
        pytest.param("Title / aaaaa", [], marks=pytest.mark.rule("OUT-84")),
        pytest.param("Title / 11111", [], marks=pytest.mark.rule("OUT-84")),
        pytest.param("Title / ====-", [], marks=pytest.mark.rule("OUT-84")),
        *[
            pytest.param(form, [], marks=pytest.mark.rule("OUT-85", "DOC-135"))
            for form in (
                "See:: /  / ··Fake / ··====",
                ".. code:: /  / ··Fake / ··====",
                ".. code-block:: rst /  / ··Fake / ··====",
                ".. / ··Fake / ··====",
                "·Fake / ·====",
                ".. only:: html /  / ··Fake / ··====",
                ".. note:: /  / ··Fake / ··====",
            )
        ],
        pytest.param("· Tab / ·\t===", []),
        pytest.param("\tTab / \t===", []),
        pytest.param("Tab\there / ==============", [("Tab\there", 1, 1)]),
        pytest.param("\x0cFeed / =====", []),
    ],
)
def test_a_form_is_a_heading_or_not_as_docutils_says(form: str, titles: list[tuple[str, int, int]]) -> None:
    ours = [(heading.title, heading.level, heading.line) for heading in headings(lines(form))]
    assert ours == titles
    read = rst_oracle.read(lines(form)).titles
    assert [(level, title.expandtabs(8)) for title, level, _ in ours] == read


@pytest.mark.rule("OUT-84")
def test_every_ascii_punctuation_character_is_an_adornment_and_a_style_of_its_own() -> None:
    signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    nested = "".join(f"T{index}\n{sign * 5}\n\n" for index, sign in enumerate(signs))
    assert [level for _, level, _ in found(nested)] == list(range(1, 33))
    overlined = "".join(f"{sign * 5}\nT{index}\n{sign * 5}\n\n" for index, sign in enumerate(signs))
    assert [level for _, level, _ in found(nested + overlined)] == list(range(1, 65))


@pytest.mark.rule("OUT-66", "DOC-135")
@pytest.mark.parametrize("signs", ["=-~", "~=-", "^.#"])
def test_levels_follow_the_order_of_appearance_and_no_character_has_one(signs: str) -> None:
    one, two, three = signs
    text = f"A\n{one}\n\nB\n{two}\n\nC\n{three}\n\nD\n{two}\n\nE\n{one}\n"
    assert [(title, level) for title, level, _ in found(text)] == [("A", 1), ("B", 2), ("C", 3), ("D", 2), ("E", 1)]


@pytest.mark.rule("OUT-67", "OUT-91")
def test_an_overline_makes_another_style_of_the_same_character() -> None:
    assert found("=====\nTitle\n=====\n\nSub\n===\n") == [("Title", 1, 1), ("Sub", 2, 5)]
    assert found("Top\n===\n\n===\nSub\n===\n") == [("Top", 1, 1), ("Sub", 2, 4)]


@pytest.mark.rule("OUT-68", "DOC-136")
def test_a_heading_that_skips_a_level_is_none_and_its_style_is_not_learned() -> None:
    text = "A\n=\n\nB\n-\n\nC\n~\n\nD\n=\n\nE\n~\n\nF\n-\n"
    assert found(text) == [("A", 1, 1), ("B", 2, 4), ("C", 3, 7), ("D", 1, 10), ("F", 2, 16)]
    # `^` is new where the text isn't at the deepest level: refused, and then, at the deepest, it is the next level.
    text = "A\n=\n\nB\n-\n\nC\n=\n\nX\n^\n\nD\n-\n\nE\n^\n"
    assert found(text) == [("A", 1, 1), ("B", 2, 4), ("C", 1, 7), ("D", 2, 13), ("E", 3, 16)]


@pytest.mark.rule("OUT-65")
def test_the_oracle_is_the_docutils_that_the_contract_names() -> None:
    assert rst_oracle.docutils.__version__ == rst_oracle.VERSION


@pytest.mark.rule("OUT-86")
def test_an_included_file_is_not_opened() -> None:
    text = f"A\n=\n\n.. include:: {CASE}\n\nB\n-\n"
    assert found(text) == [("A", 1, 1), ("B", 2, 6)]


@pytest.mark.rule("OUT-101")
def test_a_quoted_literal_block_is_not_recognized() -> None:
    text = "Title\n=====\n\nSee::\n\n> a\n> -\n\n> Quoted\n--------\n"
    assert rst_oracle.read(text).quoted
    assert [heading.title for heading in headings(text)] == ["Title", "> Quoted"]


def test_lines_are_counted_by_line_feeds_alone() -> None:
    text = "one\u2028two\u0085three\x1cfour\n\nTitle\r\n=====\r\n\r\n\x0b\nSub\n---\n"
    assert headings(text) == [Heading("Title", 1, 3), Heading("Sub", 2, 7)]


@pytest.mark.rule("DOC-108", "DOC-109", "DOC-110")
def test_a_lone_carriage_return_is_refused_without_a_line() -> None:
    with pytest.raises(ParseRefused) as refused:
        headings("Title\n=====\n\none\rtwo\n")
    assert (refused.value.code, refused.value.fields) == ("inconsistent_line_endings", {})
    assert headings("Title\r\n=====\r\n") == [Heading("Title", 1, 1)]


@pytest.mark.rule("DOC-108", "DOC-109", "DOC-116", "DOC-117")
def test_the_cap_is_crossed_by_the_next_heading_and_not_by_those_that_are_none() -> None:
    full = "A\n=\n\n" * MAX_SECTIONS
    assert len(headings(full)) == MAX_SECTIONS == 50_000
    assert len(headings(full + "text\n\n  A\n  =\n")) == MAX_SECTIONS
    with pytest.raises(ParseRefused) as refused:
        headings(full + "A\n=\n")
    assert (refused.value.code, refused.value.fields) == ("too_many_sections", {"max": 50_000})


@pytest.mark.rule("DOC-116", "OUT-16")
def test_the_heading_cap_is_the_outline_s_ceiling() -> None:
    assert MAX_SECTIONS == MAX_SYMBOLS


@pytest.mark.rule("OUT-66", "OUT-67", "OUT-69", "OUT-72", "OUT-73", "OUT-75", "OUT-82", "OUT-85")
def test_the_case_of_title_styles() -> None:
    assert found(CASE.read_text(encoding="utf-8")) == [
        ("Manual", 1, 1),
        ("Setup", 2, 7),
        ("Linux", 3, 12),
        ("Second", 1, 38),
        ("設定 guide", 2, 44),
        ("Up", 2, 49),
        ("Too long for it", 2, 54),
    ]
