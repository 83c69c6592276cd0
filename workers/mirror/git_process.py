"""The one runner of git processes: a closed environment, no hooks, no prompts, a timeout, and no child left behind.

Only the indexer (`workers/indexer`) is a process that another file of the project starts.
"""

import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from shared.budget import SYNC_BYTES
from workers.mirror.git_environment import CONFIG_ARGUMENTS, NO_CREDENTIALS, Credentials, closed_environment
from workers.mirror.mask_credentials import last_words
from workers.own_memory import limit_memory_of

MAX_STDERR_CHARS: Final = 500
"""Characters of git's last words that are kept for the log and the record of a failed sync."""

MAX_STDOUT_BYTES: Final = 64 * 1024 * 1024
"""Bytes of stdout that are held at the most; a remote that sends without end is ended, not this process."""

_KEPT_STDERR_BYTES: Final = 8 * 1024
"""Bytes at the end of stderr from which the last words are taken; progress lines fall out of them."""

_PIECE_BYTES: Final = 65_536
"""Bytes read from a pipe at once: what a pipe holds."""

_TICK_S: Final = 1.0
"""Seconds between two calls of `on_stderr`, at the most."""

GIT_MAPPED_BYTES: Final = 1024 * 1024 * 1024
"""Bytes that git may map beside its own memory: its windows on packs (`git.config`), packs' indexes, what threads reserve."""

_OUT_OF_MEMORY: Final = ("out of memory", "cannot allocate memory", "died of signal 9")
"""What git says, in lower case, when it or a helper of it got no memory; a remote's own words begin with `remote:`."""

_NOT_IN_TIME: Final = "it did not end in time"
"""How a process ended that was stopped at its timeout."""

_NO_REPOSITORY: Final = "/nonexistent"
"""Where a git process without a mirror looks for one, so that it doesn't look around its working directory."""


class GitFailed(Exception):  # noqa: N818 - a verdict of git's, for the caller to judge
    """A git process that ended badly. Its text and `stderr` are safe to log and to keep: credentials are masked (REF-46)."""

    def __init__(self, command: str, exit_code: int | None, stderr: str, how: str | None = None) -> None:
        super().__init__(f"git {command}: {how or f'exit code {exit_code}'}: {stderr}")
        self.command = command
        self.how = how
        """Why it was ended or could not start; None when it ended by itself."""
        self.exit_code = exit_code
        """Git's exit code; None when it didn't end by itself."""
        self.stderr = stderr
        """Git's last words, at most `MAX_STDERR_CHARS` characters."""

    @property
    def timed_out(self) -> bool:
        """Whether it was ended at its timeout."""
        return self.how == _NOT_IN_TIME

    @property
    def reason(self) -> str:
        """One sentence for the record of a sync: what was tried, and how it ended."""
        return f"git {self.command}: {self.how or self.stderr or f'exit code {self.exit_code}'}"


class GitOutOfMemory(MemoryError):  # noqa: N818
    """A git process that met its memory limit, or was killed, which the system does when there is no memory.

    It is no `GitFailed`: it says nothing of the mirror. Its text is as safe to log.
    """

    def __init__(self, command: str, exit_code: int, stderr: str) -> None:
        self.reason = f"git {command}: exit code {exit_code}: it was killed or met its limit of memory"
        """One sentence for the log and the record of a sync."""
        super().__init__(f"{self.reason}: {stderr}")


@cache
def _dying_with_parent() -> tuple[str, ...]:
    """Words before `git` that make it die with this process, where util-linux has them.

    Without them a pool process that is killed at its hard limit leaves its git running. They are a program and no `preexec_fn`, because
    Python code between fork and exec isn't safe beside threads.
    """
    setpriv = shutil.which("setpriv")
    return () if setpriv is None else (setpriv, "--pdeathsig", "KILL", "--")


def run_git(
    *arguments: str,
    timeout_s: float,
    git_dir: str | Path | None = None,
    protocols: Sequence[str] = (),
    credentials: Credentials = NO_CREDENTIALS,
    on_stderr: Callable[[bytes], None] | None = None,
    max_stdout_bytes: int = MAX_STDOUT_BYTES,
    memory_bytes: int = SYNC_BYTES,
) -> bytes:
    """Run git and return what it wrote to stdout.

    `arguments` are git's own, the command first; a value of a caller stands after `--` or `--end-of-options`, never where an option can.
    Without `git_dir` no repository is used. `on_stderr` is given git's words as they come, and an empty piece when a second has passed
    without a call, so that it can watch a lock or a clock; what it raises ends git and is raised here. `memory_bytes` is what
    git, and each helper that it starts, may take of memory; a read says `GIT_READ_BYTES`.

    Raises:
        GitOutOfMemory: git met `memory_bytes`, or was killed.
        GitFailed: git could not start, ended with another exit code than 0 or not within `timeout_s` seconds, or wrote more than
            `max_stdout_bytes`.
    """
    kept = bytearray()

    def keep(piece: bytes) -> bool:
        kept.extend(piece)
        return len(kept) <= max_stdout_bytes

    ended = listen_to_git(
        *arguments,
        on_stdout=keep,
        timeout_s=timeout_s,
        git_dir=git_dir,
        protocols=protocols,
        credentials=credentials,
        on_stderr=on_stderr,
        memory_bytes=memory_bytes,
    )
    if ended.by is EndedBy.LISTENER:
        raise GitFailed(arguments[0], None, ended.stderr, how=f"it wrote more than {max_stdout_bytes} bytes")
    if ended.by is EndedBy.TIMEOUT:
        raise GitFailed(arguments[0], None, ended.stderr, how=_NOT_IN_TIME)
    if ended.exit_code != 0:
        raise GitFailed(arguments[0], ended.exit_code, ended.stderr)
    return bytes(kept)


class EndedBy(StrEnum):
    """What ended a git process."""

    ITSELF = "itself"
    TIMEOUT = "timeout"
    LISTENER = "listener"
    """Whoever takes its output wanted no more of it."""


@dataclass(frozen=True)
class GitEnded:
    """How a git process ended that was listened to."""

    by: EndedBy
    exit_code: int | None
    """Git's exit code; None when it didn't end by itself."""
    stderr: str
    """Git's last words, at most `MAX_STDERR_CHARS` characters, credentials masked (REF-46); empty when it said nothing."""


def listen_to_git(
    *arguments: str,
    on_stdout: Callable[[bytes], bool],
    timeout_s: float,
    git_dir: str | Path | None = None,
    protocols: Sequence[str] = (),
    credentials: Credentials = NO_CREDENTIALS,
    on_stderr: Callable[[bytes], None] | None = None,
    memory_bytes: int = SYNC_BYTES,
) -> GitEnded:
    """Run git and give what it writes to stdout to `on_stdout`, piece by piece; nothing of it is held here.

    `on_stdout` returns whether it wants more; when it doesn't, git is ended. What it raises ends git and is raised here. All else is as
    in `run_git`, but that an exit code is the caller's to judge.

    Raises:
        GitOutOfMemory: git met `memory_bytes`, or was killed.
        GitFailed: git could not start.
    """
    try:
        process = subprocess.Popen(
            [*_dying_with_parent(), "git", "--git-dir", str(git_dir or _NO_REPOSITORY), *CONFIG_ARGUMENTS, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=closed_environment(protocols, credentials),
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        raise GitFailed(arguments[0], None, "", how=f"it could not be started: {error.strerror}") from None
    limit_memory_of(process.pid, memory_bytes, GIT_MAPPED_BYTES)
    listener = _Listener(on_stdout, on_stderr or (lambda _: None))
    with process:
        try:
            ended_by = listener.listen(process, time.monotonic() + timeout_s)
        finally:
            _end_group(process)
    stderr = last_words(bytes(listener.stderr), MAX_STDERR_CHARS, (secret.get_secret_value() for secret in credentials.masked))
    if ended_by is not EndedBy.ITSELF:
        return GitEnded(ended_by, None, stderr)
    if process.returncode == -signal.SIGKILL or (process.returncode != 0 and _says_out_of_memory(stderr)):
        raise GitOutOfMemory(arguments[0], process.returncode, stderr)
    return GitEnded(ended_by, process.returncode, stderr)


def _says_out_of_memory(stderr: str) -> bool:
    own_words = " ".join(line for line in stderr.splitlines() if not line.startswith("remote:")).lower()
    return any(words in own_words for words in _OUT_OF_MEMORY)


class _Listener:
    """Takes in what a process writes: stdout is passed on, and of stderr the end is kept."""

    def __init__(self, on_stdout: Callable[[bytes], bool], on_stderr: Callable[[bytes], None]) -> None:
        self.stderr = bytearray()
        self._on_stdout = on_stdout
        self._on_stderr = on_stderr

    def listen(self, process: subprocess.Popen[bytes], until: float) -> EndedBy:
        """Listen till both outputs and the process have ended. Returns what ended it, or must end it before that.

        `until` is monotonic seconds.
        """
        heard = time.monotonic()
        with selectors.DefaultSelector() as selector:
            for stream in filter(None, (process.stdout, process.stderr)):
                selector.register(stream, selectors.EVENT_READ)
            while selector.get_map():
                left = until - time.monotonic()
                if left <= 0:
                    return EndedBy.TIMEOUT
                for key, _ in selector.select(min(left, _TICK_S)):
                    piece = os.read(key.fd, _PIECE_BYTES)
                    if not piece:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is process.stderr:
                        self._keep_stderr(piece)
                        self._on_stderr(piece)
                        heard = time.monotonic()
                    elif not self._on_stdout(piece):
                        return EndedBy.LISTENER
                if time.monotonic() - heard >= _TICK_S:
                    self._on_stderr(b"")
                    heard = time.monotonic()
        try:
            process.wait(max(until - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            return EndedBy.TIMEOUT
        return EndedBy.ITSELF

    def _keep_stderr(self, piece: bytes) -> None:
        self.stderr += piece
        if len(self.stderr) > 2 * _KEPT_STDERR_BYTES:
            # From a line's start on: half an address would not be known for one, and its password would stay.
            kept = self.stderr[-_KEPT_STDERR_BYTES:].replace(b"\r", b"\n").partition(b"\n")[2]
            self.stderr[:] = kept


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End git and what it started (its transport helpers share its process group), if any of it still runs."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # all of it has ended; macOS says so with the second
