"""A stack on which tree-sitter can let go of the deepest parse: it recurses, and where the stack ends, so does the process."""

import os
import resource
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

_Result = TypeVar("_Result")

STACK_BYTES: Final = 64 * 1024 * 1024
"""Bytes of stack for one parse. 240 KB of `a:{` overflowed 8 MiB on 2026-12-01, about 100 bytes for each; a parse of `MAX_STEPS` has at
most a million operations, and each of these takes at least three."""


def on_deep_stack(work: Callable[[], _Result]) -> _Result:
    """What `work` returns or raises, called where the stack may take `STACK_BYTES`.

    The main thread's grows as far as the process's limit says, and takes only what it needs: a pool process reads there. Another thread's
    is as large as when it was started, so one thread with a large one does the work for all others.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and _is_enough(soft):
        return work()
    if not is_main or not _is_enough(hard):
        return _deep_thread.run(work)
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, hard))
    try:
        return work()
    finally:
        # A git process that is started later takes its limit for the stack of each of its threads, out of its own share.
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


def _is_enough(limit: int) -> bool:
    return limit == resource.RLIM_INFINITY or limit >= STACK_BYTES


class _DeepThread:
    """The thread with the large stack, started at its first work; a fork leaves it behind, and the child starts its own."""

    def __init__(self) -> None:
        self._forget()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._executor: ThreadPoolExecutor | None = None

    def run(self, work: Callable[[], _Result]) -> _Result:
        """Wait for its turn, and for the work."""
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(1, thread_name_prefix="deep-stack")
                before = threading.stack_size(STACK_BYTES)
                try:
                    self._executor.submit(int).result()  # a thread is started by the first work it is given
                finally:
                    threading.stack_size(before)
        return self._executor.submit(work).result()


_deep_thread: Final = _DeepThread()
