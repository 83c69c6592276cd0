"""A user's boards, which notes are put on."""

from typing import Any, Final

from sqlalchemy import Row, func, insert, select

from shared.database.store_tables import BOARDS
from shared.errors import ErrorCode, Refused
from shared.store_limits import MAX_BOARDS, MAX_NAME_CHARS
from workers.store.ids import is_id, new_id
from workers.store.text import check_length, check_storable
from workers.store.transaction import OwnRows

DEFAULT_NAME: Final = "Board"
"""The name of the board that every user has."""


def existing_board(own: OwnRows | None, board_id: str) -> Row[Any]:
    """The board of that id; None for `own` is a user who has nothing.

    Raises:
        Refused: `invalid_board_id` for what is no id, `board_not_found`.
    """
    if not is_id(board_id):
        raise Refused(ErrorCode.INVALID_BOARD_ID)
    found = None
    if own is not None:
        found = own.connection.execute(select(BOARDS).where(BOARDS.c.owner_key == own.owner_key, BOARDS.c.id == board_id)).first()
    if found is None:
        raise Refused(ErrorCode.BOARD_NOT_FOUND)
    return found


def default_board(own: OwnRows) -> Row[Any]:
    """The user's default board, made at the first call, so within `writing_own`."""
    default = select(BOARDS).where(BOARDS.c.owner_key == own.owner_key, BOARDS.c.is_default)
    found = own.connection.execute(default).first()
    if found is not None:
        return found
    _insert(own, _free_name(own), is_default=True)
    return own.connection.execute(default).one()


def create_board(own: OwnRows, name: str) -> str:
    """Make a board, and return its id.

    Raises:
        Refused: `empty_name`, `name_too_long`, `invalid_input`, `duplicate_name`, or `too_many_boards` with `max`.
    """
    if not name.strip():
        raise Refused(ErrorCode.EMPTY_NAME)
    check_length(name, MAX_NAME_CHARS, ErrorCode.NAME_TOO_LONG)
    check_storable(name=name)
    if _has(own, name):
        raise Refused(ErrorCode.DUPLICATE_NAME)
    boards = own.connection.execute(select(func.count()).select_from(BOARDS).where(BOARDS.c.owner_key == own.owner_key)).scalar_one()
    if boards >= MAX_BOARDS:
        raise Refused(ErrorCode.TOO_MANY_BOARDS, max=MAX_BOARDS)
    return _insert(own, name, is_default=False)


def _free_name(own: OwnRows) -> str:
    name, number = DEFAULT_NAME, 1
    while _has(own, name):
        number += 1
        name = f"{DEFAULT_NAME} {number}"
    return name


def _has(own: OwnRows, name: str) -> bool:
    return (
        own.connection.execute(select(BOARDS.c.key).where(BOARDS.c.owner_key == own.owner_key, BOARDS.c.name == name)).first() is not None
    )


def _insert(own: OwnRows, name: str, *, is_default: bool) -> str:
    board_id = new_id()
    own.connection.execute(
        insert(BOARDS).values(owner_key=own.owner_key, id=board_id, name=name, is_default=is_default, created_at=own.now)
    )
    return board_id
