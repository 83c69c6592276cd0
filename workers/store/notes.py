"""A user's notes as they are now: how every tool that reads notes comes to them."""

from typing import Any

from sqlalchemy import Row, Select, select

from shared.database.store_tables import BOARDS, NOTES
from shared.errors import ErrorCode, Refused
from workers.store.ids import is_id
from workers.store.records import NOTE_COLUMNS
from workers.store.transaction import OwnRows


def own_notes(own: OwnRows, *columns: Any) -> Select[Any]:
    """The query for `columns` of all the owner's notes, the archive included; `NOTE_COLUMNS` unless others are named."""
    joined = select(*(columns or NOTE_COLUMNS)).select_from(NOTES).outerjoin(BOARDS, BOARDS.c.key == NOTES.c.board_key)
    return joined.where(NOTES.c.owner_key == own.owner_key)


def existing_note(own: OwnRows | None, note_id: str, *columns: Any) -> Row[Any]:
    """`columns` and `NOTE_COLUMNS` of the note of that id, wherever it is; None for `own` is a user who has nothing.

    Raises:
        Refused: `invalid_note_id` for what is no id, `not_found`.
    """
    if not is_id(note_id):
        raise Refused(ErrorCode.INVALID_NOTE_ID)
    found = None
    if own is not None:
        found = own.connection.execute(own_notes(own, *columns, *NOTE_COLUMNS).where(NOTES.c.id == note_id)).first()
    if found is None:
        raise Refused(ErrorCode.NOT_FOUND)
    return found
