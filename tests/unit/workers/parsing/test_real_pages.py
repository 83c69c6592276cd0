"""Heading maps of real pages: against GitHub's parser and docutils, and every section begins with its heading. Deep: the corpora."""

import re
from pathlib import Path

import pytest

from infra import corpora
from infra.compare_markdown import Totals, compare
from tests.unit.workers.parsing.markdown_table import cells_of
from tests.unit.workers.parsing.real_pages import real, texts
from tests.unit.workers.parsing.test_rst_oracle import agree_on
from workers.parsing.outline import has_lone_carriage_return
from workers.sections.documents import FORMATS
from workers.sections.section_tree import Document, make_document

pytestmark = [pytest.mark.deep, pytest.mark.timeout(1800)]

DOCUMENTATION = Path(__file__).parents[4] / "docs" / "markdown.md"
OTHER_RST = 400
"""How many pages of packages beside docutils, Sphinx and CPython are compared."""
SECTION_PAGES = 1_500
"""How many pages of each suffix have their sections looked at."""

KNOWN_FINDINGS = [
    "issue-fixes.md:225: trigger of row 5",
    "issue-fixes.md:229: trigger of row 5",
    "issue-fixes.md:236: trigger of row 5",
    "tables.md:395: disagreement, row 8; GitHub: [(1, 395), (1, 419)], ours: []",
]
"""Inputs of markdown-it-py's own tests, which are there to be odd."""


@pytest.mark.rule("MDG-4", "MDG-5", "MDG-6", "MDG-7", "MDG-70")
def test_markdown_pages_have_the_headings_that_github_shows_but_for_the_known_ones() -> None:
    real(".md")
    totals = Totals()
    found = [finding.rsplit("/", 1)[1] for finding in compare([corpora.CORPORA], totals)]
    assert found == KNOWN_FINDINGS
    lines = DOCUMENTATION.read_text(encoding="utf-8").splitlines()
    (stated,) = [cells_of(line) for line in lines if line.startswith("| The `.md` pages of the packages")]
    assert stated[1:] == [f"{count:,}" for count in (totals.files, totals.headings, totals.disagreements, totals.triggers)]


@pytest.mark.rule("OUT-65", "OUT-66", "OUT-67", "OUT-68", "DOC-135")
@pytest.mark.parametrize("package", ["docutils-", "sphinx-9", corpora.CPYTHON])
def test_every_rst_page_of_those_who_made_it_has_the_titles_and_labels_that_docutils_reads(package: str) -> None:
    files = real(".rst", under=[package])
    # The others aren't UTF-8, or hold a quoted literal block, which the scanner doesn't know (OUT-101).
    assert sum(map(agree_on, files)) > 0.9 * len(files)


@pytest.mark.rule("OUT-65")
def test_rst_pages_of_others_have_the_titles_and_labels_that_docutils_reads() -> None:
    others = [f"{name}-{version}" for name, version in corpora.PACKAGES if name not in {"docutils", "sphinx"}]
    files = real(".rst", under=others, at_most=OTHER_RST)
    assert sum(map(agree_on, files)) > 0.9 * len(files)


@pytest.mark.rule("DOC-21", "DOC-22", "DOC-48", "DOC-49", "OUT-91")
@pytest.mark.parametrize("suffix", FORMATS)
def test_every_section_begins_with_its_heading_and_is_the_lines_that_it_says(suffix: str) -> None:
    sections = 0
    for path, text in texts(real(suffix, at_most=SECTION_PAGES)):
        form = FORMATS[suffix]
        if has_lone_carriage_return(text):
            continue
        headings, _ = form.read(text)
        document = make_document(form.normalized(text), headings)
        for index in range(len(headings)):
            assert_begins_with_heading(document, index, path)
        sections += len(headings)
    assert sections > 5_000


def assert_begins_with_heading(document: Document, index: int, path: Path) -> None:
    section = document.section(index)
    start, end = section.span
    text = document.text[start:end]
    first, last = section.lines
    assert text.split("\n") == document.text.split("\n")[first - 1 : last], (path, section)
    lines = [" ".join(line.split()) for line in text.split("\n")[:2]]
    begins = " ".join(document.headings[index].title.split())
    adorned = path.suffix == ".rst" and bool(lines[0]) and len(set(lines[0])) == 1 and lines[1].startswith(begins[:1])
    opened = re.sub(r"^#{1,6} ?", "", lines[0]) if path.suffix == ".md" else lines[0]
    assert (lines[1] if adorned and not lines[0].startswith(begins) else opened).startswith(begins[: len(opened)]), (path, section)
