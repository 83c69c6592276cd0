"""The check of what parsers of documentation cost: that it fails when it should, and, deep, that it passes."""

import random
from pathlib import Path

import pytest

from infra import corpora
from infra.bench import parse_cost
from infra.bench.hostile_pages import MARKDOWN, OUTER, RST, Page, Part, changed, drawn
from shared.budget import DEAREST_READ_CPU_S
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY
from tests.unit.workers.parsing.real_pages import real
from workers.parsing.markdown.limits import MAX_LINES, WORST_CASE_CPU_SECONDS


def test_every_page_that_the_search_makes_passes_the_read_ceiling_and_most_fill_it() -> None:
    draw = random.Random(1)  # noqa: S311 - nothing secret is drawn
    for units in (MARKDOWN, RST):
        full = 0
        for _ in range(60):
            page = changed(drawn(draw, units, OUTER), draw, units, OUTER)
            text = page.text(units, MAX_LINES)
            size, lines = len(text.encode()), text.count("\n") + 1
            assert size <= MAX_FILE_SIZE_FOR_DISPLAY
            assert lines <= MAX_LINES
            full += size > 0.9 * MAX_FILE_SIZE_FOR_DISPLAY or lines > 0.9 * MAX_LINES
        assert full > 40


def test_a_part_stands_in_its_containers_as_it_says() -> None:
    def text(**how: object) -> str:
        return Page([Part("heading in a quote", 1, ">-", **how)]).text(MARKDOWN, 7)  # type: ignore[arg-type]

    assert text() == "> - > # a\n>   a\n>   > # a\n>   a\n>   > # a\n>   a"
    assert text(follow="lazy") == "> - > # a\na\n> # a\na\n> # a\na"
    assert text(follow="anew", gap=True) == "> - > # a\n>   a\n\n> - > # a\n>   a\n"


@pytest.mark.rule("DOC-115", "PLT-79")
def test_a_page_over_its_price_fails_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    small = {suffix: [Page([Part("words", 20_000, gap=True)])] for suffix in parse_cost.KNOWN}
    monkeypatch.setattr(parse_cost, "KNOWN", small)
    assert parse_cost.hostile(0, tmp_path)
    monkeypatch.setattr(parse_cost, "DEAREST_READ_CPU_S", 0)
    assert not parse_cost.hostile(0, tmp_path)
    assert "0 headings" in capsys.readouterr().out


@pytest.mark.rule("DOC-115", "PLT-79")
def test_a_real_page_that_is_refused_fails_the_check_and_so_does_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corpora, "CORPORA", tmp_path)
    assert not parse_cost.real()
    (tmp_path / "p-1").mkdir()
    (tmp_path / "p-1" / "a.md").write_text("# A\n\n> b\n", encoding="utf-8")
    (tmp_path / "p-1" / "too-large.md").write_text("a\n" * MAX_FILE_SIZE_FOR_DISPLAY, encoding="utf-8")
    assert parse_cost.real()
    (tmp_path / "p-1" / "long.md").write_text("a\n" * MAX_LINES, encoding="utf-8")
    assert not parse_cost.real()
    said = capsys.readouterr().out
    assert "p-1/long.md: too_many_lines" in said
    assert "most .md tokens: 8 in p-1/a.md" in said
    assert "most .md walked over by quotes: 1 in p-1/a.md" in said


@pytest.mark.rule("PLT-84")
def test_the_dearest_parse_fits_in_the_price_of_a_read() -> None:
    assert WORST_CASE_CPU_SECONDS <= DEAREST_READ_CPU_S


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.rule("DOC-115", "PLT-79", "PLT-81")
def test_the_dearest_pages_known_fit_and_no_real_page_is_refused(tmp_path: Path) -> None:
    real(".md", ".rst")
    assert parse_cost.hostile(0, tmp_path)
    assert parse_cost.real()
