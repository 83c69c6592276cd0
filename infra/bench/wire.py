"""Clients that speak the protocol's bytes themselves: they count what arrives, and cost so little that the server is what is measured."""

import asyncio
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

LEGACY: Final = "2025-11-25"
MODERN: Final = "2026-07-28"

_CLIENT: Final = {"name": "bench", "version": "1"}


def _request(number: int, method: str, params: Mapping[str, Any], revision: str) -> bytes:
    meta = {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientInfo": _CLIENT,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    }
    sent = {**params, **(meta if revision == MODERN else {})}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": sent}, separators=(",", ":")).encode()


@dataclass(frozen=True)
class Received:
    """One answer as it arrived."""

    wire_bytes: int
    """All bytes that came for it: the line on stdio; status, headers and body over HTTP."""
    message: bytes
    """The JSON-RPC message."""

    def text(self) -> str:
        """The text of the tool's one block.

        Raises:
            ValueError: the call wasn't answered with a text, or the tool refused.
        """
        message = json.loads(self.message)
        try:
            (block,) = message["result"]["content"]
            text: str = block["text"]
        except (KeyError, ValueError) as error:
            raise ValueError(f"no tool's answer: {self.message[:300]!r}") from error
        if not text.startswith('{"ok":true'):
            raise ValueError(f"refused: {text[:300]}")
        return text


class HttpClient:
    """One kept-alive HTTP connection to a gateway, one call at a time. The gateway is stateless, so no handshake is needed."""

    def __init__(self, url: str, token: str, revision: str = MODERN) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._path = parts.hostname or "", parts.port or 80, parts.path
        self._token, self._revision = token, revision
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> Self:
        self._streams = await asyncio.open_connection(self._host, self._port, limit=2**22)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._streams is not None:
            self._streams[1].close()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Received:
        """The answer to one tool call."""
        if self._streams is None:
            raise RuntimeError("not connected")
        reader, writer = self._streams
        body = _request(1, "tools/call", {"name": tool, "arguments": arguments}, self._revision)
        head = (
            f"POST {self._path} HTTP/1.1\r\nhost: {self._host}:{self._port}\r\nauthorization: Bearer {self._token}\r\n"
            f"accept: application/json, text/event-stream\r\ncontent-type: application/json\r\nmcp-protocol-version: {self._revision}\r\n"
            f"mcp-method: tools/call\r\nmcp-name: {tool}\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        headers = await reader.readuntil(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in headers.split(b"\r\n")[1:-2])
        if b"content-length" in fields:
            content = await reader.readexactly(int(fields[b"content-length"]))
            received = len(headers) + len(content)
        else:
            content, received = b"", len(headers)
            while True:
                length = await reader.readuntil(b"\r\n")
                chunk = await reader.readexactly(int(length, 16) + 2)
                received += len(length) + len(chunk)
                if len(chunk) == len(b"\r\n"):
                    break
                content += chunk[:-2]
        events = [line[len(b"data: ") :] for line in content.split(b"\r\n") if line.startswith(b"data: {")]
        return Received(received, events[-1] if events else content)


class StdioClient:
    """A server on pipes, started here; one request at a time."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._log = log.open("ab")
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(list(command), env=dict(environment), stdin=pipe, stdout=pipe, stderr=self._log)
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._child.kill()
        self._child.communicate()
        self._log.close()

    def request(self, method: str, params: Mapping[str, Any], revision: str = LEGACY) -> Received:
        """The answer to one request."""
        if self._child.stdin is None or self._child.stdout is None:
            raise RuntimeError("not started")
        self._number += 1
        self._child.stdin.write(_request(self._number, method, params, revision) + b"\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            raise RuntimeError(f"the server ended; its log is {self._log.name}")
        return Received(len(line), line)

    def initialize(self) -> None:
        """The handshake of the earlier revisions."""
        self.request("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": _CLIENT})
        assert self._child.stdin is not None  # noqa: S101 - `request` has looked
        self._child.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def call(self, tool: str, arguments: Mapping[str, Any], revision: str = LEGACY) -> Received:
        """The answer to one tool call."""
        return self.request("tools/call", {"name": tool, "arguments": arguments}, revision)
