"""How rows of the store stand in answers: metadata alone, times as ISO 8601 in UTC (PLT-7, PLT-15, GTF-45, GTF-46)."""

from datetime import UTC, datetime
from typing import Any, Final

from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES

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


def iso_time(seconds: int | None) -> str | None:
    """Unix time in seconds as `2026-09-23T11:41:33+00:00`."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()
