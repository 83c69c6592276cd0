"""Waiting for a sync that was sent, by looking at the registry: the same in both forms, whichever process runs it."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from sqlalchemy import Engine

from gateway.commands.output import Progress
from shared.database import repositories
from shared.database.repositories import Repository
from shared.errors import ErrorCode, Refused
from shared.limits import SYNC_RETRY_AFTER_S

POLL_S: Final = 0.2
"""Seconds between two looks at the registry: soon enough for a person, and nothing to a database."""

IDLE_S: Final = 90.0
"""Seconds after which a task that no worker has begun counts as stuck, while no other sync runs: longer than a killed sync's lock holds."""


def sync_in_progress(name: str) -> Refused:
    """`sync_in_progress`: another sync of that repository runs (REF-28)."""
    return Refused(
        ErrorCode.SYNC_IN_PROGRESS,
        retry_after=SYNC_RETRY_AFTER_S,
        message="Another sync of this repository runs; try again when it has ended.",
        repo=name,
    )


async def wait_for(
    engine: Engine,
    name: str,
    sync_id: str,
    *,
    before: str | None,
    is_over: Callable[[Repository], bool],
    any_sync: bool = False,
) -> Repository | None:
    """Wait until `is_over` holds for the record of `name`, or there is none, and return it.

    `sync_id` is what was sent, and `before` the id of the sync that had ended last by then. Another sync that runs in between is the reason
    why the task that was sent does nothing; with `any_sync` it is waited for instead.

    Raises:
        Refused: `sync_in_progress`; `queue_unavailable` when no worker begins with anything for `IDLE_S` seconds.
    """
    busy = time.monotonic()
    with Progress(name) as progress:
        while True:
            found = repositories.find(engine, name)
            if found is None or is_over(found):
                return found
            runs_other = found.syncing and found.sync_owner != sync_id
            if not any_sync and (runs_other or found.last_sync_id not in {before, sync_id}):
                raise sync_in_progress(name)
            if found.syncing:
                progress.show(found.sync_stage or "beginning", found.sync_percent)
            if found.syncing or any(other.syncing for other in repositories.all_repositories(engine)):
                busy = time.monotonic()
            elif time.monotonic() - busy > IDLE_S:
                raise Refused(
                    ErrorCode.QUEUE_UNAVAILABLE,
                    repo=name,
                    message="No worker has begun the task; it runs when one takes it. `codekeeper repo list` shows what became of it.",
                )
            await asyncio.sleep(POLL_S)
