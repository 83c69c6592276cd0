"""Folders for the tests of `codekeeper files`, and what a user's store and a folder hold, as plain values."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES
from shared.errors import Refused
from workers.folder import Folder
from workers.moving.export_files import Exported, export_files
from workers.moving.import_folder import Import, LeftOut
from workers.moving.target import open_target
from workers.store.files import newest_versions
from workers.store.put_file import Put
from workers.store.records import FILE_COLUMNS
from workers.store.transaction import reading_own


def make(root: Path, files: Mapping[str, bytes]) -> Path:
    """A folder with those files."""
    root.mkdir(exist_ok=True)
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def stored(engine: Engine, user: str) -> list[tuple[Any, ...]]:
    """What `user` has, in the order in which it is listed: name, text, language, description, tags, favourite since."""
    newest_first = (SAVED_FILES.c.updated_at.desc(), SAVED_FILES.c.key.desc())
    with reading_own(engine, user) as own:
        if own is None:
            return []
        rows = own.connection.execute(newest_versions(own, FILE_VERSIONS.c.code, *FILE_COLUMNS).order_by(*newest_first)).all()
    return [(row.name, row.code, row.language, row.description, row.tags, row.favorited_at) for row in rows]


def imported(engine: Engine, user: str, root: Path, *, hidden: bool = False) -> dict[str, str]:
    """Import a folder: each path with what became of it."""
    job = Import.of(Folder(root), hidden=hidden)
    found: dict[str, str] = {}
    for path, result in job.into(engine, user):
        assert path not in found
        found[path] = result.code if isinstance(result, Refused) else "left_out" if isinstance(result, LeftOut) else Put(result).value
    assert len(found) == job.count()
    return found


def exported(engine: Engine, user: str, root: Path, *, overwrite: bool = False) -> Exported:
    with open_target(root, overwrite=overwrite) as target:
        return export_files(engine, user, target, lambda _count: None)
