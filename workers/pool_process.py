"""What a pool process does before its first task: it dies with its parent, forgets the parent's connections, limits its memory."""

import ctypes
import gc
import signal
from dataclasses import dataclass
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
    resources.engine.cache_clear()
    gc.freeze()  # what was loaded before the fork stays for good; walking it made a parse a third slower
    if limits.task_bytes is not None:
        limit_own_memory(limits.task_bytes)
