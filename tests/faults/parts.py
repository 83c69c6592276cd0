"""A hosted deployment whose every part is a process that a test may kill, freeze and start again; clients see it through the front door."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from gateway import tokens
from shared.database import repositories
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from tests.end_to_end.services import ROOT, codekeeper, environment_of
from tests.fake_git import REAL_GIT
from tests.git_repositories import commit_files, new_repository
from tests.hosted.processes import RedisServer, is_alive, wait_until

FILES: Final = 200
"""Files of the repository `numbered`, each of whose content names it."""

BATCH_READS_S: Final = 2
"""Seconds from its entry after which a batch begins no further read; less than the calls' short deadline."""

HELD: Final = 40
"""Files of which a read holds still until it is let go."""


def path_of(number: int, folder: str = "files") -> str:
    return f"{folder}/{number:03}.txt"


def content_of(number: int, folder: str = "files") -> str:
    return f"This is {path_of(number, folder)}.\n" + f"line of {number}\n" * (number % 40)


def numbered_repository(folder: Path) -> Path:
    """A repository of files whose content names them, so that an answer shows whose it is."""
    source = new_repository(folder)
    files = {path_of(number): content_of(number).encode() for number in range(FILES)}
    held = {path_of(number, "held"): content_of(number, "held").encode() for number in range(HELD)}
    commit_files(source, files | held)
    return source


# `hang`, beside it, names the command that it does not do. It and its child ignore SIGTERM, as a git that waits for a dead disk does.
_STUB_GIT: Final = """\
#!/bin/sh
case " $* " in
*" $(cat {folder}/hang 2>/dev/null || echo none) "*)
    trap '' TERM
    echo $$ > {folder}/hung.pid
    sleep 300 &
    echo $! > {folder}/child.pid
    wait
    exit 0 ;;
esac
exec {real} "$@"
"""


class StubGit:
    """A `git` that is the real one until a test lets a command of it hang."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        program = folder / "git"
        program.write_text(_STUB_GIT.format(folder=folder, real=REAL_GIT))
        program.chmod(0o755)

    def hang(self, command: str) -> None:
        (self.folder / "hang").write_text(command)

    def work(self) -> None:
        for name in ("hang", "hung.pid", "child.pid"):
            (self.folder / name).unlink(missing_ok=True)

    def processes(self) -> list[int]:
        """The hanging git and its child, once both have begun."""
        files = [self.folder / "hung.pid", self.folder / "child.pid"]
        return [int(file.read_text()) for file in files if file.exists() and file.read_text().strip()]


class Part:
    """One process of the deployment."""

    def __init__(self, command: list[str], environment: Mapping[str, str], log: Path, ready: str | None) -> None:
        """`ready` is the word of its log that says so; None when it prints its address."""
        self._command = command
        self._environment = dict(environment)
        self.log = log
        self._ready = ready
        self.process: subprocess.Popen[str] | None = None
        self._said = 0
        self.url = ""

    def start(self) -> "Part":
        """Start it, unless it runs. `wait` says when it serves."""
        if self.process is None or self.process.poll() is not None:
            with self.log.open("ab") as log:
                self._said = log.tell()
                self.process = subprocess.Popen(
                    self._command, env=self._environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
                )
        return self

    def wait(self) -> "Part":
        """Wait until it serves."""
        assert self.process is not None
        assert self.process.stdout is not None
        if self._ready is not None:
            wait_until(lambda: self._ready in self.said() or self._has_ended(), within_s=30)
            assert not self._has_ended(), self.said()
        elif not self.process.stdout.closed:
            line = self.process.stdout.readline()
            assert line, self.said()
            self.url = json.loads(line)["url"]
            self.process.stdout.close()
        return self

    def said(self) -> str:
        """What it logged since it was started last."""
        with self.log.open("rb") as log:
            log.seek(self._said)
            return log.read().decode(errors="replace")

    def _has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def pool(self) -> list[int]:
        """The ids of its children that run."""
        try:
            children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        except FileNotFoundError:
            return []
        return [child for child in map(int, children) if is_alive(child)]

    def sockets(self, process_id: int) -> set[str]:
        """The sockets that a process has open, as the kernel names them."""
        links = [str(link.readlink()) for link in Path(f"/proc/{process_id}/fd").iterdir()]
        return {link for link in links if link.startswith("socket:")}

    def memory_kib(self) -> int:
        """Resident memory of it and its children."""
        return sum(_resident_kib(process_id) for process_id in (self.pid, *self.pool()))

    def kill(self) -> None:
        """SIGKILL to the main process alone, as the kernel does when memory runs out."""
        self._end(signal.SIGKILL, 10)

    def stop(self) -> None:
        """SIGTERM, and the time that it takes to end in good order."""
        self._end(signal.SIGTERM, 20)

    def _end(self, how: signal.Signals, within_s: float) -> None:
        if self.process is None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(within_s)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None


def _resident_kib(process_id: int) -> int:
    try:
        lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    except FileNotFoundError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


@dataclass(frozen=True)
class Template:
    """A data folder with the repository `numbered`, synced, and a token of `admin`."""

    data: Path
    source: Path
    token: str

    def copy(self, folder: Path) -> Path:
        """A copy for a deployment of its own."""
        shutil.copytree(self.data, folder)
        return folder


@cache
def shared_template(temporary: Path) -> Template:
    """The data folder that each deployment of this run gets a copy of, made once in the run's own temporary folder."""
    folder = temporary / "template"
    folder.mkdir()
    source = numbered_repository(folder / "numbered-source")
    data = folder / "data"
    engine = open_engine(f"sqlite:///{data / 'codekeeper.sqlite3'}")
    migrate(engine, data)
    assert repositories.add(engine, "numbered", str(source), None)
    token = tokens.issue(engine, "admin", ["read"])["token"]
    engine.dispose()
    codekeeper(environment_of(data), "repo", "sync")
    return Template(data, source, token)


class Deployment:
    """Redis, two gateways, one reader with a pool of two, one batcher, one syncer. Nothing runs until it is started."""

    def __init__(self, folder: Path, data: Path, token: str, *, gateway: str = "tests.faults.short_deadlines", **settings: str) -> None:
        self.data = data
        self.token = token
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.hold = folder / "hold"
        self.hold.mkdir()
        self.redis = RedisServer(folder)
        self.git = StubGit(folder / "bin")
        more = {name: value for name, value in settings.items() if not name.startswith("TESTS_")}
        self.environment = environment_of(data, redis_url=self.redis.url, **more)
        own = {name: value for name, value in settings.items() if name.startswith("TESTS_")}
        workers = {
            **self.environment, "TESTS_HOLD": str(self.hold), "TESTS_GIT_S": "3", "TESTS_BATCH_READS_S": str(BATCH_READS_S), **own,
            "PATH": f"{self.git.folder}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        serve = [sys.executable, "-m", gateway, "serve"]
        self.gateways = [Part(serve, self.environment, folder / f"gateway-{number}.log", None) for number in range(2)]
        self.reader = Part(_worker("read", 2), workers, folder / "reader.log", "worker_ready")
        self.batcher = Part(_worker("batch", 1), workers, folder / "batcher.log", "worker_ready")
        self.syncer = Part(_worker("sync", 1), workers, folder / "syncer.log", "worker_ready")

    @property
    def url(self) -> str:
        return self.gateways[0].url

    def start(self, *parts: Part) -> "Deployment":
        """Start Redis and these parts, at once, and wait until they serve."""
        self.redis.start()
        for part in parts:
            part.start()
        for part in parts:
            part.wait()
        return self

    def end(self) -> None:
        self.redis.start()
        self.redis.thaw()
        self.let_go()
        self.let_acks_go()
        for part in (*self.gateways, self.reader, self.batcher, self.syncer):
            part.kill()
        self.redis.stop()

    def held(self) -> dict[str, int]:
        """Which reads hold still, by the number in their path, and the process that each is in."""
        return {file.stem: int(file.read_text()) for file in self.hold.glob("*.pid")}

    def let_go(self) -> None:
        (self.hold / "go").touch()

    def hold_acks(self) -> None:
        """Let the workers' next acknowledgement wait, and with it the whole main process, until `let_acks_go`."""
        (self.hold / "acks").touch()

    def is_acking(self) -> bool:
        return (self.hold / "acking").exists()

    def let_acks_go(self) -> None:
        (self.hold / "acks").unlink(missing_ok=True)

    def hold_again(self) -> None:
        for file in self.hold.iterdir():
            file.unlink()


def _worker(queue: str, processes: int) -> list[str]:
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "INFO"]
    app = ["-A", "tests.faults.worker_app", "worker"]
    return [sys.executable, "-m", "celery", "-q", *app, "-Q", queue, "-n", f"{queue}@%h", "-c", str(processes), *quiet]
