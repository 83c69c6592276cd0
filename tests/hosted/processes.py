"""The processes of the hosted form, as real ones that a test may stop, freeze and kill."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

POLL_S: Final = 0.01
"""Seconds between two looks at a condition; the wait for it has a bound of its own."""

ASK_S: Final = 0.2
"""The same where a look is a request, which costs the service and its client more than the wait does."""


async def until(condition: Callable[[], object], within_s: float = 10) -> None:
    """Wait for a condition, at most `within_s` seconds."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"not within {within_s} s"
        await asyncio.sleep(POLL_S)


def wait_until(condition: Callable[[], object], within_s: float = 20, every_s: float = POLL_S) -> None:
    """The same without an event loop, with a look every `every_s` seconds."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, f"not within {within_s} s"
        time.sleep(every_s)


def is_alive(process_id: int) -> bool:
    """Whether the process runs; one that is only waited for doesn't."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class RedisServer:
    """A Redis of its own that keeps nothing on disk: started again, it is empty."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.client = redis.Redis.from_url(self.url, decode_responses=True, socket_timeout=2, retry=Retry(NoBackoff(), 0))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self._process is not None:
            return
        command = ["redis-server", "--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, cwd=self._folder, stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.RedisError:
            return False

    def stop(self) -> None:
        if self._process is None:
            return
        self.thaw()
        self._process.kill()
        self._process.wait()
        self._process = None
        self.client.close()

    def freeze(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)


class Worker:
    """A worker with a pool of two."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self._environment = {**os.environ, "CODEKEEPER_REDIS_URL": redis_url, "CODEKEEPER_DATA_DIR": str(folder / "data")}
        self.log = folder / "worker.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it runs, and wait until it takes tasks."""
        if self._process is not None:
            return
        command = [
            sys.executable,
            "-m",
            "celery",
            "-q",
            "-A",
            "tests.hosted.worker_app",
            "worker",
            "-Q",
            "read",
            "-n",
            "reader@%h",
            "-c",
            "2",
        ]
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(command + quiet, env=self._environment, stderr=log, start_new_session=True)
        wait_until(lambda: "worker_ready" in self.log.read_text())

    def kill(self) -> None:
        """Kill the main process alone, as the kernel does when memory runs out."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Stop the main process; the pool goes on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def pool(self) -> list[int]:
        """The ids of its pool processes."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        return [int(child) for child in children.split()]
