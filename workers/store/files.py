"""A user's saved files as they are now: how every other part of the store, and every tool that reads, comes to a file's newest version."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, select

from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES
from shared.errors import ErrorCode, Refused
from workers.store.records import FILE_COLUMNS, file_record
from workers.store.text import is_storable
from workers.store.transaction import OwnRows


@dataclass(frozen=True)
class SavedFile:
    """The newest version of an active file, text included."""

    file_key: int
    version_key: int
    code: str
    row: Row[Any]
    """`FILE_COLUMNS`."""

    @property
    def record(self) -> dict[str, Any]:
        """Its metadata as answers show it."""
        return file_record(self.row)


def newest_versions(own: OwnRows, *columns: Any) -> Select[Any]:
    """The query for `columns` of the owner's active files, each with its newest version; `FILE_COLUMNS` unless others are named."""
    newest = (FILE_VERSIONS.c.file_key == SAVED_FILES.c.key) & (FILE_VERSIONS.c.version == SAVED_FILES.c.latest_version)
    return (
        select(*(columns or FILE_COLUMNS))
        .select_from(SAVED_FILES)
        .join(FILE_VERSIONS, newest)
        .where(SAVED_FILES.c.owner_key == own.owner_key, SAVED_FILES.c.deleted_at.is_(None))
    )


def lines_of(own: OwnRows, name: str) -> int | None:
    """How many lines the active file of that name has in its newest version; None when there is none."""
    if not is_storable(name):
        return None
    lines: int | None = own.connection.execute(newest_versions(own, FILE_VERSIONS.c.lines_count).where(SAVED_FILES.c.name == name)).scalar()
    return lines


def find(own: OwnRows, name: str) -> SavedFile | None:
    """The active file of that name, its text included: read from the database, never from a cache (PLT-12, GTF-24)."""
    if not is_storable(name):
        return None
    keys = (SAVED_FILES.c.key.label("file_key"), FILE_VERSIONS.c.key.label("version_key"), FILE_VERSIONS.c.code)
    row = own.connection.execute(newest_versions(own, *keys, *FILE_COLUMNS).where(SAVED_FILES.c.name == name)).first()
    return None if row is None else SavedFile(row.file_key, row.version_key, row.code, row)


def existing(own: OwnRows, name: str) -> SavedFile:
    """The same, for who can't go on without it.

    Raises:
        Refused: `not_found`.
    """
    found = find(own, name)
    if found is None:
        raise Refused(ErrorCode.NOT_FOUND)
    return found
