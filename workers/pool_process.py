"""What a pool process does before its first task: bind its life to its parent's, and let go of what the parent held at the fork."""

import ctypes
import signal
from typing import Any, Final

from workers import resources

_PR_SET_PDEATHSIG: Final = 1
_libc = ctypes.CDLL(None, use_errno=True)


def begin(**_: Any) -> None:
    """The receiver of Celery's `worker_process_init`."""
    # Linux: the parent enforces the time limits. A process that outlived a killed parent would run its call without any.
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resources.engine.cache_clear()
