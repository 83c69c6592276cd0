"""Raw MCP calls over HTTP, in two revisions of the protocol, each measured; and what an answer must be to be the right one."""

import json
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from tests.faults.parts import Deployment, content_of, path_of
from tests.plain_http import NO_AUTHORITIES

FILE: Final = "codekeeper_get_repo_file"
LIST: Final = "codekeeper_list_repos"

STATELESS: Final = "2026-07-28"
REVISIONS: Final = ("2025-06-18", STATELESS)

QUEUE_REFUSALS: Final = frozenset({"queue_full", "deadline_exceeded", "worker_lost", "queue_unavailable"})
"""PLT-142's."""


def request_of(token: str, tool: str, arguments: dict[str, Any], revision: str) -> dict[str, Any]:
    """What a POST of one tool call is made of, for `httpx2`."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": revision}
    if revision == STATELESS:
        params["_meta"] = {"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": {}}
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
    return {"json": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, "headers": headers}


def answer_in(response: httpx2.Response) -> dict[str, Any]:
    """The tool's answer in an event stream or a plain response."""
    assert response.status_code == 200, f"{response.status_code}: {response.text}"
    text = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        text = next(line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {"))
    (block,) = json.loads(text)["result"]["content"]
    answer: dict[str, Any] = json.loads(block["text"])
    return answer


@dataclass(frozen=True)
class Ended:
    """How one call ended."""

    answer: dict[str, Any]
    seconds: float

    @property
    def error(self) -> str | None:
        return self.answer.get("error")


class Clients:
    """Callers of one gateway."""

    def __init__(self, http: httpx2.AsyncClient, url: str, token: str) -> None:
        self.http = http
        self.url = url
        self.token = token
        self._calls = 0

    async def call(self, tool: str, **arguments: Any) -> Ended:
        """One call; the revisions take turns."""
        self._calls += 1
        began = time.monotonic()
        request = request_of(self.token, tool, arguments, REVISIONS[self._calls % 2])
        response = await self.http.post(self.url, **request)
        return Ended(answer_in(response), time.monotonic() - began)

    async def read(self, number: int, folder: str = "files", repo: str = "numbered") -> Ended:
        """Read the file of that number; an answer that is not its own fails the test."""
        ended = await self.call(FILE, repo=repo, path=path_of(number, folder), ref="main")
        if ended.error is None:
            assert_right(ended.answer, number, folder)
        return ended

    async def serves(self, *numbers: int) -> None:
        """Read these files, each of which must be answered."""
        for number in numbers or (1,):
            ended = await self.read(number)
            assert ended.error is None, ended.answer


def assert_right(answer: dict[str, Any], number: int, folder: str = "files") -> None:
    """Whether an answer is that of the file of that number."""
    assert answer["ok"] is True, answer
    assert answer["file"]["path"] == path_of(number, folder)
    assert answer["content"] == content_of(number, folder)


def assert_refusals(all_ended: Iterable[Ended], *codes: str, within_s: float) -> None:
    """Each was refused, with one of these codes and when to come again, and in time."""
    for ended in all_ended:
        assert ended.error in codes, ended.answer
        assert ended.answer["ok"] is False
        assert ended.answer["retry_after"] > 0
        assert ended.seconds < within_s, ended


@asynccontextmanager
async def clients_of(deployment: Deployment, gateway: int = 0, token: str = "") -> AsyncIterator[Clients]:
    """Callers of one of its gateways."""
    async with httpx2.AsyncClient(timeout=60, verify=NO_AUTHORITIES, limits=httpx2.Limits(max_connections=None)) as http:
        yield Clients(http, deployment.gateways[gateway].url, token or deployment.token)
