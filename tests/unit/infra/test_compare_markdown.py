"""The script that compares Markdown pages with GitHub, run as a person runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.workers.parsing.markdown_table import table

ROOT = Path(__file__).parents[3]


def run(*paths: Path) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, "-m", "infra.compare_markdown", *map(str, paths)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.md").write_text("# A\n\ntext\n\n## B\n\n- # not\n", encoding="utf-8")
    (tmp_path / "deep" / "b.md").write_bytes(b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\n# C\r\n")
    (tmp_path / "other.txt").write_text("<source>\n", encoding="utf-8")
    return tmp_path


@pytest.mark.rule("MDG-69", "MDG-71")
def test_pages_that_agree_pass_whatever_names_them(pages: Path) -> None:
    total = "2 files, 3 headings, 0 disagreements, 0 trigger lines, 0 other findings"
    assert run(pages) == run(pages / "deep", pages / "a.md", pages / "a.md") == (0, [total])


@pytest.mark.rule("MDG-69", "MDG-71")
def test_a_disagreement_fails_the_run_and_shows_line_row_and_both_maps(pages: Path) -> None:
    example = table().rows[0].maps[0]
    page = pages / "deep" / "planted.md"
    page.write_text(example.text, encoding="utf-8")
    code, (found, total) = run(pages)
    assert code == 1
    assert found == f"{page}:5: disagreement, row 1; GitHub: {example.github}, ours: {example.ours}"
    assert total == "3 files, 5 headings, 1 disagreements, 0 trigger lines, 0 other findings"


@pytest.mark.rule("MDG-60", "MDG-70", "MDG-71")
def test_a_trigger_line_fails_the_run_even_where_the_maps_agree(pages: Path) -> None:
    page = pages / "planted.md"
    page.write_text("# A\n\n<source>\n\n```\n<source>\n```\n", encoding="utf-8")
    code, lines = run(pages)
    assert (code, lines[0]) == (1, f"{page}:3: trigger of row 2")
    assert lines[1] == "3 files, 4 headings, 0 disagreements, 1 trigger lines, 0 other findings"


@pytest.mark.rule("MDG-66", "MDG-69")
@pytest.mark.parametrize(
    ("content", "finding"), [(b"caf\xe9\n", "not UTF-8"), (b"# A\r# B\n", "inconsistent_line_endings"), (None, "not there")]
)
def test_what_cant_be_compared_fails_the_run_with_its_name(pages: Path, content: bytes | None, finding: str) -> None:
    page = pages / "planted.md"
    if content is not None:
        page.write_bytes(content)
    code, lines = run(pages, page)
    assert code == 1
    assert lines[0] == f"{page}: {finding}"


@pytest.mark.rule("MDG-67")
def test_a_run_without_a_page_fails(tmp_path: Path) -> None:
    code, lines = run(tmp_path)
    assert (code, lines[-1]) == (1, "no page")
