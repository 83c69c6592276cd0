"""What the outline scanners cost at the read ceiling: `python -m infra.bench.outline_cost`, a few minutes; Linux.

Each file is decoded and scanned in a process of its own (`own_process.py`), its bytes included. Exits 1 when one of them takes more than
the price of a read (`DEAREST_READ_BYTES`, `DEAREST_READ_CPU_S`). With `--libraries` it measures instead why scripts and style sheets have
tokenizers of their own (`outline_libraries.py`).
"""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Final

from infra.bench import outline_libraries
from infra.bench.outline_inputs import Make, hostile, realistic
from infra.bench.own_process import spent_by
from shared.budget import DEAREST_READ_BYTES, DEAREST_READ_CPU_S, MIB
from workers.parsing.outline import NoOutline
from workers.parsing.registry import scan

_ROW: Final = "| {:44} | {:>8} | {:>5} | {:24} | {}"


def scanned(name: str, make: Make) -> str:
    """One scan of a file as a read makes it, said as its number of symbols or the reason that there are none."""
    content = make()
    text = content.decode("utf-8", errors="replace")
    try:
        return f"{len(scan(name, text)):,} symbols"
    except NoOutline as none:
        return " ".join([none.reason, *(str(value) for field, value in none.fields.items() if field == "error_type")])


def measure(files: Mapping[str, Make]) -> bool:
    """Print what each file takes and say whether all are within the price."""
    all_fit = True
    for name, make in files.items():
        spent = spent_by(partial(scanned, name, make))
        fits = spent.peak_bytes <= DEAREST_READ_BYTES and spent.cpu_s <= DEAREST_READ_CPU_S
        all_fit &= fits
        print(_ROW.format(name, f"{spent.peak_bytes / MIB:.1f}", f"{spent.cpu_s:.2f}", spent.said, "" if fits else "OVER"), flush=True)
    return all_fit


def main() -> None:
    """Measure and judge."""
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}\n")
    if sys.argv[1:] == ["--libraries"]:
        outline_libraries.measure()
        return
    print(_ROW.format("file", "peak MiB", "CPU s", "scan", f"within {DEAREST_READ_BYTES // MIB} MiB, {DEAREST_READ_CPU_S} CPU s"))
    fits = [measure(files) for files in (realistic(), hostile())]
    sys.exit(0 if all(fits) else 1)


if __name__ == "__main__":
    main()
