"""A user's notes in lists: those on a file or a board, those that have a text, and the bodies that one had before."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Select, func, or_, select

from shared.database.store_tables import NOTE_VERSIONS, NOTES
from workers.store.notes import own_notes
from workers.store.text import folded
from workers.store.transaction import OwnRows

_OLDEST_FIRST: Final = (NOTES.c.created_at, NOTES.c.key)
_NEWEST_FIRST: Final = (NOTES.c.updated_at.desc(), NOTES.c.key.desc())
"""Of two notes that were changed in one second, the one that was made later is first; `ix_notes_newest` has this order (SCN-23)."""


def notes_on_file(own: OwnRows, name: str, limit: int) -> Select[Any]:
    """The query for `NOTE_COLUMNS` of the notes on the saved file of that name, oldest first."""
    return own_notes(own).where(NOTES.c.file_name == name).order_by(*_OLDEST_FIRST).limit(limit)


def notes_on_board(own: OwnRows, board_key: int, limit: int) -> Select[Any]:
    """The query for `NOTE_COLUMNS` of the notes on a board, oldest first; a note in the archive is on none (SCN-31)."""
    return own_notes(own).where(NOTES.c.board_key == board_key).order_by(*_OLDEST_FIRST).limit(limit)


def notes_on_repo_file(own: OwnRows, repo: str, path: str, limit: int) -> Select[Any]:
    """The query for `NOTE_COLUMNS` of the notes on a file of a mirrored repository, oldest first."""
    return own_notes(own).where(NOTES.c.repo_name == repo, NOTES.c.repo_path == path).order_by(*_OLDEST_FIRST).limit(limit)


def noted_paths(own: OwnRows, repo: str) -> Select[Any]:
    """The query for the paths in a repository that have notes, and how many: a user's notes are few, so these are all (PLT-29)."""
    columns = NOTES.c.repo_path, func.count().label("note_count")
    return select(*columns).where(NOTES.c.owner_key == own.owner_key, NOTES.c.repo_name == repo).group_by(NOTES.c.repo_path)


def notes_with_text(own: OwnRows, query: str, *, search_content: bool, include_archived: bool, limit: int) -> Select[Any]:
    """The query for `NOTE_COLUMNS` of the notes whose title has the text, or with `search_content` whose body has it, newest first.

    The text is literal, in any case. Titles are one line with single spaces, and so is what is looked for in them; for bodies only the
    text's ends are trimmed (SCN-15 to SCN-24).
    """
    matches = _has(own, NOTES.c.title_folded, " ".join(query.split()))
    if search_content:
        matches = or_(matches, _has(own, NOTES.c.content_folded, query.strip()))
    return _visible(own, include_archived=include_archived).where(matches).order_by(*_NEWEST_FIRST).limit(limit)


def earlier_bodies(own: OwnRows, note_key: int, *columns: Any) -> Select[Any]:
    """The query for `columns` of the bodies that are kept of a note beside its own, newest first."""
    of_note = (NOTE_VERSIONS.c.note_key == note_key) & (NOTE_VERSIONS.c.owner_key == own.owner_key)
    return select(*columns).where(of_note).order_by(NOTE_VERSIONS.c.version.desc())


def _visible(own: OwnRows, *, include_archived: bool) -> Select[Any]:
    """The one place where the archive is left out (SCN-28, PLT-22)."""
    notes = own_notes(own)
    return notes if include_archived else notes.where(NOTES.c.archived_at.is_(None))


def _has(own: OwnRows, folded_text: ColumnElement[Any], needle: str) -> ColumnElement[bool]:
    # Not LIKE: nothing in a needle means anything, and there is no limit on a pattern's length.
    position = func.instr if own.connection.dialect.name == "sqlite" else func.strpos
    return position(folded_text, folded(needle)) > 0
