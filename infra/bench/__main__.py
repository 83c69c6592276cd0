"""`infra/bench/run [--quick] [NAME ...]`: run benches, print one table."""

import argparse
import asyncio
import platform
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from typing import Final

from infra.bench import (
    context_bench,
    embedded_benches,
    hosted_benches,
    job_bench,
    map_benches,
    round_bench,
    saved_file_benches,
    search_benches,
    store_benches,
)
from infra.bench.ground import Ground, prepare
from infra.bench.measure import Row, table

BENCHES: Final[Mapping[str, Callable[[Ground], Awaitable[list[Row]]]]] = {
    "reads": embedded_benches.reads,
    "maps": map_benches.maps,
    "round": round_bench.review_round,
    "path": hosted_benches.path,
    "start": embedded_benches.cold_start,
    "wire": hosted_benches.wire,
    "load": hosted_benches.load,
    "memory": hosted_benches.memory,
    "jobs": job_bench.jobs,
    "context": context_bench.context,
    "tokens": embedded_benches.tokens,
    "search": search_benches.search,
    "store": store_benches.store,
    "saved_file": saved_file_benches.saved_file,
}


def main() -> None:
    """Parse the options, run what was asked for, one bench after the other."""
    parser = argparse.ArgumentParser(prog="infra/bench/run", description="Ratios against floors measured beside, in one run.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"benches to run, of: {', '.join(BENCHES)}; none is all")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: under 90 seconds")
    parser.add_argument("--default-branch", default="main", metavar="REF", help="the branch that the pages of the bench `round` are on")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.names if name not in BENCHES]:
        parser.error(f"no bench {', '.join(unknown)}; there are: {', '.join(BENCHES)}")
    began = time.monotonic()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="codekeeper-bench-") as folder, ExitStack() as stack:
        ground = prepare(Path(folder), stack, quick=chosen.quick, default_branch=chosen.default_branch)
        for name in chosen.names or BENCHES:
            print(f"codekeeper: bench {name}", file=sys.stderr)
            rows.extend(asyncio.run(_run(BENCHES[name], ground)))
    kind = "quick" if chosen.quick else "full"
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {cpu_count()} cores, Python {platform.python_version()}, {kind}, {time.monotonic() - began:.0f} s"
    )
    print()
    print(table(rows))


async def _run(bench: Callable[[Ground], Awaitable[list[Row]]], ground: Ground) -> list[Row]:
    return await bench(ground)


if __name__ == "__main__":
    main()
