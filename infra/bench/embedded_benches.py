"""The embedded form over stdio: reads against git's own processes, the cold start, and the tokens of `tools/list`."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from statistics import median
from typing import Any, Final

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from infra.bench.ground import CODEKEEPER, FIRST_PAGE, LIST_TREE, READ_FILE, REF, SOME_LINES, WHOLE_FILE, Ground
from infra.bench.measure import Row, Subject, compared, in_turn
from infra.bench.sources import FILE_31K, FILE_300K
from infra.bench.wire import StdioClient
from workers.tokens.count import count_tokens

_SDK_ON_STDIO: Final = (
    "The SDK's stdio: one message crosses threads three times (a line is read, written and flushed on a thread each) and some 15 rounds of "
    "the event loop, and its Python client does the same again; the row of the ping has no tool at all. Beside it the rate limit's "
    "storage crosses a thread once and the task's pool once."
)
_WALK: Final = f"{_SDK_ON_STDIO} Then the walk of 900 entries and the secret policy of each path in Python, about 3 ms."

_READS: Final[tuple[tuple[str, str, dict[str, Any], tuple[str, ...]], ...]] = (
    ("31 KB file, stdio : git show", READ_FILE, WHOLE_FILE, ("show", f"{REF}:{FILE_31K}")),
    ("lines 200-260 of 300 KB, stdio : git show", READ_FILE, SOME_LINES, ("show", f"{REF}:{FILE_300K}")),
    ("200 of 900 paths, stdio : git ls-tree -r", LIST_TREE, FIRST_PAGE, ("ls-tree", "-r", "--name-only", REF)),
)


def _git(ground: Ground, arguments: tuple[str, ...]) -> bytes:
    """What a git process prints. Started in the cheapest way that Python has: asyncio's would add a millisecond to the floor."""
    command = ["git", "--git-dir", str(ground.mirror), *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True).stdout


def _check(answer: Mapping[str, Any], git_says: bytes) -> None:
    """The answer is what git says, or the comparison means nothing."""
    if "paths" in answer:
        same = answer["paths"] == git_says.decode().splitlines()[: len(answer["paths"])]
    elif "range" in answer:
        same = answer["content"] == "\n".join(git_says.decode().split("\n")[199:260])
    else:
        same = answer["content"].encode() == git_says
    if not same:
        raise RuntimeError("CodeKeeper and git don't say the same")


async def reads(ground: Ground) -> list[Row]:
    """Three reads, each by the SDK's client and by one that only writes and reads lines, against a git process."""
    rounds = 60 if ground.quick else 300
    rows: list[Row] = []
    async with AsyncExitStack() as stack:
        raw = stack.enter_context(StdioClient([CODEKEEPER, "stdio"], ground.environment, ground.log("stdio")))
        raw.initialize()
        log = stack.enter_context(ground.log("stdio-sdk").open("a"))
        parameters = StdioServerParameters(command=CODEKEEPER, args=["stdio"], env=ground.environment)
        client = await stack.enter_async_context(Client(stdio_client(parameters, errlog=log)))
        for what, tool, arguments, git_arguments in _READS:
            _check(json.loads(raw.call(tool, arguments).text()), _git(ground, git_arguments))

            async def by_sdk(tool: str = tool, arguments: dict[str, Any] = arguments) -> object:
                return await client.call_tool(tool, arguments)

            async def by_lines(tool: str = tool, arguments: dict[str, Any] = arguments) -> object:
                return raw.call(tool, arguments)

            async def by_git(git_arguments: tuple[str, ...] = git_arguments) -> object:
                return _git(ground, git_arguments)

            async def ping() -> object:
                return raw.request("ping", {})

            subjects: dict[str, Subject] = {"sdk": by_sdk, "lines": by_lines, "ping": ping, "git": by_git}
            took = await in_turn(subjects, rounds)
            rows.append(compared(what, took["sdk"], took["git"], 1.0, _WALK if tool == LIST_TREE else _SDK_ON_STDIO))
            rows.append(compared("   the same, without the SDK's client", took["lines"], took["git"]))
            rows.append(compared("   a ping, without the SDK's client", took["ping"], took["git"]))
    return rows


def _cold_start(ground: Ground) -> tuple[float, float]:
    """Seconds from the process's start to the answer of `initialize`, and to that of a first tool call sent at once after it."""
    began = time.perf_counter()
    with StdioClient([CODEKEEPER, "stdio"], ground.environment, ground.log("cold")) as client:
        client.initialize()
        initialized = time.perf_counter() - began
        client.call(READ_FILE, WHOLE_FILE).text()
        return initialized, time.perf_counter() - began


def _import_sdk() -> None:
    subprocess.run([sys.executable, "-c", "import mcp"], check=True)


async def cold_start(ground: Ground) -> list[Row]:
    """Start, `initialize` and a first read, in turn with an interpreter that only imports the SDK."""
    started: list[tuple[float, float]] = []
    floors: list[float] = []
    for _ in range(3 if ground.quick else 9):
        started.append(_cold_start(ground))
        began = time.perf_counter()
        _import_sdk()
        floors.append(time.perf_counter() - began)
    floor_s = median(floors)
    return [
        compared("cold start of stdio to initialize : import mcp", median(first for first, _ in started), floor_s, 1.5),
        compared("cold start of stdio to the first tool's answer : import mcp", median(last for _, last in started), floor_s, 2.2),
    ]


async def tokens(ground: Ground) -> list[Row]:
    """What `tools/list` costs an agent's context, in all and per tool."""

    def count(value: object) -> str:
        return f"{count_tokens(json.dumps(value, ensure_ascii=False, separators=(',', ':')))} tokens"

    with StdioClient([CODEKEEPER, "stdio"], ground.environment, ground.log("tokens")) as client:
        client.initialize()
        tools = json.loads(client.request("tools/list", {}).message)["result"]["tools"]
    return [Row("tools/list", count(tools)), *(Row(f"   {tool['name']}", count(tool)) for tool in tools)]
