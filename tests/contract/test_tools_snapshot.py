"""What a client is told before its first call, as a committed snapshot: a change of a name, schema, description or hint shows in a review.

Write it anew with `uv run python -m tests.contract.test_tools_snapshot`.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from gateway.server import make_calls, make_server
from shared.settings import Settings
from shared.tasks import TaskKind
from shared.wire.call import Call, Caller

SNAPSHOT = Path(__file__).parent / "tools.json"

CALLERS = {
    "admin": Caller(user="root", scopes=frozenset({"read"}), admin=True),
    "non_admin": Caller(user="dana", scopes=frozenset({"read"}), admin=False),
}


class NoWorkers:
    """A `TaskSender` that is opened and closed, and asked for nothing."""

    async def open(self) -> None:
        return

    async def close(self) -> None:
        return

    async def submit(self, kind: TaskKind, call: Call) -> "asyncio.Future[bytes]":
        raise AssertionError((kind, call))

    async def forget(self, call_id: str) -> None:
        raise AssertionError(call_id)

    async def send(self, kind: TaskKind, *arguments: str | bool) -> None:
        raise AssertionError((kind, arguments))


async def told(caller: Caller, mode: str) -> dict[str, Any]:
    """The instructions, the tools and the forms of resources that a client of this caller gets, as they go over the wire."""
    server = make_server(Settings(), NoWorkers(), make_calls(Settings(), NoWorkers()), lambda _context: caller)
    async with Client(server, mode=mode) as client:
        assert (client.protocol_version >= "2026") == (mode == "auto")
        listed = await client.list_tools()
        assert listed.next_cursor is None
        tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]
        templates = (await client.list_resource_templates()).resource_templates
        shown = [template.model_dump(mode="json", by_alias=True, exclude_none=True) for template in templates]
        return {"instructions": client.instructions, "tools": tools, "resourceTemplates": shown}


def all_told(mode: str) -> str:
    """The snapshot's text: `told` of each caller."""

    async def each() -> dict[str, Any]:
        return {name: await told(caller, mode) for name, caller in CALLERS.items()}

    return json.dumps(asyncio.run(each()), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_tools_and_instructions_are_the_committed_ones_in_each_revision(mode: str) -> None:
    assert json.loads(all_told(mode)) == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


def test_the_snapshot_is_written_as_the_one_liner_writes_it() -> None:
    assert SNAPSHOT.read_text(encoding="utf-8") == all_told("legacy")


if __name__ == "__main__":
    SNAPSHOT.write_text(all_told("legacy"), encoding="utf-8")
