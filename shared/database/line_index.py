"""The line index: how many lines each file had at the commit that was synced last. The sync fills it; trees read it (TREE-33)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine, delete, insert, select

from shared.database.engine import reading
from shared.database.tables import REPOSITORIES, REPOSITORY_FILES

MAX_INDEXED_PATH_BYTES: Final = 2_000
"""Bytes of a path that gets a row: PostgreSQL's index rows hold 2,704. Git's own paths end at 4,096; longer ones just have no count."""

_PATHS_A_QUERY: Final = 500
"""Paths that one statement deletes: SQLite takes 32,766 values in a statement, and a query plan of that size gains nothing."""

_ROWS_A_QUERY: Final = 5_000
"""Rows that one statement writes: their values are held as objects meanwhile."""


@dataclass(frozen=True)
class Changes:
    """What a sync found different from the index. A path whose blob changed is in both lists."""

    gone: Sequence[str]
    """Paths whose rows are dropped."""
    rows: Sequence[tuple[str, str, int | None]]
    """New rows of (path, blob id, lines), each path once; lines are None for a binary or too large file (TREE-43)."""


def lines_of(engine: Engine, name: str, paths: Sequence[str]) -> tuple[Mapping[str, int], str | None]:
    """Line counts of those of `paths` that have one, by one query over the page (TREE-34), and the commit they were taken at."""
    of_repository = (REPOSITORIES.c.id == REPOSITORY_FILES.c.repository_id) & (REPOSITORIES.c.name == name)
    statement = (
        select(REPOSITORY_FILES.c.path, REPOSITORY_FILES.c.lines, REPOSITORIES.c.last_synced_sha)
        .join(REPOSITORIES, of_repository)
        .where(REPOSITORY_FILES.c.path.in_(paths), REPOSITORY_FILES.c.lines.is_not(None))
    )
    with reading(engine) as connection:
        rows = connection.execute(statement).all()
    return {path: lines for path, lines, _ in rows}, rows[0][2] if rows else None


def known_blobs(engine: Engine, repository_id: int) -> dict[str, tuple[str, int | None]]:
    """Path to (blob id, lines) of everything indexed, so that a sync counts only what changed."""
    columns = REPOSITORY_FILES.c
    with reading(engine) as connection:
        rows = connection.execute(select(columns.path, columns.blob_id, columns.lines).where(columns.repository_id == repository_id))
        return {path: (blob_id, lines) for path, blob_id, lines in rows}


def apply_changes(connection: Connection, repository_id: int, changes: Changes) -> None:
    """Within the sync's transaction: drop the paths that are gone, then write the new rows."""
    columns = REPOSITORY_FILES.c
    for first in range(0, len(changes.gone), _PATHS_A_QUERY):
        paths = changes.gone[first : first + _PATHS_A_QUERY]
        connection.execute(delete(REPOSITORY_FILES).where(columns.repository_id == repository_id, columns.path.in_(paths)))
    for first in range(0, len(changes.rows), _ROWS_A_QUERY):
        connection.execute(
            insert(REPOSITORY_FILES),
            [
                {"repository_id": repository_id, "path": path, "blob_id": blob, "lines": lines}
                for path, blob, lines in changes.rows[first : first + _ROWS_A_QUERY]
            ],
        )
