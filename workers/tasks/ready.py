"""The worker's half of `/readyz`: whether the database answers and the mirrors are there. It opens no mirror."""

from pathlib import Path
from typing import Any

import structlog
from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy.exc import SQLAlchemyError

from shared.answer import render
from shared.database import repositories
from shared.database.engine import open_engine
from shared.settings import settings
from shared.tasks import READY
from shared.wire.call import Call
from shared.wire.ready import Part, ReadyArguments, WorkerParts
from workers.mirror.memory import mirror_path
from workers.run_call import run_call

log = structlog.get_logger()


def ready(_arguments: ReadyArguments, _call: Call) -> bytes:
    """The answer: a `WorkerParts`.

    One lost mirror, or a few, leave the service ready, and the counts say so: the other repositories are read as before, and every
    gateway would leave the load balancer for it. It is not ready when the folder can't be read, or holds none of the mirrors that
    should be there: then a volume isn't mounted, and no call would be answered. A service without any repository is ready.
    """
    names = _synced_repositories()
    if names is None:
        return _sent(WorkerParts(database=Part.UNAVAILABLE, mirrors=Part.UNKNOWN))
    present = _present(settings().mirrors_dir, names)
    mirrors = Part.UNAVAILABLE if present is None or (names and not present) else Part.OK
    return _sent(WorkerParts(database=Part.OK, mirrors=mirrors, mirrors_registered=len(names), mirrors_present=present))


def _sent(parts: WorkerParts) -> bytes:
    return render(parts.model_dump(mode="json"))


def _synced_repositories() -> list[str] | None:
    """Names of the repositories that were ever synced; None when the database doesn't answer.

    By a connection of its own: one that a pool kept goes on reading a SQLite file that was moved away.
    """
    engine = open_engine(settings().database)
    try:
        file = engine.url.database if engine.dialect.name == "sqlite" else None
        if file is not None and not file.startswith("file:") and not Path(file).is_file():  # connecting would make a new one
            log.warning("database_missing")
            return None
        return [found.name for found in repositories.all_repositories(engine) if found.last_sync_time is not None]
    except (SQLAlchemyError, SoftTimeLimitExceeded):
        log.warning("database_unavailable", exc_info=True)
        return None
    finally:
        engine.dispose()


def _present(mirrors_dir: Path, names: list[str]) -> int | None:
    """How many of `names` have a folder in `mirrors_dir`; None when that can't be read. The first sync makes it."""
    try:
        there = {path.name for path in mirrors_dir.iterdir()}
    except FileNotFoundError:
        return None if names else 0
    except (OSError, SoftTimeLimitExceeded):
        log.warning("mirrors_unreadable", exc_info=True)
        return None
    return sum(mirror_path(mirrors_dir, name).name in there for name in names)


@shared_task(name=READY.name, soft_time_limit=READY.soft_s, time_limit=READY.hard_s, acks_late=False, max_retries=0)
def ready_task(payload: dict[str, Any]) -> bytes:
    """One look, for one gateway."""
    return run_call(payload, ReadyArguments, ready)
