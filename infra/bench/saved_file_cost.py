"""What the dearest reads of saved files cost, for `shared/budget.py`: `python -m infra.bench.saved_file_cost`, two minutes; Linux.

The files are as large as the highest `CODEKEEPER_MAX_CODE_SIZE` lets them be saved, and those read by heading as large as the parser takes
them. They are kept in the database that `CODEKEEPER_DATABASE_URL` names, for the user `bench-SECONDS`, else in a SQLite file of their own.
Each is read in a process of its own, as `own_process.py` says.
"""

import os
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from infra.bench.own_process import Read, said, spent_by
from shared.budget import DEAREST_READ_BYTES, DEAREST_READ_CPU_S
from shared.database.migrate import migrate
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY
from shared.settings import settings
from shared.wire.call import Call, Caller
from shared.wire.get_file import GetFileArguments
from workers.resources import engine
from workers.store.transaction import writing_own
from workers.store.write_files import create_file
from workers.tasks.get_file import get_file

LARGEST: Final = 10_000_000
"""Characters of the largest file that an operator can let be saved."""
MIB: Final = 1024 * 1024
USER: Final = f"bench-{int(time.time())}"


def _of_length(unit: str, length: int = LARGEST, end: str = "") -> str:
    room = length - len(end)
    return unit * (room // len(unit)) + "x" * (room % len(unit)) + end


def _files() -> Mapping[str, str]:
    """Name to text: lines and characters of the kinds that cost most."""
    return {
        "ascii": _of_length("A line of code, or of prose, as long as lines mostly are.\n"),
        "one-emoji": _of_length("A line of code, or of prose, as long as lines mostly are.\n", end="😀\n"),
        "emoji": _of_length("😀"),
        "newlines": _of_length("\n"),
        "hits": _of_length("a\n"),
        "controls": _of_length("\1"),
        "unfolding": _of_length("\u0390"),  # one character of two bytes that folds to three
        "unfolding-lines": _of_length("\u0390\n"),
        "hebrew.md": _of_length("## כותרת\n\n" + "שורה של טקסט. " * 20 + "\n\n", MAX_FILE_SIZE_FOR_DISPLAY * 5 // 9),
        "headings.md": "# a\n" * 14_900,
        "lists.md": "".join("  " * (number % 12) + "- a\n" for number in range(14_900)),
    }


def _make(folder: Path) -> bytes:
    migrate(engine(), folder)
    for name, text in _files().items():
        with writing_own(engine(), USER) as own:
            create_file(own, name, text)
    return b""


def _read(name: str, **asked: Any) -> Read:
    caller = Caller(user=USER, scopes=frozenset({"read"}), admin=False)

    def read() -> bytes:
        now = time.time()
        arguments = GetFileArguments(file_name=name, **asked)
        return get_file(arguments, Call(id="bench", caller=caller, entered=now, deadline=now + 600, arguments={}))

    return read


def _reads() -> Mapping[str, Read]:
    everything = [1, LARGEST]
    plain = [name for name in _files() if not name.endswith(".md")]
    return {
        **{f"all of {name}": _read(name) for name in plain},
        **{f"lines of {name}": _read(name, lines=everything) for name in plain},
        **{f"query in {name}": _read(name, query="a", context_lines=10, max_results=100) for name in plain},
        "query for what folds, in unfolding": _read("unfolding", query="\u0390" * 4_096, context_lines=10),
        **{f"toc of {name}": _read(name, toc=True) for name in _files() if name.endswith(".md")},
        "section of hebrew.md": _read("hebrew.md", section="כותרת אחרת"),
    }


def main() -> None:
    """Make the files, read each, print the table."""
    with tempfile.TemporaryDirectory(prefix="codekeeper-bench-") as folder:
        os.environ["CODEKEEPER_DATA_DIR"] = folder
        os.environ["CODEKEEPER_MAX_CODE_SIZE"] = str(LARGEST)
        print("codekeeper: making the files", file=sys.stderr)
        spent_by(said(lambda: _make(Path(folder))))
        print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}, {settings().database.split(':')[0]}\n")
        print(f"| {'what is read':36} | peak MiB | CPU s | answer                 | within {DEAREST_READ_BYTES // MIB} MiB |")
        print(f"|{'-' * 38}|---------:|------:|------------------------|---------------|")
        peaks, times = [], []
        for what, read in _reads().items():
            spent = spent_by(said(read))
            limited = spent_by(said(read), DEAREST_READ_BYTES).said
            peaks.append(spent.peak_bytes)
            times.append(spent.cpu_s)
            within = "yes" if limited == spent.said else limited
            print(f"| {what:36} | {spent.peak_bytes / MIB:8.1f} | {spent.cpu_s:5.2f} | {spent.said:22} | {within:13} |", flush=True)
    print(f"\ndearest: {max(peaks) / MIB:.1f} MiB of {DEAREST_READ_BYTES // MIB}, {max(times):.2f} CPU s of {DEAREST_READ_CPU_S}")


if __name__ == "__main__":
    main()
