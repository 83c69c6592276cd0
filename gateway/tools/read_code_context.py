"""How `read_code_context` is shown, and what it costs."""

import math
from collections.abc import Mapping
from typing import Any, Final

from gateway.tools.tool import Tool
from shared.limits import CODE_REQUESTS_MAX, CODE_ROUNDS_MAX, CODE_SESSION_TTL_S
from shared.tasks import READ_CODE_CONTEXT
from shared.wire.read_code_context import ReadCodeContextArguments
from shared.wire.text import decoded_list

SCAN_UNITS: Final = 6
"""Units of every call: one for each CPU second that its scans for secrets may take (`MAX_SCAN_S` in `workers/context/secret_scan.py`), also
for a single file. Ordinary code takes a hundredth of that; but a text that is slow to scan is scanned anew each time it is asked for."""

UNITS_PER_FILE: Final = 0.5
"""Units of each file beside: 200 ms of CPU for its parse, and as much for the walk through its index and the count of its tokens."""

UNITS_MAX: Final = READ_CODE_CONTEXT.soft_s
"""Units of a call at the most: what its soft limit leaves it, a CPU second a unit."""


def code_units(arguments: Mapping[str, Any]) -> int:
    """Units of a call, by the number of files in it: 7 for one, 15 for 18 and more (PLT-86, PLT-87). What is no list counts as one file."""
    requests = decoded_list(arguments.get("requests"))
    files = min(len(requests), CODE_REQUESTS_MAX) if isinstance(requests, list) else 1
    return min(SCAN_UNITS + math.ceil(UNITS_PER_FILE * files), UNITS_MAX)


TOOL = Tool(
    name="read_code_context",
    title="Read implementations within a token budget",
    description=(
        "Complete definitions (`symbols`), lines, outlines or whole files of a mirrored repository at one commit, together as one JSON "
        "document of at most `maxTokens` o200k_base tokens; all of it or none. Symbols and outlines: JavaScript, TypeScript, TSX, Python. "
        "The answer is a summary: read the document at `resource` with resources/read, before you go on. What was missing, ask for with "
        f"`continueFrom`: a session has {CODE_ROUNDS_MAX} rounds and lives {CODE_SESSION_TTL_S // 60} minutes after the last; each success "
        "has a new `runId` and replaces the resource before it. A refusal changes and charges nothing: `unavailable` says in its audit "
        "which request can't be had, `over_budget` how many tokens it takes (`requiredTokens`). "
        "Dependencies are found by name in the same file: no call graph. A call counts as 7, with more files as up to 15."
    ),
    arguments=ReadCodeContextArguments,
    kind=READ_CODE_CONTEXT,
    admin=True,
    units=code_units,
)
