"""Compare the heading maps of Markdown pages with GitHub's: `python -m infra.compare_markdown PATH ...`, of files and folders.

Every `.md` page is mapped by our parser, without its ceilings, and by cmark-gfm. It is also scanned for lines that trigger a row of the
table in `docs/markdown.md`, by the function that scans the documentation in the tests. A disagreement, a trigger line, a page that isn't
UTF-8 or is refused, and a path that isn't there are findings: each is a line of output. The totals come last. The exit code is 1 with any
finding, and without a page.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.unit.workers.parsing.cmark_oracle import Map, github, ours
from tests.unit.workers.parsing.markdown_causes import row_of
from tests.unit.workers.parsing.markdown_triggers import triggers_in
from workers.parsing.headings import ParseRefused


@dataclass
class Totals:
    """What a run has seen so far."""

    files: int = 0
    headings: int = 0
    disagreements: int = 0
    triggers: int = 0
    others: int = 0
    """Findings of any other kind."""

    @property
    def clean(self) -> bool:
        """Whether there is a page, and nothing was found."""
        return bool(self.files) and not (self.disagreements or self.triggers or self.others)


def compare(paths: list[Path], totals: Totals) -> Iterator[str]:
    """The findings, a line each, counted in `totals` as they are met."""
    for path in paths:
        if not path.exists():
            totals.others += 1
            yield f"{path}: not there"
    for page in sorted({page for path in paths for page in _pages(path)}):
        totals.files += 1
        try:
            text = page.read_bytes().decode("utf-8-sig")
            ours_here = ours(text)
        except UnicodeDecodeError:
            totals.others += 1
            yield f"{page}: not UTF-8"
            continue
        except ParseRefused as refused:
            totals.others += 1
            yield f"{page}: {refused.code}"
            continue
        totals.headings += len(ours_here)
        github_here = github(text)
        if github_here != ours_here:
            totals.disagreements += 1
            yield _disagreement(page, text, github_here, ours_here)
        for line, row in triggers_in(text):
            totals.triggers += 1
            yield f"{page}:{line}: trigger of row {row}"


def _pages(path: Path) -> list[Path]:
    if path.is_dir():
        return [page for page in path.rglob("*.md") if page.is_file()]
    return [path] if path.suffix == ".md" and path.is_file() else []


def _disagreement(page: Path, text: str, github_here: Map, ours_here: Map) -> str:
    """Both maps, after the first line on which only one side has a heading, or the other side has another."""
    line = min(line for _, line in set(github_here) ^ set(ours_here))
    return f"{page}:{line}: disagreement, row {row_of(text) or 'unknown'}; GitHub: {github_here}, ours: {ours_here}"


def main() -> None:
    """Compare what the command line names."""
    if len(sys.argv) == 1:
        sys.exit(__doc__)
    totals = Totals()
    for finding in compare([Path(argument) for argument in sys.argv[1:]], totals):
        print(finding)
    print(
        f"{totals.files:,} files, {totals.headings:,} headings, {totals.disagreements:,} disagreements, {totals.triggers:,} trigger lines, "
        f"{totals.others:,} other findings"
    )
    if not totals.files:
        print("no page")
    sys.exit(0 if totals.clean else 1)


if __name__ == "__main__":
    main()
