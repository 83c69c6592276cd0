"""Whether the parsers of documentation keep to their price: `python -m infra.bench.parse_cost [SECONDS]`; Linux.

It searches, for that many seconds (480 unless given) and from a fixed seed, for the pages at the read ceiling that cost most CPU time and
most memory, Markdown and RST, each parsed in a process of its own (`own_process.py`). Then it checks both conditions of DOC-115 and PLT-79:

- the dearest page found fits in what the worker's budget allots to a read, `DEAREST_READ_BYTES` and `DEAREST_READ_CPU_S`;
- no real page is refused: none of those that `python -m infra.corpora` fetches and that the read ceiling lets through.

Exits 1 when one of them doesn't hold. The constants that rest on it are in `workers/parsing/markdown/limits.py`.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from infra import corpora
from infra.bench.hostile_pages import MARKDOWN, OUTER, RST, Page, Part, Unit, changed, drawn
from infra.bench.own_process import Spent, spent_by
from shared.budget import DEAREST_READ_BYTES, DEAREST_READ_CPU_S, MIB
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY
from workers.parsing.headings import ParseRefused
from workers.parsing.markdown.blocks import CappedState, parsed_state
from workers.parsing.markdown.limits import MAX_LINES
from workers.sections.documents import FORMATS
from workers.sections.section_tree import make_document

SEED: Final = 4
SECONDS: Final = 480
KEPT: Final = 8
"""Pages that a search goes on from."""

Measure = Callable[[Spent], float]
MEASURES: Final[Mapping[str, Measure]] = {"CPU": lambda spent: spent.cpu_s, "memory": lambda spent: float(spent.peak_bytes)}
DIALECTS: Final[Mapping[str, tuple[Mapping[str, Unit], int, Sequence[str]]]] = {
    ".md": (MARKDOWN, MAX_LINES, OUTER),
    ".rst": (RST, MAX_FILE_SIZE_FOR_DISPLAY, ("", "", "", "-", "---")),
}
"""Suffix to its units, the most lines of a page, and the containers to choose from."""

KNOWN: Final[Mapping[str, Sequence[Page]]] = {
    ".md": (
        Page([Part("letter", 1, ">" * 20, "lazy")]),
        Page([Part("heading in a quote", 1)]),
        Page([Part("heading in a quote", 1), Part("almost a tag", 200)], in_turn=True),
        Page([Part("quote", 15)]),
        Page([Part("short rows", 60, gap=True)]),
        Page([Part("short rows", 200, "-" * 60)]),
        Page([Part("item", 1, "-" * 18)]),
        Page([Part("almost a rule", 2_000, ">" * 18, "lazy"), Part("item", 1, "-" * 18)]),
        Page([Part("open title", 1), Part("definition", 1, ">>>", "anew"), Part("delimiters", 53, gap=True)], in_turn=True),
        Page([Part("definition", 1, "---", "lazy", weight=2), Part("definition", 400, "---", "anew")]),
    ),
    ".rst": (
        Page([Part("heading without a gap", 1)]),
        Page([Part("stairs", 200)]),
        Page([Part("literal mark", 1)]),
        Page([Part("numerals", 1, gap=True)]),
        Page([Part("term", 9), Part("heading without a gap", 1, "---", "lazy", gap=True)], in_turn=True),
    ),
}
"""Where a search begins: pages that were dear once."""


def cost_of(page: Page, suffix: str, folder: Path) -> Spent:
    """What one parse of `page` takes, `folder` being the place for its file."""
    file = folder / f"page{suffix}"
    # Written by a process of its own: what the making of a page leaves free on the heap would hide what the parse takes.
    spent_by(lambda: str(file.write_text(page.text(*DIALECTS[suffix][:2]), encoding="utf-8")))
    return spent_by(lambda: parse(suffix, file.read_text(encoding="utf-8")))


def parse(suffix: str, text: str) -> str:
    """One parse as the tool makes it, said as its number of headings or its refusal."""
    form = FORMATS[suffix]
    try:
        headings, _ = form.read(text)
    except ParseRefused as refused:
        return refused.code
    make_document(form.normalized(text), headings)
    return f"{len(headings):,} headings"


def dearest(suffix: str, measure: Measure, seconds: float, folder: Path) -> Page:
    """The page that costs most by `measure` of those that a seeded climb meets in the given time."""
    units, _, outer = DIALECTS[suffix]
    draw = random.Random(SEED)  # noqa: S311 - nothing secret is drawn
    until = time.monotonic() + seconds
    kept: list[tuple[Page, Spent]] = []
    waiting = list(KNOWN[suffix])
    while time.monotonic() < until or waiting:
        if waiting:
            page = waiting.pop()
        elif draw.random() < 1 / 3:
            page = drawn(draw, units, outer)
        else:
            page = changed(draw.choice(kept)[0], draw, units, outer)
        kept.append((page, cost_of(page, suffix, folder)))
        kept = sorted(kept, key=lambda pair: -measure(pair[1]))[:KEPT]
    return kept[0][0]


def hostile(seconds: float, folder: Path) -> bool:
    """Print the dearest pages and say whether they fit."""
    print("| dearest by   | peak MiB | CPU s | parse                  | made of")
    fits = True
    for suffix in FORMATS:
        for name, measure in MEASURES.items():
            page = dearest(suffix, measure, seconds / len(MEASURES) / len(FORMATS), folder)
            # Anew, and the least of three: the search keeps what was dear once because the machine was busy.
            again = [cost_of(page, suffix, folder) for _ in range(3)]
            peak_bytes, cpu_s = min(one.peak_bytes for one in again), min(one.cpu_s for one in again)
            fits &= peak_bytes <= DEAREST_READ_BYTES and cpu_s <= DEAREST_READ_CPU_S
            print(f"| {suffix:5} {name:6} | {peak_bytes / MIB:8.1f} | {cpu_s:5.2f} | {again[0].said:22} | {page}", flush=True)
    print(f"\nallotted: {DEAREST_READ_BYTES // MIB} MiB, {DEAREST_READ_CPU_S} CPU s\n")
    return fits


def real() -> bool:
    """Print how near real pages come to the ceilings and say whether none is refused."""
    refused, looked_at, too_large = [], 0, 0
    nearest: dict[str, tuple[int, str]] = {}
    for path in corpora.pages(*FORMATS):
        content = path.read_bytes()
        if len(content) > MAX_FILE_SIZE_FOR_DISPLAY:
            too_large += 1
            continue
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        looked_at += 1
        name = str(path.relative_to(corpora.CORPORA))
        said = parse(path.suffix, text)
        if not said.endswith("headings"):
            refused.append(f"{name}: {said}")
            continue
        counts = {f"{path.suffix} lines": text.count("\n") + 1, f"{path.suffix} headings": int(said.split()[0].replace(",", ""))}
        if path.suffix == ".md":
            state: CappedState = parsed_state(text.replace("\r\n", "\n"))
            counts |= {".md tokens": len(state.tokens), ".md walked over by quotes": state.quoted}
        for what, count in counts.items():
            nearest[what] = max(nearest.get(what, (0, "")), (count, name))
    print(f"{looked_at:,} real pages; {too_large} more are over the read ceiling; refused: {len(refused)}")
    for what, (count, name) in nearest.items():
        print(f"most {what}: {count:,} in {name}")
    print("\n".join(refused))
    return looked_at > 0 and not refused


def main() -> None:
    """Search, look at the real pages, and judge."""
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}, markdown-it-py {version('markdown-it-py')}\n")
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with tempfile.TemporaryDirectory(prefix="codekeeper-bench-") as folder:
        fits = hostile(seconds, Path(folder))
    accepted = real()
    if not corpora.pages(*FORMATS):
        print("no real page is there: run python -m infra.corpora first")
    if not (fits and accepted):
        sys.exit(1)


if __name__ == "__main__":
    main()
