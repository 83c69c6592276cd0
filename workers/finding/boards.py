"""A user's boards in a list, each with the number of its notes."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, func, select

from shared.database.store_tables import BOARDS, NOTES
from workers.store.transaction import OwnRows


def boards_of(own: OwnRows) -> Sequence[Row[Any]]:
    """`id`, `name`, `is_default` and `note_count` of each board, the default one first, then oldest first."""
    on_board = (NOTES.c.owner_key == own.owner_key) & (NOTES.c.board_key == BOARDS.c.key)
    counted = select(func.count()).select_from(NOTES).where(on_board).scalar_subquery().label("note_count")
    statement: Select[Any] = (
        select(BOARDS.c.id, BOARDS.c.name, BOARDS.c.is_default, counted)
        .where(BOARDS.c.owner_key == own.owner_key)
        .order_by(BOARDS.c.is_default.desc(), BOARDS.c.created_at, BOARDS.c.key)
    )
    return own.connection.execute(statement).all()
