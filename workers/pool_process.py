"""What a pool process does before its first task: it dies with its parent, forgets the parent's connections, limits its memory."""

import ctypes
import gc
import os
import signal
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workers import resources
from workers.own_memory import limit_own_memory

_PR_SET_PDEATHSIG: Final = 1
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass
class _Limits:
    """What the worker's main process decided before the fork."""

    task_bytes: int | None = None


limits: Final = _Limits()
"""`task_bytes` is what a task may take beside what its process has at its start (`Budget.task_bytes`); None: no limit was decided."""


def begin(**_: Any) -> None:
    """The receiver of Celery's `worker_process_init`."""
    # Linux: the parent enforces the time limits. A process that outlived a killed parent would run its call without any.
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _let_go_of_sockets()
    resources.engine.cache_clear()
    gc.freeze()  # what was loaded before the fork stays for good; walking it made a parse a third slower
    if limits.task_bytes is not None:
        limit_own_memory(limits.task_bytes)


def _let_go_of_sockets() -> None:
    """Leave the parent's connections to the parent: a process that takes a lost one's place is forked from a worker that has some.

    One that a child holds stays open when the parent closes it, and wakes the parent's event loop without end. Whatever in this process
    still means to close it later closes the null device instead.
    """
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for number in [int(opened.name) for opened in Path("/dev/fd").iterdir()]:
        try:
            is_socket = stat.S_ISSOCK(os.fstat(number).st_mode)
        except OSError:  # the listing's own
            continue
        if is_socket:
            os.dup2(null, number, inheritable=False)
    os.close(null)
