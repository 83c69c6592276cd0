"""Asking the indexer's process, which is started for the first text and again after one that ended it."""

import atexit
import json
import os
import subprocess
import sys
import threading
from typing import IO, Any, Final, cast

import structlog

from workers.indexer.program import INDEXED
from workers.parsing.code.index import MAX_SOURCE_BYTES, Limit, Unindexed
from workers.parsing.code.languages import Language

log = structlog.get_logger()

_COMMAND: Final = (sys.executable, "-P", "-m", "workers.indexer.program")


class Indexer:
    """One process that makes indexes, and all threads of this one take turns.

    It shares nothing with this process and is started as a program, because Python code after a fork isn't safe beside threads. It ends
    when this process does: its standard input ends then. A fork leaves it to the parent.
    """

    def __init__(self) -> None:
        """Nothing is started yet."""
        self._forget()
        os.register_at_fork(after_in_child=self._forget)

    def index(self, source: bytes, language: Language) -> list[list[Any]]:
        """What `Index.to_json` gives for a UTF-8 text. A new process takes 60 ms, a question to one that is there 0.2 beside the index.

        Raises:
            Unindexed: `resource-limit`, also of a text that ended the process; or `parse-error`.
            RuntimeError: the process ended by itself.
        """
        if len(source) > MAX_SOURCE_BYTES:
            raise Unindexed(Limit.RESOURCE)
        with self._lock:
            process = self._running()
            try:
                outcome, made, is_last = _ask(process, source, language)
            except (BrokenPipeError, EOFError):
                signal = -self._end()
                if signal <= 0:
                    raise RuntimeError(f"the indexer ended with exit code {-signal}") from None
                log.warning("indexer_ended", signal=signal, language=language.value, bytes=len(source))
                raise Unindexed(Limit.RESOURCE) from None
            except BaseException:  # a soft time limit: what it answers now is nobody's
                self._end()
                raise
            if is_last:
                self._end()
        if outcome != INDEXED:
            raise Unindexed(Limit(outcome))
        rows: list[list[Any]] = json.loads(made)
        return rows

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            self._end()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:  # ended by somebody else
            self._end()
        if self._process is None:
            self._process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                cwd="/",
                start_new_session=True,  # a Ctrl-C is for this process to judge
            )
        return self._process

    def _end(self) -> int:
        """End the process and return how it ended, as `Popen.returncode`; 0 where there is none."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.kill()  # one that has ended by itself keeps its code
        with process:
            return process.wait()


def _ask(process: subprocess.Popen[bytes], source: bytes, language: Language) -> tuple[str, bytes, bool]:
    """The outcome, its JSON, and whether it is the process's last answer.

    Raises:
        BrokenPipeError, EOFError: the process has ended.
    """
    stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
    for part in (f"{language.value} {len(source)}\n".encode(), source):
        left = memoryview(part)
        while left:  # past the buffer of `stdin`, which a fork of this process would write again
            left = left[os.write(stdin.fileno(), left) :]
    head = stdout.readline()
    if not head.endswith(b"\n"):
        raise EOFError
    outcome, size, is_last = head.split()
    made = stdout.read(int(size))
    if len(made) < int(size):
        raise EOFError
    return outcome.decode(), made, is_last == b"1"


indexer: Final = Indexer()
atexit.register(indexer.close)
