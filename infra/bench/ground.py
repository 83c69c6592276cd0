"""What every bench stands on: one data folder with the bench's repository mirrored, and the processes that serve it."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from infra.bench.sources import FILE_31K, FILE_300K, make_source
from tests.end_to_end.services import ROOT, codekeeper, environment_of, process, redis_server

REPO: Final = "bench"
REF: Final = "refs/heads/main"

READ_FILE: Final = "codekeeper_get_repo_file"
LIST_TREE: Final = "codekeeper_list_repo_tree"
WHOLE_FILE: Final[dict[str, Any]] = {"repo": REPO, "path": FILE_31K}
SOME_LINES: Final[dict[str, Any]] = {"repo": REPO, "path": FILE_300K, "lines": [200, 260]}
FIRST_PAGE: Final[dict[str, Any]] = {"repo": REPO, "per_page": 200}

CODEKEEPER: Final = str(Path(sys.executable).with_name("codekeeper"))
READ_POOL: Final = 2


@dataclass(frozen=True)
class Ground:
    """The data folder and who may read it."""

    folder: Path
    environment: dict[str, str]
    token: str
    quick: bool
    default_branch: str
    """The branch that the pages of the review round are on; it stands in every answer about them."""
    stack: ExitStack
    """What ends with the run."""

    @property
    def mirror(self) -> Path:
        """The mirror that CodeKeeper reads, and that git's own processes read beside it."""
        return self.folder / "data" / "mirrors" / f"{REPO}.git"

    @cached_property
    def hosted(self) -> "Hosted":
        """The hosted form that benches share; started at the first use."""
        return self.stack.enter_context(hosted(self))

    def log(self, name: str) -> Path:
        """Where a process says what it has to say."""
        return self.folder / f"{name}.log"


def prepare(folder: Path, stack: ExitStack, *, quick: bool, default_branch: str) -> Ground:
    """Make the repository, mirror it by the command line, and issue a token."""
    environment = environment_of(folder / "data", docs_repos=REPO)
    codekeeper(environment, "repo", "add", REPO, str(make_source(folder)))
    codekeeper(environment, "repo", "docs", REPO, "--root", "docs/", "--suffix", ".md")
    token = json.loads(codekeeper(environment, "token", "issue", "--user", "admin"))["token"]
    return Ground(folder, environment, token, quick, default_branch, stack)


@dataclass(frozen=True)
class Hosted:
    """A running hosted form, with the empty tool beside the real ones."""

    url: str
    redis_url: str
    gateway: int
    """The gateway's process id."""
    worker: int
    """The process id of the worker's main process."""


@contextmanager
def listening(command: list[str], environment: dict[str, str], log: Path) -> Iterator[tuple[int, str]]:
    """A server that prints `{"url"}` once it listens: its process id and its address."""
    with process(command, environment, log, stdout=-1) as child:
        assert child.stdout is not None  # noqa: S101 - a pipe was asked for
        line = child.stdout.readline()
        if not line:
            raise RuntimeError(f"a server did not start:\n{log.read_text()}")
        yield child.pid, json.loads(line)["url"]


@contextmanager
def hosted(ground: Ground) -> Iterator[Hosted]:
    """Redis, a worker with two pool processes, as in the Procfile, and a gateway."""
    folder = ground.folder / f"redis-{len(list(ground.folder.iterdir()))}"
    with redis_server(folder) as redis_url:
        environment = ground.environment | {"CODEKEEPER_REDIS_URL": redis_url}
        worker = [
            sys.executable, "-m", "celery", "-q", "-A", "infra.bench.worker_app", "worker", "-Q", "read", "-n", "reader@%h",
            "-c", str(READ_POOL), "-l", "warning", "--without-gossip", "--without-mingle", "--without-heartbeat",
        ]  # fmt: skip
        gateway = [sys.executable, "-m", "infra.bench.gateway_with_empty_tool"]
        with (
            process(worker, environment, ground.log("worker"), stdout=-3) as running_worker,
            listening(gateway, environment, ground.log("gateway")) as (gateway_pid, url),
        ):
            yield Hosted(url, redis_url, gateway_pid, running_worker.pid)


@contextmanager
def batcher(ground: Ground) -> Iterator[dict[str, str]]:
    """A batcher beside the shared hosted form, as the Procfile starts it; the environment of the operator's command."""
    environment = ground.environment | {"CODEKEEPER_REDIS_URL": ground.hosted.redis_url}
    (line,) = (line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith("batcher:"))
    command = line.partition(": ")[2].replace("${CODEKEEPER_BATCH_POOL:-1}", "1").split()
    with process(command, environment | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}, ground.log("batcher"), stdout=-3):
        yield environment


@contextmanager
def echo_server(ground: Ground) -> Iterator[str]:
    """The address of an MCP server of the same SDK that does nothing."""
    command = [sys.executable, "-m", "infra.bench.echo_server"]
    with listening(command, dict(os.environ), ground.log("echo")) as (_, url):
        yield url
