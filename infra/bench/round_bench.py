"""A real review round through the front door: one batch against the single calls that it stands for, and its memory against theirs."""

import json
import os
import subprocess
import sys
from typing import Any, Final

from infra.bench.ground import CODEKEEPER, Ground
from infra.bench.measure import Row, Subject, compared, in_turn
from infra.bench.read_round import REPO, items, make_source
from infra.bench.wire import StdioClient
from shared.limits import OUTPUT_BYTE_BUDGET
from tests.end_to_end.services import codekeeper

READ_BATCH: Final = "codekeeper_read_batch"
READ_SECTION: Final = "codekeeper_docs_get_section"
MIB: Final = 1024 * 1024


def _memory(ground: Ground) -> dict[str, float]:
    """What the script of its own measures, in a process that has read nothing."""
    command = [sys.executable, "-m", "infra.bench.read_round", "--default-branch", ground.default_branch]
    printed = subprocess.run(command, env=dict(os.environ), stdout=subprocess.PIPE, check=True).stdout
    found: dict[str, float] = json.loads(printed)
    return found


def _peaks(what: str, ours: float, floor: float) -> Row:
    return Row(what, f"{ours / MIB:.1f} MiB", f"{floor / MIB:.1f} MiB", ours / floor, 1.1)


async def review_round(ground: Ground) -> list[Row]:
    """16 sections of five pages: time, bytes, and peak memory against the dearest single read among them."""
    environment = ground.environment | {"CODEKEEPER_DOCS_REPOS": REPO}
    codekeeper(environment, "repo", "add", REPO, str(make_source(ground.folder, ground.default_branch)))
    codekeeper(environment, "repo", "docs", REPO, "--root", "", "--suffix", ".md")
    asked = items()
    single: list[dict[str, Any]] = [{key: value for key, value in item.items() if key != "kind"} for item in asked]
    with StdioClient([CODEKEEPER, "stdio"], environment, ground.log("round")) as client:
        client.initialize()
        answer = client.call(READ_BATCH, {"items": asked}).text()
        results = [client.call(READ_SECTION, arguments).text() for arguments in single]
        if [item["result"] for item in json.loads(answer)["items"]] != [json.loads(result) for result in results]:
            raise RuntimeError("the batch and the single calls don't say the same")

        async def as_batch() -> object:
            return client.call(READ_BATCH, {"items": asked})

        async def as_calls() -> object:
            return [client.call(READ_SECTION, arguments) for arguments in single]

        subjects: dict[str, Subject] = {"batch": as_batch, "calls": as_calls}
        took = await in_turn(subjects, 20 if ground.quick else 100)
    memory = _memory(ground)
    size = len(answer.encode())
    return [
        compared(f"{len(asked)} sections of five pages in one batch, stdio : as single calls", took["batch"], took["calls"], 1.0),
        compared("   the same, the functions alone", memory["batch_s"], memory["singles_s"]),
        Row("   bytes of that batch", f"{size} ({size / OUTPUT_BYTE_BUDGET:.0%} of the budget)"),
        _peaks("   peak memory of that batch : dearest single read of it", memory["batch_peak"], memory["single_peak"]),
        _peaks("   the same of 20 maps, from page to page", memory["jumping_peak"], memory["single_peak"]),
    ]
