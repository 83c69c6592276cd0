"""What changes a user's notes. A note is changed in place, and the body that it had before is kept, the newest few of them.

Each function works within `writing_own`, so that what it reads is still so when it writes.
"""

from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from shared.database.store_tables import NOTE_VERSIONS, NOTES
from shared.errors import ErrorCode, Refused
from shared.store_limits import (
    MAX_NOTE_CHARS,
    MAX_NOTE_VERSIONS,
    MAX_NOTES_PER_PLACE,
    MAX_NOTES_PER_USER,
    MAX_TITLE_OF_NOTE_CHARS,
    NOTE_MODES,
)
from workers.store.boards import existing_board
from workers.store.files import lines_of
from workers.store.ids import new_id
from workers.store.notes import existing_note
from workers.store.records import note_record
from workers.store.replace import replaced
from workers.store.text import check_length, check_storable, folded
from workers.store.transaction import OwnRows
from workers.store.write_files import check_file_name

log = structlog.get_logger()


@dataclass(frozen=True)
class NoteChange:
    """What may be changed of a note; None leaves it."""

    content: str | None = None
    line: int | None = None
    color: str | None = None
    anchor_text: str | None = None
    is_minimized: bool | None = None

    def values(self) -> dict[str, Any]:
        """What is to be changed."""
        return {name: value for name, value in vars(self).items() if value is not None}


def create_file_note(
    own: OwnRows, file_name: str, content: str, *, line: int | None = None, color: str | None = None, anchor_text: str | None = None
) -> dict[str, Any]:
    """Put a note on a saved file, anchored to a line or floating, and return its record.

    Raises:
        Refused: in this order `missing_file_name`, the codes of `_check_content`, `file_not_found`, `invalid_line`, `too_many_notes`.
    """
    check_file_name(file_name)
    _check_content(content)
    check_storable(color=color, anchor_text=anchor_text)
    _check_line(own, file_name, line)
    return _create(own, {"file_name": file_name}, content, line=line, color=color, anchor_text=anchor_text)


def create_board_note(
    own: OwnRows, board_id: str, content: str, *, mode: str = NOTE_MODES[0], color: str | None = None, title: str | None = None
) -> dict[str, Any]:
    """Put a note on a board, and return its record.

    Raises:
        Refused: in this order `invalid_board_id`, `board_not_found`, `invalid_mode`, the codes of `_check_content`, `title_too_long`,
            `duplicate_title`, `too_many_notes`.
    """
    board = existing_board(own, board_id)
    _check_mode(mode)
    _check_content(content)
    check_storable(color=color)
    stored_title = checked_title(title)
    if stored_title is not None:
        _check_title_is_free(own, board.key, stored_title)
    return _create(own, {"board_key": board.key}, content, mode=mode, color=color, title=stored_title)


def create_repo_note(
    own: OwnRows, repo: str, path: str, content: str, *, mode: str = NOTE_MODES[0], title: str | None = None
) -> dict[str, Any]:
    """Put a note on a file of a mirrored repository, which the caller has looked for, and return its record.

    Raises:
        Refused: in this order `invalid_mode`, the codes of `_check_content`, `title_too_long`, `too_many_notes`.
    """
    _check_mode(mode)
    _check_content(content)
    return _create(own, {"repo_name": repo, "repo_path": path}, content, mode=mode, title=checked_title(title))


def update_note(own: OwnRows, note_id: str, change: NoteChange) -> dict[str, Any]:
    """Change a note in place, and return its record.

    Raises:
        Refused: in this order `invalid_note_id`, `not_found`, `no_fields_to_update`, the codes of `_check_content`, `file_not_found`,
            `invalid_line`, `snapshot_failed`.
    """
    note = existing_note(own, note_id, NOTES.c.key, NOTES.c.content)
    if not change.values():
        raise Refused(ErrorCode.NO_FIELDS_TO_UPDATE)
    if change.content is not None:
        _check_content(change.content)
    check_storable(color=change.color, anchor_text=change.anchor_text)
    if change.line is not None:
        if note.file_name is None:
            raise Refused(ErrorCode.INVALID_LINE, hint="Only a note on a saved file has a line.")
        _check_line(own, note.file_name, change.line)
    return _write(own, note, change)


def replace_in_note(own: OwnRows, note_id: str, old: str, new: str, *, everywhere: bool) -> tuple[dict[str, Any], int]:
    """Replace text in a note's body, and return its record with the number of replacements.

    Raises:
        Refused: in this order `invalid_note_id`, `not_found`, what `replaced` raises, the codes of `_check_content`, `snapshot_failed`.
    """
    note = existing_note(own, note_id, NOTES.c.key, NOTES.c.content)
    content, replacements = replaced(note.content, old, new, everywhere=everywhere)
    _check_content(content)
    return _write(own, note, NoteChange(content=content)), replacements


def archive_note(own: OwnRows, note_id: str) -> dict[str, Any]:
    """Move a note to the archive: it leaves its place, and only its id and a search that asks for the archive find it (SCN-27).

    Raises:
        Refused: `invalid_note_id`, `not_found`.
    """
    note = existing_note(own, note_id, NOTES.c.key)
    if note.archived_at is None:
        _move(own, note, archived_at=own.now)
    return note_record(existing_note(own, note_id))


def put_on_board(own: OwnRows, note_id: str, board_id: str) -> dict[str, Any]:
    """Move a note from the archive, or from wherever it is, to a board.

    Raises:
        Refused: in this order `invalid_note_id`, `not_found`, `invalid_board_id`, `board_not_found`, `duplicate_title`, `too_many_notes`.
    """
    note = existing_note(own, note_id, NOTES.c.key)
    board = existing_board(own, board_id)
    if note.board_id != board_id:
        if note.title is not None:
            _check_title_is_free(own, board.key, note.title)
        _check_room(own, {"board_key": board.key}, new=False)
        _move(own, note, board_key=board.key, mode=note.mode or NOTE_MODES[0])
    return note_record(existing_note(own, note_id))


def checked_title(title: str | None) -> str | None:
    """A title as it is stored: on one line, white space as single spaces; None when nothing is left.

    Raises:
        Refused: `title_too_long`, `invalid_input`.
    """
    stored = " ".join((title or "").split())
    check_length(stored, MAX_TITLE_OF_NOTE_CHARS, ErrorCode.TITLE_TOO_LONG)
    check_storable(title=stored)
    return stored or None


def _check_content(content: str) -> None:
    """Pass for a body that a note may have.

    Raises:
        Refused: `empty_content` for white space alone, `content_too_long`, `invalid_input`.
    """
    if not content.strip():
        raise Refused(ErrorCode.EMPTY_CONTENT)
    if len(content) > MAX_NOTE_CHARS:
        raise Refused(ErrorCode.CONTENT_TOO_LONG, max=MAX_NOTE_CHARS)
    check_storable(content=content)


def _check_mode(mode: str) -> None:
    if mode not in NOTE_MODES:
        raise Refused(ErrorCode.INVALID_MODE, allowed=list(NOTE_MODES))


def _check_line(own: OwnRows, file_name: str, line: int | None) -> None:
    lines = lines_of(own, file_name)
    if lines is None:
        hint = "A note stands on a saved file: save it first with codekeeper_save_file, or name one that a list gives."
        raise Refused(ErrorCode.FILE_NOT_FOUND, hint=hint)
    if line is not None and not 1 <= line <= lines:
        raise Refused(ErrorCode.INVALID_LINE, min=1, max=lines)


def _check_title_is_free(own: OwnRows, board_key: int, title: str) -> None:
    taken = select(NOTES.c.key).where(NOTES.c.owner_key == own.owner_key, NOTES.c.board_key == board_key, NOTES.c.title == title)
    if own.connection.execute(taken).first() is not None:
        raise Refused(ErrorCode.DUPLICATE_TITLE)


def _check_room(own: OwnRows, place: dict[str, Any], *, new: bool = True) -> None:
    """Pass when the place, and for a new note the user, may have one more note (PLT-29)."""
    here = and_(*(NOTES.c[name] == value for name, value in place.items()))
    try:
        at_place = _count(own, here)
        in_all = _count(own) if new else 0
    except SQLAlchemyError as error:
        log.warning("notes_not_counted", exc_info=True)
        raise Refused(ErrorCode.NOTE_QUOTA_UNKNOWN, message="The notes could not be counted just now; nothing was saved.") from error
    for count, most in ((at_place, MAX_NOTES_PER_PLACE), (in_all, MAX_NOTES_PER_USER)):
        if count >= most:
            raise Refused(ErrorCode.TOO_MANY_NOTES, max=most, count=count)


def _count(own: OwnRows, *where: ColumnElement[bool]) -> int:
    return own.connection.execute(select(func.count()).select_from(NOTES).where(NOTES.c.owner_key == own.owner_key, *where)).scalar_one()


def _create(own: OwnRows, place: dict[str, Any], content: str, *, title: str | None = None, **values: Any) -> dict[str, Any]:
    _check_room(own, place)
    note_id = new_id()
    own.connection.execute(
        insert(NOTES).values(
            owner_key=own.owner_key, id=note_id, **place, **values, is_minimized=False, version=1, created_at=own.now, updated_at=own.now,
            title=title, title_folded=None if title is None else folded(title), content=content, content_folded=folded(content),
        )
    )  # fmt: skip
    return note_record(existing_note(own, note_id))


def _write(own: OwnRows, note: Row[Any], change: NoteChange) -> dict[str, Any]:
    values = change.values()
    if change.content is not None:
        values["content_folded"] = folded(change.content)
        if change.content != note.content:
            _keep(own, note)
            values["version"] = note.version + 1
    _update(own, note, **values, updated_at=own.now)
    return note_record(existing_note(own, note.id))


def _keep(own: OwnRows, note: Row[Any]) -> None:
    """Keep the body that the note has now as a version, before it is changed."""
    kept = {"owner_key": own.owner_key, "note_key": note.key, "version": note.version, "saved_at": own.now, "content": note.content}
    old = (NOTE_VERSIONS.c.note_key == note.key) & (NOTE_VERSIONS.c.version <= note.version - MAX_NOTE_VERSIONS)
    try:
        own.connection.execute(insert(NOTE_VERSIONS).values(kept))
        own.connection.execute(delete(NOTE_VERSIONS).where(NOTE_VERSIONS.c.owner_key == own.owner_key, old))
    except SQLAlchemyError as error:
        log.warning("note_version_not_kept", exc_info=True)
        raise Refused(ErrorCode.SNAPSHOT_FAILED, message="The note's body could not be kept as a version; nothing was changed.") from error


def _move(own: OwnRows, note: Row[Any], **place: Any) -> None:
    nowhere = dict.fromkeys(("file_name", "board_key", "repo_name", "repo_path", "archived_at", "line", "anchor_text"))
    _update(own, note, **{**nowhere, **place}, updated_at=own.now)


def _update(own: OwnRows, note: Row[Any], **values: Any) -> None:
    own.connection.execute(update(NOTES).where(NOTES.c.owner_key == own.owner_key, NOTES.c.key == note.key).values(**values))
