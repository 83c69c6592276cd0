"""The embedded form: the same task functions, looked up by name in a Celery application, on threads of this process. No Redis."""

import asyncio
import gc
import json
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import structlog
from celery import Celery
from celery.exceptions import Ignore

from shared.forgotten_calls import note_ended, note_forgotten
from shared.settings import Settings
from shared.tasks import BATCH, CELERY_SETTINGS, READ, SYNC, WORKER_MODULES, TaskKind
from shared.wire.call import Call

log = structlog.get_logger()


class EmbeddedCelery(Celery):
    """A Celery application whose `send_task` runs the task here: a task that sends another one need not know where it runs."""

    def __init__(self, settings: Settings) -> None:
        super().__init__("codekeeper", set_as_current=True)
        self.set_default()  # the pools' threads ask for the default one
        self.conf.update(CELERY_SETTINGS, include=WORKER_MODULES)
        # One pool a queue, as in the hosted form: neither a fetch nor a review job delays an agent's read.
        self._pools = {
            queue: ThreadPoolExecutor(settings.pool_of(queue), thread_name_prefix=f"codekeeper-{queue}") for queue in (READ, BATCH, SYNC)
        }

    def load_tasks(self) -> None:
        """Import the worker modules, by Celery's `include` strings (1 s the first time)."""
        self.loader.import_default_modules()
        gc.freeze()  # modules stay for good; walking them made a parse a third slower

    def send_task(self, name: str, args: Any = None, *, queue: str = READ, **_options: Any) -> Future[Any]:  # type: ignore[override]
        """Run the task on its queue's pool. Arguments pass through JSON, as on the wire."""
        return self._pools[queue].submit(self._run, name, json.dumps(args or []))

    def _run(self, name: str, arguments: str) -> Any:
        self.load_tasks()
        try:
            return self.tasks[name](*json.loads(arguments))
        except Ignore:
            return None
        except Exception:
            log.exception("task_failed", task=name)
            raise

    def close_pools(self) -> None:
        """Stop taking tasks; those that haven't begun never do."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


class EmbeddedSender:
    """`TaskSender` on the threads of an `EmbeddedCelery`."""

    def __init__(self, settings: Settings) -> None:
        self._app = EmbeddedCelery(settings)
        self._running: dict[str, Future[Any]] = {}

    async def open(self) -> None:
        """Start importing the worker side on a thread, so that the protocol is answered meanwhile."""
        asyncio.get_running_loop().run_in_executor(None, self._app.load_tasks)

    async def close(self) -> None:
        """Drop what hasn't begun."""
        self._app.close_pools()

    async def submit(self, kind: TaskKind, call: Call) -> asyncio.Future[bytes]:
        """See `TaskSender.submit`."""
        task = self._app.send_task(kind.name, [call.model_dump(mode="json")], queue=kind.queue)
        self._running[call.id] = task
        task.add_done_callback(lambda _: self._ended(call.id))
        return asyncio.wrap_future(task)

    async def forget(self, call_id: str) -> None:
        """See `TaskSender.forget`. A task that runs is told, and decides by itself what that means."""
        task = self._running.get(call_id)
        if task is None:
            return
        note_forgotten(call_id)
        if task.cancel() or task.done():
            self._ended(call_id)

    def _ended(self, call_id: str) -> None:
        note_ended(call_id)
        self._running.pop(call_id, None)

    async def send(self, kind: TaskKind, *arguments: str | bool) -> None:
        """See `TaskSender.send`."""
        self._app.send_task(kind.name, list(arguments), queue=kind.queue)
