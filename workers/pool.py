"""The pool of processes: Celery's own, but a result that has come counts before its task's time limit, and the dead are missed at once.

The main process reads results and enforces limits in one loop, and the loop stands still while Redis is away or the process is stopped.
When it goes on, it looks at overdue limits first: a process that ended its task long ago, and waits for the next one, would be interrupted
or killed, and the call that was just handed to it with it.

A process that is killed closes its pipes a moment before it can be waited for. Celery looks once, when the pipe closes; when that is too
early, the next look is that of a timer, up to 5 s later. Until then its call is answered by nobody, and nobody takes its place.
"""

from typing import Any, Final

from celery.concurrency.asynpool import AsynPool
from celery.concurrency.prefork import TaskPool

SETTLE_S: Final = 0.1
"""Seconds from a limit that is due to its enforcement, and from a closed pipe to the second look at its process: enough rounds of the loop
to read what lies in the pipes, and enough for the kernel to end a process."""


_Processes: Any = AsynPool  # Celery's stubs know nothing of what is inside it


class SettlingProcesses(_Processes):  # type: ignore[misc]
    """The processes, with limits that are enforced `SETTLE_S` after they are due, and a second look at one that ends."""

    def _create_timelimit_handlers(self, hub: Any) -> None:
        self._settling_on = hub
        super()._create_timelimit_handlers(hub)

    def _on_soft_timeout(self, job: int, soft: float, hard: float | None, hub: Any) -> None:
        self._tref_for_id[job] = hub.call_later(SETTLE_S, super()._on_soft_timeout, job, soft, hard, hub)

    def _on_hard_timeout(self, job: int) -> None:
        self._tref_for_id[job] = self._settling_on.call_later(SETTLE_S, super()._on_hard_timeout, job)

    def _event_process_exit(self, hub: Any, proc: Any) -> None:
        super()._event_process_exit(hub, proc)
        hub.call_later(SETTLE_S, self.maintain_pool)


class SettlingPool(TaskPool):
    """What `worker_pool` names."""

    Pool = SettlingProcesses
