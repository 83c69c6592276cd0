"""The map of a reStructuredText file: names and ranges."""

from pathlib import Path

import pytest

from workers.parsing import outline as outlines
from workers.parsing.outline import NoOutline
from workers.parsing.rst.outline import outline

CASE = Path(__file__).parents[3] / "cases" / "08-rst-adornments" / "manual.rst"
R1 = """\
.. _top:

=======
Install
=======

Intro.

.. _reqs:

Requirements
------------

Text.

Python
~~~~~~

3.11+

Usage
-----

Run it.
"""


def rows(text: str) -> list[str]:
    return [f"{symbol.name} {symbol.start}-{symbol.end}" for symbol in outline(text)]


@pytest.mark.rule("OUT-64", "OUT-87", "OUT-91", "OUT-92", "OUT-93", "OUT-94")
def test_headings_are_named_along_the_hierarchy_and_labels_stand_alone() -> None:
    assert rows(R1) == [
        "_top 1-1",
        "Install 3-25",
        "_reqs 9-9",
        "Install.Requirements 11-20",
        "Install.Requirements.Python 16-20",
        "Install.Usage 21-25",
    ]


@pytest.mark.rule("OUT-67")
def test_two_styles_of_one_character() -> None:
    assert rows("=====\nTitle\n=====\n\nSub\n===\n") == ["Title 1-7", "Title.Sub 5-7"]
    assert rows("Top\n===\n\n===\nSub\n===\n") == ["Top 1-7", "Top.Sub 4-7"]


@pytest.mark.rule("OUT-68")
def test_the_lines_of_a_heading_that_skips_a_level_stay_where_they_are() -> None:
    text = "A\n=\n\nB\n-\n\nC\n~\n\nD\n=\n\nE\n~\n\nF\n-\n"
    assert rows(text) == ["A 1-9", "A.B 4-9", "A.B.C 7-9", "D 10-18", "D.F 16-18"]


@pytest.mark.rule("OUT-78", "OUT-80", "OUT-85")
def test_text_that_only_looks_like_a_heading() -> None:
    assert rows("Title\n=====\n\nSee::\n\n  Fake\n  ====\n\none\nTwo\n===\n\n- item\n------\n") == ["Title 1-15"]


@pytest.mark.rule("OUT-88", "OUT-89", "OUT-4")
def test_names_are_source_text() -> None:
    text = "API\n===\n\nservices.backup\\_service module\n-------------------------------\n\n``code_snippets``\n-----------------\n"
    assert rows(text) == ["API 1-9", "API.services.backup\\_service module 4-6", "API.``code_snippets`` 7-9"]
    names = [symbol.name for symbol in outline(text)]
    assert [name for name in names if "backup_service" in name] == []
    assert len([name for name in names if "backup\\_service" in name]) == 1
    assert len([name for name in names if "_" in name]) == 2


@pytest.mark.rule("OUT-98", "OUT-99", "OUT-5")
def test_a_label_has_one_line_and_equal_ones_are_all_there() -> None:
    assert rows(".. _a:\n.. _b:\n.. _a:\n\nT\n=\n") == ["_a 1-1", "_b 2-2", "_a 3-3", "T 5-7"]


@pytest.mark.rule("OUT-90")
def test_a_dot_in_a_heading_stays_in_the_name() -> None:
    assert rows("a.b\n===\n\nc\n-\n") == ["a.b 1-6", "a.b.c 4-6"]


@pytest.mark.rule("OUT-102")
@pytest.mark.parametrize("text", ["", "\n", "text\n", "----\n"])
def test_a_file_without_headings_has_an_empty_map(text: str) -> None:
    assert outline(text) == []


@pytest.mark.rule("OUT-10", "OUT-11", "OUT-2", "OUT-3")
def test_crlf_and_mixtures_are_mapped_by_the_same_lines() -> None:
    assert rows(R1.replace("\n", "\r\n")) == rows(R1)
    assert rows(R1.replace("\n", "\r\n", 7)) == rows(R1)
    assert rows("A\u2028B\n===\n\x0c\nx") == ["A\u2028B 1-4"]


@pytest.mark.rule("OUT-6", "OUT-7")
def test_a_nested_label_takes_its_place_by_line() -> None:
    assert rows("A\n=\n\n.. note::\n\n   .. _in:\n\nB\n=\n") == ["A 1-7", "_in 6-6", "B 8-10"]


def test_names_that_repeat_a_huge_title_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "T" * 1_000 + "\n====\n\n" + "A\n-\n\n" * 100
    assert len(outline(text)) == 101
    monkeypatch.setattr(outlines, "MAX_NAME_CHARACTERS", 50_000)
    with pytest.raises(NoOutline, match="too_many_symbols"):
        outline(text)


@pytest.mark.rule("OUT-66", "OUT-67", "OUT-69", "OUT-71", "OUT-75", "OUT-87", "OUT-91", "OUT-92", "DOC-21", "DOC-22")
def test_the_case_of_title_styles() -> None:
    assert rows(CASE.read_text(encoding="utf-8")) == [
        "Manual 1-37",
        "Manual.Setup 7-37",
        "Manual.Setup.Linux 12-37",
        "Second 38-63",
        "Second.設定 guide 44-48",
        "Second.Up 49-53",
        "Second.Too long for it 54-63",
    ]
