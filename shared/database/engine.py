"""Connections to the database, and the two kinds of transaction on it.

On SQLite every writing transaction begins with BEGIN IMMEDIATE: a read that turns into a write fails at once with "database is locked",
whatever the timeout.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event

BUSY_TIMEOUT_MS: Final = 5_000
"""Milliseconds a SQLite connection waits for another's write before it fails."""

POOL_TIMEOUT_S: Final = 5
"""Seconds a thread waits for a free connection before it fails."""


def open_engine(address: str) -> Engine:
    """An engine for `address`, an SQLAlchemy database address; SQLite gets its journal, timeouts and foreign keys. Opens nothing yet."""
    if not address.startswith("sqlite"):
        return create_engine(address, pool_timeout=POOL_TIMEOUT_S, pool_pre_ping=True)
    engine = create_engine(address, pool_timeout=POOL_TIMEOUT_S)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # this file says BEGIN itself
        for pragma in (f"busy_timeout={BUSY_TIMEOUT_MS}", "journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that may write; committed at the end, rolled back on any exception.

    Raises:
        sqlalchemy.exc.OperationalError: the database is locked for longer than the busy timeout, or gone.
    """
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads: one state of the database from its first query to its last."""
    with engine.connect() as connection, connection.begin():
        yield connection
