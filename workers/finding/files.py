"""A user's saved files in lists: all active ones, those with a word of a query, the versions of one. Metadata alone (PLT-7)."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, func, select

from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES
from workers.finding.page import Page, page_of
from workers.store.files import newest_versions
from workers.store.records import FILE_COLUMNS
from workers.store.text_index import keys_with_any
from workers.store.transaction import OwnRows

_NEWEST_FIRST: Final = (SAVED_FILES.c.updated_at.desc(), SAVED_FILES.c.key.desc())
"""Of two files that were saved in one second, the one that was made later is first."""


def files_with_words(own: OwnRows, words: Sequence[str], language: str | None, limit: int) -> Select[Any]:
    """The query for `FILE_COLUMNS` of the files that have any of `words` (there must be one), `limit` at the most (SCN-10 to SCN-12).

    A `language` is the file's own, exactly.
    """
    # A plan of its own for the words: with the order of keys in view, PostgreSQL may go through all files by their key.
    matches = keys_with_any(own.connection, own.owner_key, words).offset(0).subquery("matches")
    found = select(*matches.c).distinct().subquery("found")
    matching = (
        _active_files(own) if language is None else newest_versions(own, SAVED_FILES.c.key).where(FILE_VERSIONS.c.language == language)
    )
    # Joined rather than asked for with IN, for which SQLite would go through all files of the owner.
    (found_key,) = found.c
    return _newest_of(own, matching.join(found, found_key == SAVED_FILES.c.key), limit)


def page_of_files(own: OwnRows, page: int, per_page: int) -> Page:
    """A page of the active files, newest first, without those that are from a repository; the rows have `FILE_COLUMNS`."""
    listed = _active_files(own).where(SAVED_FILES.c.from_repo.is_(False))
    total = own.connection.execute(select(func.count()).select_from(listed.subquery())).scalar_one()
    return page_of(total, page, per_page, lambda first: own.connection.execute(_newest_of(own, listed, per_page, first)).all())


def versions_of(own: OwnRows, name: str, limit: int) -> Sequence[Row[Any]]:
    """`FILE_COLUMNS` of the newest `limit` versions of the active file of that name, newest first."""
    of_file: ColumnElement[bool] = (SAVED_FILES.c.owner_key == own.owner_key) & (SAVED_FILES.c.name == name)
    statement: Select[Any] = (
        select(*FILE_COLUMNS)
        .select_from(SAVED_FILES)
        .join(FILE_VERSIONS, FILE_VERSIONS.c.file_key == SAVED_FILES.c.key)
        .where(of_file, SAVED_FILES.c.deleted_at.is_(None))
        .order_by(FILE_VERSIONS.c.version.desc())
        .limit(limit)
    )
    return own.connection.execute(statement).all()


def _active_files(own: OwnRows) -> Select[Any]:
    return select(SAVED_FILES.c.key).where(SAVED_FILES.c.owner_key == own.owner_key, SAVED_FILES.c.deleted_at.is_(None))


def _newest_of(own: OwnRows, files: Select[Any], limit: int, first: int = 0) -> Select[Any]:
    """`FILE_COLUMNS` of some of `files`. Only what is shown is read whole: a common word is in every file of a user."""
    shown = files.order_by(*_NEWEST_FIRST).limit(limit).offset(first).subquery("shown")
    return newest_versions(own).join(shown, shown.c.key == SAVED_FILES.c.key).order_by(*_NEWEST_FIRST)
