"""Code contexts: the index against the bare parse, a plan against its parts, and tokens against those of whole files."""

import json
import subprocess
import sys
from typing import Any, Final

from infra.bench.ground import Ground
from infra.bench.measure import Row, compared
from infra.corpora import pages

_WALK: Final = "The parse is C; the walk over its 130,000 to 170,000 nodes is Python and takes about as long again."


def _measured(ground: Ground) -> dict[str, Any]:
    """What the script of its own measures, in a process that has done nothing else."""
    command = [sys.executable, "-m", "infra.bench.context_round", *(["--quick"] if ground.quick else [])]
    found: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return found


async def context(ground: Ground) -> list[Row]:
    """Indexes made and kept, a plan of many files, and three questions about real code."""
    if not pages(".ts", under=("npm-rxjs", "npm-zod")):
        return [Row("context: not measured without the sources that python -m infra.corpora fetches", "")]
    found = _measured(ground)
    rows: list[Row] = []
    for language, took in found["index"].items():
        what = f"index of {took['bytes'] // 1000} KB, {took['lines']} lines of {language}, {took['definitions']} definitions : bare parse"
        rows.append(compared(what, took["cold"], took["bare"], 1.5, cause=_WALK))
        rows.append(compared("   the same, kept", took["kept"], took["bare"], 0.2))
    took = found["plan"]
    what = f"one function of each of 32 files, {took['bytes'] // 1000} KB : read, parsed, counted"
    rows.append(compared(what, took["plan"], took["parts"]))
    rows.append(compared("   the same, without the scan for secrets", took["unscanned"], took["parts"]))
    for question, took in found["answers"].items():
        what = f"{question}, {took['rounds']} rounds : whole files, {took['files']}"
        rows.append(Row(what, f"{took['tokens']} tokens", f"{took['whole']} tokens", took["tokens"] / took["whole"]))
    return rows
