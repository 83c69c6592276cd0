"""A real review round, as one batch and as single calls: `python -m infra.bench.read_round [--default-branch NAME]`, seconds; Linux.

The round reads 16 sections of five pages of this project's contract, those that a change of the batch must keep. Bytes are those of the
answer as sent, times those of the tools' functions alone, and peaks the resident memory above what the process had before, each read in a
process of its own. An answer names the default branch once for each item, so its length changes the bytes.
"""

import argparse
import json
import logging
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from infra.bench.own_process import Read, said, spent_by
from shared.database import repositories
from shared.database.migrate import migrate
from shared.limits import BATCH_ITEMS_MAX
from shared.logs import configure_logging
from shared.settings import settings
from shared.wire.call import Call, Caller
from shared.wire.docs_get_section import DocsGetSectionArguments
from shared.wire.read_batch import ReadBatchArguments
from workers.resources import engine
from workers.tasks.docs_get_section import docs_get_section
from workers.tasks.read_batch import read_batch
from workers.tasks.sync import sync_repository

REPO: Final = "review"
CONTRACT: Final = Path(__file__).parents[2] / "shared" / "contract"
ROUNDS: Final = 30

ROUND: Final[Mapping[str, Sequence[str]]] = {
    "read-batch": (
        "3. Items", "5. One commit per repository", "6. One read per file", "8. Memory", "9. The byte budget", "11. The deadline",
    ),
    "docs-get-section": ("3. Order of checks", "8. Matching", "10. Paging and the byte budget of a page"),
    "refs-and-errors": ("1. Resolving a ref", "3. Which error wins", "7. Docs paths"),
    "platform": ("4. How a call runs", "6. Size and rate of requests"),
    "get-repo-file": ("Order of the checks", "Outline mode"),
}  # fmt: skip
"""Page to the sections that are read of it."""

Item = dict[str, Any]


def items() -> list[Item]:
    """The round as a batch's items."""
    return [{"kind": "section", "path": page, "section": title} for page, titles in ROUND.items() for title in titles]


def make_source(folder: Path, branch: str) -> Path:
    """A bare repository of the contract's pages, in one commit on `branch`, below `folder`."""
    source = folder / f"{REPO}-source.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", branch, str(source)], check=True)
    stream = [f"commit refs/heads/{branch}\ncommitter Bench <bench@example.invalid> 1760000000 +0000\ndata 6\nbench\n\n".encode()]
    for page in sorted(CONTRACT.glob("*.md")):
        content = page.read_bytes()
        stream.append(f"M 100644 inline {page.name}\ndata {len(content)}\n".encode() + content + b"\n")
    subprocess.run(["git", "-C", str(source), "fast-import", "--quiet"], input=b"".join(stream), check=True)
    return source


def _mirror(folder: Path, branch: str) -> bytes:
    migrate(engine(), folder)
    repositories.add(engine(), REPO, str(make_source(folder, branch)), None)
    sync_repository(REPO, "bench", True)
    repositories.set_docs_policy(engine(), REPO, "", ".md")
    return b""


def _call() -> Call:
    now = time.time()
    return Call(id="bench", caller=Caller(user="bench", scopes=frozenset(), admin=True), entered=now, deadline=now + 35, arguments={})


def _batch(asked: Sequence[Item]) -> Read:
    return lambda: read_batch(ReadBatchArguments(items=list(asked)), _call())


def _single(item: Item) -> Read:
    return lambda: docs_get_section(DocsGetSectionArguments(path=item["path"], section=item["section"]), _call())


def _seconds(reads: Sequence[Read]) -> float:
    """The median time of all these reads one after the other."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for read in reads:
            read()
        times.append(time.perf_counter() - began)
    return median(times)


def _peak(read: Read) -> float:
    """Bytes of the peak, the median of five processes. Every page is parsed anew: nothing that was made of one is kept."""

    def anew() -> bytes:
        shutil.rmtree(settings().data_dir / "cache", ignore_errors=True)
        return read()

    return median(spent_by(said(anew)).peak_bytes for _ in range(5))


def measured(branch: str) -> dict[str, float]:
    """What the round takes. Peaks come first: what this process left free on its heap would hide what the reads take.

    Raises:
        RuntimeError: a section isn't there, or not all of the round fits into one answer.
    """
    with tempfile.TemporaryDirectory(prefix="codekeeper-bench-") as folder:
        os.environ |= {"CODEKEEPER_DATA_DIR": folder, "CODEKEEPER_DOCS_REPOS": REPO}
        settings.cache_clear()
        spent_by(said(lambda: _mirror(Path(folder), branch)))
        asked = items()
        largest = sorted(ROUND, key=lambda page: -(CONTRACT / f"{page}.md").stat().st_size)
        jumping = [{"kind": "section", "path": largest[number % len(largest)], "section": None} for number in range(BATCH_ITEMS_MAX)]
        peaks = {
            "batch_peak": _peak(_batch(asked)),
            "jumping_peak": _peak(_batch(jumping)),
            "single_peak": max(_peak(_single(item)) for item in [*asked, *jumping[: len(largest)]]),
        }
        sent = _batch(asked)()
        answer = json.loads(sent)
        if answer["count"] != len(asked) or not all(item["result"]["ok"] for item in answer["items"]):
            raise RuntimeError("the round is not what the contract's pages hold")
        return {
            "items": len(asked),
            "bytes": len(sent),
            "batch_s": _seconds([_batch(asked)]),
            "singles_s": _seconds([_single(item) for item in asked]),
            **peaks,
        }


def main() -> None:
    """Measure, and print one JSON object: bytes, seconds and bytes of memory."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.read_round", description="A real review round as one batch.")
    parser.add_argument("--default-branch", default="main", help="the branch that the pages are on; its name stands in every item's answer")
    chosen = parser.parse_args()
    configure_logging(logging.WARNING)
    print(json.dumps(measured(chosen.default_branch)))


if __name__ == "__main__":
    main()
