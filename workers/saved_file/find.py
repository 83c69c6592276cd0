"""Which version of which saved file is read: by its id, or by name with a version or without (GTF section 4)."""

import re
from typing import Any, Final

from sqlalchemy import ColumnElement, select

from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES
from shared.store_limits import MAX_FILE_NAME_CHARS, PUBLIC_ID_CHARS
from shared.wire.get_file import GetFileArguments
from workers.saved_file.file import SavedFile
from workers.store.records import FILE_COLUMNS, file_record
from workers.store.text import is_storable
from workers.store.transaction import OwnRows

_ID: Final = re.compile(rf"[0-9a-f]{{{PUBLIC_ID_CHARS}}}")

_MAX_VERSION: Final = 2**31 - 1
"""The greatest number that the column of versions holds."""


def find_saved_file(own: OwnRows, user: str, asked: GetFileArguments) -> SavedFile | None:
    """The version that is asked for, text included, out of the rows of `user`; None when the user has no such version.

    An id decides over a name and a version (GTF-18, GTF-21), and alone reaches what is in the recycle bin (GTF-25). It tells whether what
    it names is still what its file's name reads; one statement sees both, so that this is always known (GTF-27 to GTF-29).
    """
    if asked.file_id is not None:
        row = _row(own, FILE_VERSIONS.c.id == asked.file_id) if _ID.fullmatch(asked.file_id) else None
        if row is None:
            return None
        is_latest = {"is_latest": row.version == row.latest_version} if row.deleted_at is None else {}
        return SavedFile(user, file_record(row) | is_latest, row.code)
    name, version = asked.file_name, asked.version
    if name is None or len(name) > MAX_FILE_NAME_CHARS or not is_storable(name):
        return None
    if version is not None and not 1 <= version <= _MAX_VERSION:
        return None
    wanted = SAVED_FILES.c.latest_version if version is None else version
    row = _row(own, SAVED_FILES.c.name == name, SAVED_FILES.c.deleted_at.is_(None), FILE_VERSIONS.c.version == wanted)
    return None if row is None else SavedFile(user, file_record(row), row.code)


def _row(own: OwnRows, *which: ColumnElement[bool]) -> Any:
    """The owner's one version that meets all of `which`, read from the database and from no cache (GTF-24); None when there is none."""
    return own.connection.execute(
        select(*FILE_COLUMNS, SAVED_FILES.c.latest_version, SAVED_FILES.c.deleted_at, FILE_VERSIONS.c.code)
        .select_from(SAVED_FILES)
        .join(FILE_VERSIONS, FILE_VERSIONS.c.file_key == SAVED_FILES.c.key)
        .where(SAVED_FILES.c.owner_key == own.owner_key, FILE_VERSIONS.c.owner_key == own.owner_key, *which)
    ).first()
