"""The tools that find, list and read notes and boards (PLT section 2.2). A body is only in the answer to a request for one note (PLT-7)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from celery import shared_task
from sqlalchemy import Row, Select

from shared.answer import render
from shared.database.store_tables import NOTE_VERSIONS, NOTES
from shared.errors import ErrorCode, Refused
from shared.store_limits import LIST_NOTES_MAX
from shared.tasks import (
    GET_NOTE,
    GET_NOTE_VERSION,
    LIST_BOARD_NOTES,
    LIST_BOARDS,
    LIST_NOTE_VERSIONS,
    LIST_NOTES,
    SEARCH_NOTES,
)
from shared.wire.call import Call
from shared.wire.note_lists import (
    GetNoteArguments,
    GetNoteVersionArguments,
    ListBoardNotesArguments,
    ListBoardsArguments,
    ListNotesArguments,
    ListNoteVersionsArguments,
    SearchNotesArguments,
)
from workers.finding.boards import boards_of
from workers.finding.notes import earlier_bodies, notes_on_board, notes_on_file, notes_with_text
from workers.finding.query import check_query
from workers.lists import render_list
from workers.resources import engine
from workers.run_call import run_call
from workers.store.boards import default_board, existing_board
from workers.store.notes import existing_note
from workers.store.records import iso_time, note_record
from workers.store.text import is_storable
from workers.store.transaction import OwnRows, reading_own, writing_own
from workers.store.write_files import check_file_name

_NOT_IN_HITS: Final = frozenset({"anchor_text", "mode", "is_minimized", "version"})
"""What a hit leaves out of a note's record: it says where the note is (SCN, "Not given by the source")."""


def list_notes(arguments: ListNotesArguments, call: Call) -> bytes:
    """The answer: `ok`, `file_name`, `count` and `notes`, oldest first; `truncated` when not all are there.

    Raises:
        Refused: `missing_file_name`, `file_name_too_long`, `db_error`.
    """
    name = arguments.file_name
    check_file_name(name)
    rows = _rows(call, lambda own: notes_on_file(own, name, LIST_NOTES_MAX + 1)) if is_storable(name) else []
    return _rendered(rows, {"file_name": name})


def list_boards(_arguments: ListBoardsArguments, call: Call) -> bytes:
    """The answer: `ok`, `count` and `boards`; the first call makes the default board.

    Raises:
        Refused: `db_error`, `save_failed`, `deadline_exceeded`.
    """
    boards = _boards(call)
    if not any(board["is_default"] for board in boards):
        with writing_own(engine(), call.caller.user, LIST_BOARDS, deadline=call.deadline) as own:
            default_board(own)
        boards = _boards(call)
    return render({"ok": True, "count": len(boards), "boards": boards})


def _boards(call: Call) -> list[dict[str, Any]]:
    with reading_own(engine(), call.caller.user) as own:
        return [] if own is None else [dict(row._mapping) for row in boards_of(own)]  # noqa: SLF001 - SQLAlchemy's documented name


def list_board_notes(arguments: ListBoardNotesArguments, call: Call) -> bytes:
    """The answer: `ok`, `board_id`, `board_name`, `count` and `notes`, oldest first; `truncated` when not all are there.

    Raises:
        Refused: `invalid_board_id`, `board_not_found`, `db_error`.
    """
    with reading_own(engine(), call.caller.user) as own:
        board = existing_board(own, arguments.board_id)
        rows = _all(own, lambda own: notes_on_board(own, board.key, LIST_NOTES_MAX + 1))
    return _rendered(rows, {"board_id": board.id, "board_name": board.name})


def _rendered(rows: Sequence[Row[Any]], of: Mapping[str, Any]) -> bytes:
    """A list of the notes of one place, of which one more than is shown was asked for."""
    records = [note_record(row) for row in rows[:LIST_NOTES_MAX]]
    return render_list(records, lambda shown: {"ok": True, **of, "count": len(shown), "notes": shown}, more=len(rows) > LIST_NOTES_MAX)


def search_notes(arguments: SearchNotesArguments, call: Call) -> bytes:
    """The answer: the hits, newest first, what was searched, and `truncated` when more notes match (SCN-24 to SCN-36).

    Raises:
        Refused: `query_too_long`, `invalid_query`, `query_too_short`, `db_error`.
    """
    check_query(arguments.query)
    if not arguments.query.strip():
        raise Refused(ErrorCode.QUERY_TOO_SHORT)
    # Whoever calls this without the schema may have sent anything; only True says yes (SCN-32, PLT-25).
    flags = {"search_content": arguments.search_content is True, "include_archived": arguments.include_archived is True}
    rows = _rows(call, lambda own: notes_with_text(own, arguments.query, **flags, limit=arguments.limit + 1))
    searched = {"searched_content": flags["search_content"], "searched_archive": flags["include_archived"]}
    return render_list(
        [{name: value for name, value in note_record(row).items() if name not in _NOT_IN_HITS} for row in rows[: arguments.limit]],
        lambda shown: {"ok": True, "query": arguments.query, "count": len(shown), **searched, "results": shown},
        more=len(rows) > arguments.limit,
    )


def get_note(arguments: GetNoteArguments, call: Call) -> bytes:
    """The answer: `ok` and `note`, with its body.

    Raises:
        Refused: `invalid_note_id`, `not_found`, `db_error`.
    """
    with reading_own(engine(), call.caller.user) as own:
        note = existing_note(own, arguments.note_id, NOTES.c.content)
    return render({"ok": True, "note": {**note_record(note), "content": note.content}})


def list_note_versions(arguments: ListNoteVersionsArguments, call: Call) -> bytes:
    """The answer: `ok`, `note_id`, `current_version`, `count` and `versions`, those before the current one, newest first.

    Raises:
        Refused: `invalid_note_id`, `not_found`, `db_error`.
    """
    with reading_own(engine(), call.caller.user) as own:
        note = existing_note(own, arguments.note_id, NOTES.c.key)
        kept = _all(own, lambda own: earlier_bodies(own, note.key, NOTE_VERSIONS.c.version, NOTE_VERSIONS.c.saved_at))
    versions = [{"version": row.version, "saved_at": iso_time(row.saved_at)} for row in kept]
    return render({"ok": True, "note_id": note.id, "current_version": note.version, "count": len(versions), "versions": versions})


def get_note_version(arguments: GetNoteVersionArguments, call: Call) -> bytes:
    """The answer: `ok`, `note_id`, `version`, `saved_at` and `content`, one of the bodies before the current one.

    Raises:
        Refused: `invalid_note_id`, `not_found`, `version_not_found` with `current_version`, `db_error`.
    """
    wanted = arguments.version
    with reading_own(engine(), call.caller.user) as own:
        note = existing_note(own, arguments.note_id, NOTES.c.key)
        # Any number may be sent; one that a database can't hold is none of a version either.
        found = None
        if 0 < wanted < note.version:
            columns = (NOTE_VERSIONS.c.version, NOTE_VERSIONS.c.saved_at, NOTE_VERSIONS.c.content)
            found = next(
                iter(_all(own, lambda own: earlier_bodies(own, note.key, *columns).where(NOTE_VERSIONS.c.version == wanted))), None
            )
    if found is None:
        raise Refused(ErrorCode.VERSION_NOT_FOUND, current_version=note.version)
    body = {"version": found.version, "saved_at": iso_time(found.saved_at), "content": found.content}
    return render({"ok": True, "note_id": note.id, **body})


def _rows(call: Call, statement: Callable[[OwnRows], Select[Any]]) -> Sequence[Row[Any]]:
    """What the query finds among the caller's rows."""
    with reading_own(engine(), call.caller.user) as own:
        return _all(own, statement)


def _all(own: OwnRows | None, statement: Callable[[OwnRows], Select[Any]]) -> Sequence[Row[Any]]:
    """What the query finds among these rows; nothing for who never saved anything."""
    return [] if own is None else own.connection.execute(statement(own)).all()


@shared_task(name=LIST_NOTES.name, soft_time_limit=LIST_NOTES.soft_s, time_limit=LIST_NOTES.hard_s, acks_late=False, max_retries=0)
def list_notes_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListNotesArguments, list_notes)


@shared_task(name=LIST_BOARDS.name, soft_time_limit=LIST_BOARDS.soft_s, time_limit=LIST_BOARDS.hard_s, acks_late=False, max_retries=0)
def list_boards_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListBoardsArguments, list_boards)


@shared_task(
    name=LIST_BOARD_NOTES.name, soft_time_limit=LIST_BOARD_NOTES.soft_s, time_limit=LIST_BOARD_NOTES.hard_s, acks_late=False, max_retries=0
)
def list_board_notes_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListBoardNotesArguments, list_board_notes)


@shared_task(name=SEARCH_NOTES.name, soft_time_limit=SEARCH_NOTES.soft_s, time_limit=SEARCH_NOTES.hard_s, acks_late=False, max_retries=0)
def search_notes_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, SearchNotesArguments, search_notes)


@shared_task(name=GET_NOTE.name, soft_time_limit=GET_NOTE.soft_s, time_limit=GET_NOTE.hard_s, acks_late=False, max_retries=0)
def get_note_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetNoteArguments, get_note)


@shared_task(
    name=LIST_NOTE_VERSIONS.name,
    soft_time_limit=LIST_NOTE_VERSIONS.soft_s,
    time_limit=LIST_NOTE_VERSIONS.hard_s,
    acks_late=False,
    max_retries=0,
)
def list_note_versions_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListNoteVersionsArguments, list_note_versions)


@shared_task(
    name=GET_NOTE_VERSION.name, soft_time_limit=GET_NOTE_VERSION.soft_s, time_limit=GET_NOTE_VERSION.hard_s, acks_late=False, max_retries=0
)
def get_note_version_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetNoteVersionArguments, get_note_version)
