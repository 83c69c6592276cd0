"""The whole schema, for Alembic: every table that there is, and how processes that migrate one PostgreSQL database take turns."""

from typing import Final

from sqlalchemy import Connection, func, select

from shared.database.store_tables import FILE_WORDS
from shared.database.tables import METADATA

__all__ = ["METADATA", "is_compared", "take_turns"]

_MIGRATION_LOCK: Final = 0x636B_6D69
"""Any number that nothing else in this database locks."""


def take_turns(connection: Connection) -> None:
    """Wait until no other process migrates this PostgreSQL database; the lock goes with the transaction. SQLite has a file lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))


def is_compared(dialect: str, kind: str, name: str | None) -> bool:
    """Whether Alembic can compare this object with the models: SQLite's `file_words` is virtual, with tables of its own behind it."""
    return not (dialect == "sqlite" and kind == "table" and name is not None and name.startswith(FILE_WORDS.name))
