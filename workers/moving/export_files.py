"""All active saved files of a user, as they are at one moment, into a folder: one text in memory at a time."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine

from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES
from workers.moving.paths import Paths, made_path
from workers.moving.target import NoPlace, Target
from workers.store.files import newest_versions
from workers.store.records import FILE_COLUMNS
from workers.store.transaction import reading_own


@dataclass
class Exported:
    """What was written so far."""

    files: int = 0
    bytes: int = 0
    renamed: int = 0
    """Files whose name can't be a path, which the manifest has beside the path that was made for them."""


def export_files(engine: Engine, user: str, target: Target, show: Callable[[int], None]) -> Exported:
    """Write the newest version of each file and finish the target; `show` is called with the number of files before each of them.

    The file that was changed first comes first, so that an import in that order lists them in the order in which they are listed now.

    Raises:
        Refused: `db_error`.
        NotWritten: the folder can't be written.
    """
    exported = Exported()
    paths = Paths()
    with reading_own(engine, user) as own:
        if own is not None:
            order = (SAVED_FILES.c.updated_at, SAVED_FILES.c.key)
            keys = own.connection.execute(newest_versions(own, SAVED_FILES.c.key).order_by(*order)).scalars().all()
            for key in keys:
                show(len(keys))
                query = newest_versions(own, FILE_VERSIONS.c.code, *FILE_COLUMNS).where(SAVED_FILES.c.key == key)
                row = own.connection.execute(query).one()
                data = row.code.encode()
                path = paths.path_of(row.name)
                try:
                    target.write(path, data, row)
                except NoPlace:
                    path = made_path(row.name)
                    target.write(path, data, row)
                exported.files += 1
                exported.bytes += len(data)
                exported.renamed += path != row.name
    target.finish()
    return exported
