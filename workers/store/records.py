"""How rows of the store stand in answers: metadata alone, times as ISO 8601 in UTC (PLT-7, PLT-15, GTF-45, GTF-46)."""

from datetime import UTC, datetime
from typing import Any, Final

from shared.database.store_tables import BOARDS, FILE_VERSIONS, NOTES, SAVED_FILES

FILE_COLUMNS: Final = (
    FILE_VERSIONS.c.id,
    SAVED_FILES.c.name,
    FILE_VERSIONS.c.version,
    FILE_VERSIONS.c.language,
    FILE_VERSIONS.c.lines_count,
    FILE_VERSIONS.c.file_size,
    FILE_VERSIONS.c.description,
    FILE_VERSIONS.c.tags,
    FILE_VERSIONS.c.created_at,
    FILE_VERSIONS.c.updated_at,
    SAVED_FILES.c.favorited_at,
)
"""What `file_record` is made of, for a query that joins the two tables; never the text."""


def file_record(row: Any) -> dict[str, Any]:
    """One version of a file as every answer shows it: `row` has `FILE_COLUMNS`."""
    return {
        "id": row.id,
        "file_name": row.name,
        "version": row.version,
        "programming_language": row.language,
        "language": row.language,
        "lines_count": row.lines_count,
        "file_size": row.file_size,
        "description": row.description,
        "tags": row.tags,
        "is_favorite": row.favorited_at is not None,
        "favorited_at": iso_time(row.favorited_at),
        "created_at": iso_time(row.created_at),
        "updated_at": iso_time(row.updated_at),
    }


NOTE_COLUMNS: Final = (
    NOTES.c.id,
    NOTES.c.title,
    NOTES.c.archived_at,
    NOTES.c.file_name,
    BOARDS.c.id.label("board_id"),
    BOARDS.c.name.label("board_name"),
    NOTES.c.repo_name,
    NOTES.c.repo_path,
    NOTES.c.line,
    NOTES.c.anchor_text,
    NOTES.c.mode,
    NOTES.c.color,
    NOTES.c.is_minimized,
    NOTES.c.version,
    NOTES.c.created_at,
    NOTES.c.updated_at,
)
"""What `note_record` is made of, for a query that joins the two tables; never the body."""


def note_record(row: Any) -> dict[str, Any]:
    """One note as every answer shows it: `row` has `NOTE_COLUMNS`."""
    return {
        "id": row.id,
        "title": row.title,
        **_place(row),
        "line": row.line,
        "anchor_text": row.anchor_text,
        "mode": row.mode,
        "color": row.color,
        "is_minimized": row.is_minimized,
        "version": row.version,
        "created_at": iso_time(row.created_at),
        "updated_at": iso_time(row.updated_at),
    }


def _place(row: Any) -> dict[str, Any]:
    """Where a note is; one in the archive has left its place (SCN-30)."""
    if row.archived_at is not None:
        return {"target": "archive"}
    if row.board_id is not None:
        return {"target": "board", "board_id": row.board_id, "board_name": row.board_name}
    if row.repo_path is not None:
        return {"target": "repository", "repo": row.repo_name, "path": row.repo_path}
    return {"target": "file", "file_name": row.file_name}


def collection_record(row: Any) -> dict[str, Any]:
    """One collection as every answer shows it: `row` has the columns of the table."""
    return {
        "id": row.id,
        "name": row.name,
        "description": row.description,
        "is_favorite": row.is_favorite,
        "position": row.position,
        "archived": row.archived_at is not None,
        "created_at": iso_time(row.created_at),
        "updated_at": iso_time(row.updated_at),
    }


def iso_time(seconds: int | None) -> str | None:
    """Unix time in seconds as `2026-09-23T11:41:33+00:00`."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
