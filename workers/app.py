"""The Celery application of the hosted form's workers and of its schedule: `celery -A workers.app worker -Q read`, `… beat`.

Task modules are loaded by `include`, before the pool forks; each task states its own options on its decorator.
"""

from typing import Any, Final

import structlog
from celery import Celery, signals
from celery.exceptions import ImproperlyConfigured
from sqlalchemy.exc import SQLAlchemyError

from shared.budget import make_budget
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from shared.logs import configure_logging
from shared.settings import Settings, settings
from shared.tasks import BATCH, CELERY_SETTINGS, READ, SYNC, SYNC_ALL, WORKER_MODULES
from workers import pool_process
from workers.tokens.encoding import encoding

log = structlog.get_logger()

MAX_TASKS_PER_CHILD: Final = 2_000
"""Tasks after which a pool process is replaced, between two calls: what leaks in C code stays bounded."""

MAX_CHILD_KIB: Final = 470 * 1024
"""KiB of resident memory over which a pool process is replaced after its call; a reader's starts with a third of that, 160 MiB, of which 70
are the encoding that all of them share."""

BROKER_SOCKET_TIMEOUT_S: Final = 2.0
"""Seconds a worker's own command, such as an acknowledgement, may wait for Redis. Without it a frozen Redis stops the loop that
enforces hard limits, for as long as it is frozen. More than the one second that kombu lets a blocking pop take."""

BROKER_HEALTH_CHECK_S: Final = 5
"""Seconds a blocking pop may be overdue before its connection counts as dead; kombu's 25 would outlast a call."""

BEAT_SCHEDULE_FILE: Final = "beat-schedule"
"""Name, in the data folder, of the file in which the schedule keeps when it last ran."""


def schedule(configured: Settings) -> dict[str, Any]:
    """What beat sends, and how often: a pass over all mirrors, unless `CODEKEEPER_AUTOSYNC` is off (PLT-124)."""
    if not configured.autosync:
        return {}
    # Gone before the next one comes: passes don't pile up while no syncer runs.
    options = {"queue": SYNC_ALL.queue, "expires": configured.sync_interval - 1, "ignore_result": True}
    return {"sync-all": {"task": SYNC_ALL.name, "schedule": float(configured.sync_interval), "options": options}}


def make_app(configured: Settings) -> Celery:
    """The application for these settings.

    Raises:
        celery.exceptions.ImproperlyConfigured: `CODEKEEPER_REDIS_URL` isn't set.
    """
    if configured.redis_url is None:
        raise ImproperlyConfigured(
            "CODEKEEPER_REDIS_URL is not set: workers belong to the hosted form, and without Redis the gateway runs tasks itself."
        )
    made = Celery("codekeeper", amqp="workers.broker:PromptAMQP")
    made.conf.update(
        CELERY_SETTINGS,
        include=WORKER_MODULES,
        broker_url=configured.redis_url,
        result_backend=f"workers.answer_backend:AnswerBackend+{configured.redis_url}",
        broker_connection_retry=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_timeout": BROKER_SOCKET_TIMEOUT_S,
            "socket_connect_timeout": BROKER_SOCKET_TIMEOUT_S,
            "health_check_interval": BROKER_HEALTH_CHECK_S,
        },
        # A call that waits does so in Redis, where any worker can take it and its expiry is seen.
        worker_disable_prefetch=True,
        # kombu's own count never forgets a message whose acknowledgement failed: a worker that lost as many as its pool is wide, because
        # Redis went away at that moment, would take nothing any more. What is counted above are the tasks themselves.
        worker_prefetch_multiplier=0,
        # Tasks acknowledge early; one that runs while Redis goes away runs on, and its answer is stored when Redis is back in time.
        worker_cancel_long_running_tasks_on_connection_loss=True,
        worker_enable_prefetch_count_reduction=False,
        # Nobody sends commands to workers, and each would listen on a channel of its own for them.
        worker_enable_remote_control=False,
        worker_pool="workers.pool:SettlingPool",
        worker_max_tasks_per_child=MAX_TASKS_PER_CHILD,
        worker_max_memory_per_child=MAX_CHILD_KIB,
        beat_schedule_filename=str(configured.data_dir / BEAT_SCHEDULE_FILE),
        beat_schedule=schedule(configured),
    )
    return made


@signals.setup_logging.connect
def _log_as_json_lines(**_: Any) -> None:
    """Having a receiver keeps Celery from setting up its own handlers."""
    configure_logging()


@signals.worker_init.connect
def _hold_to_budget(sender: Any, **_: Any) -> None:
    """Refuse to start where a task's share of memory is below what the dearest one takes; else tell the pool processes their share.

    The width that this worker was started with counts for its own queue, whatever the setting says.
    """
    queues = set(sender.app.amqp.queues.consume_from)
    queue = next((known for known in (READ, BATCH, SYNC) if known in queues), READ)
    width = sender.concurrency if isinstance(sender.concurrency, int) else settings().pool_of(queue)
    budget = make_budget(settings(), started_with={queue: width})
    if (refusal := budget.refusal(queue)) is not None:
        raise SystemExit(f"codekeeper: {refusal}")
    pool_process.limits.task_bytes = budget.task_bytes(queue)


@signals.worker_init.connect
def _load_encoding(sender: Any, **_: Any) -> None:
    """Load what tokens are counted with before the pool forks, where the queue has calls that count: it is then in memory once."""
    if READ in sender.app.amqp.queues.consume_from:
        encoding()


@signals.worker_init.connect
def _prepare_database(**_: Any) -> None:
    """Bring the schema up to date once, before the pool forks, on an engine of its own that no pool process inherits."""
    engine = open_engine(settings().database)
    try:
        migrate(engine, settings().data_dir)
    except SQLAlchemyError as error:
        # Celery only logs what a receiver raises; a worker that can't reach its database must not start.
        raise SystemExit(f"The database can't be used: {error}") from error
    finally:
        engine.dispose()


signals.worker_process_init.connect(pool_process.begin)


@signals.worker_ready.connect
def _say_ready(sender: Any, **_: Any) -> None:
    log.info("worker_ready", name=sender.hostname, queues=sorted(sender.app.amqp.queues.consume_from), pool=sender.pool.num_processes)


@signals.beat_init.connect
def _make_data_folder(**_: Any) -> None:
    settings().data_dir.mkdir(parents=True, exist_ok=True)


try:
    app = make_app(settings())
except ImproperlyConfigured as error:
    # Celery's command line shows any exception but this one as a traceback of a page.
    raise SystemExit(str(error)) from error
