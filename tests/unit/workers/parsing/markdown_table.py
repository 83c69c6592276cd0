"""The table of known divergences from GitHub, read from the file beside this one, and its rendering in the documentation."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("markdown_divergences.toml")
TITLES = ("#", "Cause", "Example", "GitHub returns", "We return", "Measured", "Upstream")


@dataclass(frozen=True)
class Example:
    """One input of a row and what each side returns for it, as (level, line)."""

    text: str
    github: list[tuple[int, int]]
    ours: list[tuple[int, int]]


@dataclass(frozen=True)
class Row:
    """One cause."""

    number: int
    cause: str
    example: str
    github: str
    ours: str
    diverging: int
    forms: int
    upstream: str
    maps: list[Example]
    trigger: str | None = None
    """What a single line shows of the cause, as a regular expression; None where it depends on its neighbours."""
    closed: str | None = None
    """A text that diverged before markdown-it-py 4 and agrees since (MDG-30)."""

    def cells(self, versions: str) -> list[str]:
        """The row as the documentation shows it."""
        measured = f"{self.diverging:,} of {self.forms:,} forms measured; {versions}"
        return [str(self.number), self.cause, self.example, self.github, self.ours, measured, self.upstream]


@dataclass(frozen=True)
class Table:
    """The rows, and what they were measured with."""

    markdown_it_py: str
    cmarkgfm: str
    cmark_gfm: str
    date: str
    rows: list[Row]

    @property
    def versions(self) -> str:
        return f"markdown-it-py {self.markdown_it_py}, cmarkgfm {self.cmarkgfm}; {self.date}"


def _example(entry: dict[str, Any]) -> Example:
    if "wide_table" in entry:
        columns, rows = entry["wide_table"]
        text = "# כותרת\n\n" + "|a" * columns + "|\n" + "|-" * columns + "|\n" + "x\n" * rows + "---\n"
    else:
        text = entry["text"]
    return Example(text, *([(level, line) for level, line in entry[side]] for side in ("github", "ours")))


def table() -> Table:
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))
    rows = [Row(**{**entry, "maps": [_example(one) for one in entry["maps"]]}) for entry in entries.pop("row")]
    return Table(**entries, rows=rows)


def cells_of(line: str) -> list[str]:
    """The cells of one line of a Markdown table. A bar inside a cell is written with a backslash before it."""
    return [cell.strip().replace("\0", "|") for cell in line.replace("\\|", "\0").strip().strip("|").split("|")]


def rendered(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
