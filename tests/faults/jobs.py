"""Review jobs as an operator runs them: a process of the command line that a test may stop and kill."""

import json
import os
import pty
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.end_to_end.services import ROOT
from tests.hosted.processes import wait_until

COMMAND = [sys.executable, "-m", "tests.faults.short_job", "batch", "run"]


def write_items(file: Path, items: Sequence[Mapping[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    return file


class Job:
    """One run of a job, resumed or not."""

    def __init__(self, environment: Mapping[str, str], items: Path, out: Path) -> None:
        self.out = out
        self._said = out.with_suffix(".log")
        with self._said.open("wb") as said:
            self.process = subprocess.Popen([*COMMAND, str(items), "--out", str(out)], env=dict(environment), cwd=ROOT, stderr=said)

    def lines(self) -> int:
        return self.out.read_bytes().count(b"\n") if self.out.exists() else 0

    def has_lines(self, count: int) -> None:
        """Wait until that many results are written."""
        wait_until(lambda: self.lines() >= count or self.process.poll() is not None, within_s=40)
        assert self.process.poll() is None, self.said()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def ended(self, within_s: float = 60) -> int:
        """Its exit code."""
        try:
            return self.process.wait(within_s)
        finally:
            self.kill()

    def said(self) -> str:
        return self._said.read_text()


def finished(environment: Mapping[str, str], items: Path, out: Path, code: int = 0) -> bytes:
    """The results of a job that runs to its end."""
    job = Job(environment, items, out)
    assert job.ended() == code, job.said()
    return out.read_bytes()


def shown_on_a_terminal(environment: Mapping[str, str], items: Path, out: Path) -> str:
    """What a job shows whose stderr is a terminal."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (24, 120))
    process = subprocess.Popen([*COMMAND, str(items), "--out", str(out)], env=dict(environment), cwd=ROOT, stderr=its)
    os.close(its)
    shown = bytearray()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        try:
            while piece := terminal.read(4096):
                shown += piece
        except OSError:  # Linux's end of file on a terminal whose other side has ended
            pass
    assert process.wait(20) == 0
    return shown.decode()
