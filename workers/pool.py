"""The pool of processes: Celery's own, but a result that has come counts before the time limit of its task.

The main process reads results and enforces limits in one loop, and the loop stands still while Redis is away or the process is stopped.
When it goes on, it looks at overdue limits first: a process that ended its task long ago, and waits for the next one, would be interrupted
or killed, and the call that was just handed to it with it.
"""

from typing import Any, Final

from celery.concurrency.asynpool import AsynPool
from celery.concurrency.prefork import TaskPool

SETTLE_S: Final = 0.1
"""Seconds from a limit that is due to its enforcement: enough rounds of the loop to read what lies in the pipes."""


_Processes: Any = AsynPool  # Celery's stubs know nothing of what is inside it


class SettlingProcesses(_Processes):  # type: ignore[misc]
    """The processes, with limits that are enforced `SETTLE_S` after they are due."""

    def _create_timelimit_handlers(self, hub: Any) -> None:
        self._settling_on = hub
        super()._create_timelimit_handlers(hub)

    def _on_soft_timeout(self, job: int, soft: float, hard: float | None, hub: Any) -> None:
        self._tref_for_id[job] = hub.call_later(SETTLE_S, super()._on_soft_timeout, job, soft, hard, hub)

    def _on_hard_timeout(self, job: int) -> None:
        self._tref_for_id[job] = self._settling_on.call_later(SETTLE_S, super()._on_hard_timeout, job)


class SettlingPool(TaskPool):
    """What `worker_pool` names."""

    Pool = SettlingProcesses
