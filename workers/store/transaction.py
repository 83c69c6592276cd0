"""The transaction in which a user writes: one at a time for each user, bounded by the call's deadline, all or nothing.

That one user's writes take turns is what every check in the store rests on: between reading and writing nobody changes the user's rows.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy import Connection, Engine, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from shared.database.engine import reading, writing
from shared.database.store_tables import OWNERS
from shared.errors import ErrorCode, Refused
from shared.tasks import TaskKind
from shared.unanswered import unanswered

log = structlog.get_logger()


@dataclass(frozen=True)
class OwnRows:
    """One user's rows within one transaction. Whoever has this can reach nothing of anybody else's: every query begins at `owner_key`."""

    connection: Connection
    owner_key: int
    now: int
    """Unix time in whole seconds, the same for all that the transaction writes."""


@contextmanager
def reading_own(engine: Engine, user: str) -> Iterator[OwnRows | None]:
    """The rows of `user` as they are now, one state of them; None for a user who never saved anything.

    Raises:
        Refused: `db_error`.
    """
    try:
        with reading(engine) as connection:
            key = connection.execute(select(OWNERS.c.key).where(OWNERS.c.user == user)).scalar()
            yield None if key is None else OwnRows(connection, key, int(time.time()))
    except SQLAlchemyError as error:
        log.warning("store_unreadable", exc_info=True)
        raise Refused(ErrorCode.DB_ERROR, message="The store can't be read just now; retry later.") from error


@contextmanager
def writing_own(
    engine: Engine, user: str, kind: TaskKind | None = None, *, deadline: float = math.inf, unavailable: ErrorCode = ErrorCode.DB_ERROR
) -> Iterator[OwnRows]:
    """The rows of `user`, to be written by this transaction alone; committed at the end unless `deadline`, in Unix time, is past by then.

    Raises:
        Refused: `unavailable` when nothing could be looked at, `save_failed` when writing failed, `deadline_exceeded` when nobody waits any
            more: nothing is written then. When the commit itself fails, or its time ends in it, the refusal says that it may have applied.
    """
    begun = committing = False
    try:
        with writing(engine) as connection:
            own = OwnRows(connection, _lock_owner(connection, user), int(time.time()))
            begun = True
            yield own
            if time.time() >= deadline:
                raise unanswered(ErrorCode.DEADLINE_EXCEEDED, kind)
            committing = True
    except SQLAlchemyError as error:
        log.warning("store_not_written", begun=begun, committing=committing, exc_info=True)
        if committing:
            raise unanswered(ErrorCode.SAVE_FAILED, kind) from error
        code = ErrorCode.SAVE_FAILED if begun else unavailable
        raise Refused(code, message="The store can't be written just now; nothing was changed. Retry later.") from error
    except (SoftTimeLimitExceeded, MemoryError) as error:
        if committing:
            raise unanswered(ErrorCode.RESOURCE_LIMIT, kind) from error
        raise


def _lock_owner(connection: Connection, user: str) -> int:
    """The owner's key, made at the first write; locked until the transaction ends.

    PostgreSQL's transactions that write are "read committed": whoever waited here sees what was committed meanwhile.
    """
    own = select(OWNERS.c.key).where(OWNERS.c.user == user).with_for_update()
    key: int | None = connection.execute(own).scalar()
    if key is not None:
        return key
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert
    connection.execute(insert(OWNERS).values(user=user, created_at=int(time.time())).on_conflict_do_nothing())
    return int(connection.execute(own).scalar_one())
