"""The service as it really runs, both forms on one data folder: gateways, Redis and Celery workers as processes, and clients of the SDK."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2
from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.plain_http import NO_AUTHORITIES

ROOT = Path(__file__).parents[2]

USERS = {"admin": ("read",), "colleague": ("read",), "reader": ("read",), "writer": ("read", "write")}
"""Users of the tests and their tokens' scopes; `admin` and `colleague` are admins."""


@dataclass(frozen=True)
class Reply:
    """What a client got for one tool call."""

    text: str
    is_error: bool

    @property
    def json(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.text)
        return answer


class Connection:
    """One client of the SDK, connected, used from a test's own thread."""

    def __init__(self, portal: BlockingPortal, url: str, token: str, mode: str) -> None:
        self._portal = portal
        self._stack = ExitStack()
        headers = {"Authorization": f"Bearer {token}"}
        of_http = httpx2.AsyncClient(headers=headers, timeout=60, verify=NO_AUTHORITIES)
        http = self._stack.enter_context(portal.wrap_async_context_manager(of_http))
        client = Client(streamable_http_client(url, http_client=http), mode=mode)  # type: ignore[arg-type]
        self.client = self._stack.enter_context(portal.wrap_async_context_manager(client))

    def call(self, tool: str, **arguments: Any) -> Reply:
        result = self._portal.call(self.client.call_tool, tool, arguments)
        assert result.structured_content is None  # one text block, no second copy
        (block,) = result.content
        return Reply(block.text, result.is_error)

    def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in self._portal.call(self.client.list_tools).tools}

    def resources(self) -> list[Any]:
        """What is listed, the newest first."""
        return list(self._portal.call(self.client.list_resources).resources)

    def document(self, uri: str) -> str:
        """The one text of a resource, which is JSON."""
        (content,) = self._portal.call(self.client.read_resource, uri).contents
        assert (content.uri, content.mime_type) == (uri, "application/json")
        text: str = content.text
        return text

    def close(self) -> None:
        self._stack.close()


@dataclass
class Service:
    """One running form."""

    form: str
    url: str
    tokens: Mapping[str, str]
    portal: BlockingPortal
    environment: Mapping[str, str]
    _connections: dict[tuple[str, str], Connection] = field(default_factory=dict)

    def connection(self, user: str = "admin", mode: str = "auto") -> Connection:
        key = (user, mode)
        if key not in self._connections:
            self._connections[key] = Connection(self.portal, self.url, self.tokens[user], mode)
        return self._connections[key]

    def call(self, tool: str, **arguments: Any) -> Reply:
        return self.connection().call(tool, **arguments)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for connection in self._connections.values():
            connection.close()


def environment_of(data_dir: Path, **settings: str) -> dict[str, str]:
    """The environment of a process of the service."""
    return {
        **os.environ,
        "CODEKEEPER_DATA_DIR": str(data_dir),
        "CODEKEEPER_ADMIN_USERS": "admin,colleague",
        "CODEKEEPER_PORT": "0",
        "CODEKEEPER_RATE_LIMIT": "9999999/60",
        "CODEKEEPER_AUTOSYNC": "0",
        "CODEKEEPER_CLONE_PROTOCOLS": "file",
        "CODEKEEPER_DOCS_REPOS": "case-06,case-07,case-08,shapes,maps",
        **{f"CODEKEEPER_{name.upper()}": value for name, value in settings.items()},
    }


def codekeeper(environment: Mapping[str, str], *arguments: str, code: int = 0, stdin: str = "") -> str:
    """What the command line prints to stdout; any other exit code than `code` fails the test with what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "gateway.commands.main", *arguments],
        env=dict(environment), cwd=ROOT, input=stdin, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == code, f"{arguments}: exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def process(command: list[str], environment: Mapping[str, str], log: Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A child that ends with the test session; what it says on stderr is kept in `log`."""
    with log.open("ab") as stderr:
        child = subprocess.Popen(command, env=dict(environment), stderr=stderr, text=True, **{"cwd": ROOT, **options})
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(15)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if child.stdout is not None:
            child.stdout.close()


@contextmanager
def gateway(environment: Mapping[str, str], log: Path) -> Iterator[str]:
    """A running gateway's address, as it prints it once it listens."""
    command = [sys.executable, "-m", "gateway.commands.main", "serve"]
    with process(command, environment, log, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        assert line, f"the gateway did not start:\n{log.read_text()}"
        yield json.loads(line)["url"]


@contextmanager
def worker(environment: Mapping[str, str], queue: str, log: Path) -> Iterator[subprocess.Popen[str]]:
    """A running Celery worker of one queue. Calls may be sent before it is ready; they wait in the queue."""
    options = ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "INFO"]
    command = [sys.executable, "-m", "celery", "-A", "workers.app", "worker", "-Q", queue, "-n", f"{queue}@%h", "-c", "2", *options]
    with process(command, environment, log, stdout=subprocess.DEVNULL) as child:
        yield child


@contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """A private Redis without persistence; its address."""
    folder.mkdir()
    # Port 0 would close TCP altogether, so Redis can't choose one itself; a fixed socket can't be used by the rate limiter's library.
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    with process(command, os.environ, folder / "redis.log", stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if "Ready to accept connections" in line:
                break
        yield f"redis://127.0.0.1:{port}/0"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
