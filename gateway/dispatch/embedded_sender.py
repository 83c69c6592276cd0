"""The embedded form: the same task functions, looked up by name in a Celery application, on threads of this process. No Redis."""

import asyncio
import gc
import json
import threading
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

    def __init__(self, settings: Settings, *, prepares_database: bool = False) -> None:
        """`prepares_database`: whether the first task waits until the schema is up to date; who asks has not seen to it."""
        super().__init__("codekeeper", set_as_current=True)
        self._settings = settings
        self._preparing = threading.Lock()
        self._is_prepared = not prepares_database
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

    def prepare(self) -> None:
        """Be ready for a task: its module is there, and the database too."""
        self.load_tasks()
        with self._preparing:
            self._is_prepared = self._is_prepared or self._prepare_database()

    def _prepare_database(self) -> bool:
        """Bring the schema up to date, as a worker does at its start; whether that went well. If not, each task says so in its own way."""
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - with the next two, what `stdio` needn't wait for before it answers

        from shared.database.engine import open_engine  # noqa: PLC0415
        from shared.database.migrate import migrate  # noqa: PLC0415

        engine = open_engine(self._settings.database)
        try:
            migrate(engine, self._settings.data_dir)
        except (SQLAlchemyError, OSError):
            log.warning("database_not_prepared", exc_info=True)
            return False
        finally:
            engine.dispose()
        return True

    def send_task(self, name: str, args: Any = None, *, queue: str = READ, **_options: Any) -> Future[Any]:  # type: ignore[override]
        """Run the task on its queue's pool. Arguments pass through JSON, as on the wire."""
        return self._pools[queue].submit(self._run, name, json.dumps(args or []))

    def _run(self, name: str, arguments: str) -> Any:
        self.prepare()
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

    def __init__(self, settings: Settings, *, prepares_database: bool = False) -> None:
        """See `EmbeddedCelery`."""
        self._app = EmbeddedCelery(settings, prepares_database=prepares_database)
        self._running: dict[str, Future[Any]] = {}

    async def open(self) -> None:
        """Start preparing the worker side on a thread, so that the protocol is answered meanwhile."""
        asyncio.get_running_loop().run_in_executor(None, self._app.prepare)

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
