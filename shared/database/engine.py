"""Connections to the database, and the two kinds of transaction on it.

On SQLite every writing transaction begins with BEGIN IMMEDIATE: a read that turns into a write fails at once with "database is locked",
whatever the timeout.

A SQLite file that is put in the place of another, such as one restored from a copy, is used from the next transaction on: an open
connection would go on with the file that was removed, and what is written to the new one would be known to nobody. A file that isn't there
isn't made anew by whoever reads; only `create_file`, a step of the migration, does that.

On PostgreSQL a transaction that only reads is a repeatable read, so that it sees one state as it does on SQLite; one that writes locks the
rows that it builds on (`SELECT ... FOR UPDATE`, which SQLite needs not and SQLAlchemy leaves out there).

PostgreSQL takes an index wherever there is one for the query. Left alone, it reads a small table from end to end, or one of which a user
has much, and so the rows of every user: how long that takes would tell how many there are.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DisconnectionError

BUSY_TIMEOUT_MS: Final = 5_000
"""Milliseconds a connection waits for another's write, a lock of the file or of a row, before it fails."""

CONNECT_TIMEOUT_S: Final = 5
"""Seconds a connection to PostgreSQL may take, so that a host that doesn't answer is a failure within a read's time."""

POOL_TIMEOUT_S: Final = 5
"""Seconds a thread waits for a free connection before it fails."""


def open_engine(address: str) -> Engine:
    """An engine for `address`, an SQLAlchemy database address; SQLite gets its journal, timeouts and foreign keys. Opens nothing yet."""
    if not address.startswith("sqlite"):
        # Compiling is for queries of seconds; the price put on a whole table would have PostgreSQL compile the smallest.
        set_to = {"lock_timeout": BUSY_TIMEOUT_MS, "timezone": "UTC", "enable_seqscan": "off", "jit": "off"}
        options = " ".join(f"-c {name}={value}" for name, value in set_to.items())
        arguments = {"connect_timeout": CONNECT_TIMEOUT_S, "options": options}
        return create_engine(address, pool_timeout=POOL_TIMEOUT_S, pool_pre_ping=True, connect_args=arguments)
    engine = create_engine(address, pool_timeout=POOL_TIMEOUT_S)

    file = _file_of(engine)

    @event.listens_for(engine, "do_connect")
    def _note_file(_dialect: Any, record: Any, _arguments: Any, _options: Any) -> None:
        found = _identity(file)
        if file is not None and found is None:
            raise sqlite3.OperationalError("the database's file is not there")
        record.info["file"] = found

    @event.listens_for(engine, "checkout")
    def _is_the_file(_connection: Any, record: Any, _proxy: Any) -> None:
        if record.info["file"] != _identity(file):
            raise DisconnectionError("the database's file is not the one that was opened")

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


def create_file(engine: Engine) -> None:
    """Make an empty SQLite file where there is none yet; where that can't be done, the first connection says why."""
    file = _file_of(engine)
    if file is not None:
        with suppress(OSError):
            file.touch()


def _file_of(engine: Engine) -> Path | None:
    """The SQLite file of an engine; None for a database that is in memory or on a server."""
    name = engine.url.database
    is_file = engine.dialect.name == "sqlite" and name and name != ":memory:" and not name.startswith("file:")
    return Path(str(name)) if is_file else None


def _identity(file: Path | None) -> tuple[int, int] | None:
    """Which file stands under that name now; None when there is none."""
    if file is None:
        return None
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            yield connection
