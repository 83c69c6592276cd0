"""The tools that write notes on saved files and boards. Each answers with the note's metadata, never its body (PLT-15)."""

from typing import Any

from celery import shared_task

from shared.answer import render
from shared.tasks import CREATE_BOARD_NOTE, CREATE_NOTE, NOTE_STR_REPLACE, UPDATE_NOTE
from shared.wire.call import Call
from shared.wire.notes import CreateBoardNoteArguments, CreateNoteArguments, NoteStrReplaceArguments, UpdateNoteArguments
from workers.resources import engine
from workers.run_call import run_call
from workers.store import write_notes
from workers.store.transaction import writing_own
from workers.store.write_notes import NoteChange


def create_note(arguments: CreateNoteArguments, call: Call) -> bytes:
    """Put a note on a saved file.

    Raises:
        Refused: what `create_file_note` and `writing_own` raise.
    """
    with writing_own(engine(), call.caller.user, CREATE_NOTE, deadline=call.deadline) as own:
        note = write_notes.create_file_note(
            own, arguments.file_name, arguments.content, line=arguments.line, color=arguments.color, anchor_text=arguments.anchor_text
        )
    return render({"ok": True, "note": note})


def create_board_note(arguments: CreateBoardNoteArguments, call: Call) -> bytes:
    """Put a note on a board.

    Raises:
        Refused: what the function of that name in the store, and `writing_own`, raise.
    """
    with writing_own(engine(), call.caller.user, CREATE_BOARD_NOTE, deadline=call.deadline) as own:
        note = write_notes.create_board_note(
            own, arguments.board_id, arguments.content, mode=arguments.mode, color=arguments.color, title=arguments.title
        )
    return render({"ok": True, "note": note})


def update_note(arguments: UpdateNoteArguments, call: Call) -> bytes:
    """Change a note in place.

    Raises:
        Refused: what the function of that name in the store, and `writing_own`, raise.
    """
    change = NoteChange(**arguments.model_dump(exclude={"note_id"}))
    with writing_own(engine(), call.caller.user, UPDATE_NOTE, deadline=call.deadline) as own:
        note = write_notes.update_note(own, arguments.note_id, change)
    return render({"ok": True, "note": note})


def note_str_replace(arguments: NoteStrReplaceArguments, call: Call) -> bytes:
    """Replace text in a note's body.

    Raises:
        Refused: what `replace_in_note` and `writing_own` raise.
    """
    with writing_own(engine(), call.caller.user, NOTE_STR_REPLACE, deadline=call.deadline) as own:
        note, replacements = write_notes.replace_in_note(
            own, arguments.note_id, arguments.old_string, arguments.new_string, everywhere=arguments.replace_all
        )
    return render({"ok": True, "replacements": replacements, "note": note})


@shared_task(name=CREATE_NOTE.name, soft_time_limit=CREATE_NOTE.soft_s, time_limit=CREATE_NOTE.hard_s, acks_late=False, max_retries=0)
def create_note_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, CreateNoteArguments, create_note)


@shared_task(
    name=CREATE_BOARD_NOTE.name,
    soft_time_limit=CREATE_BOARD_NOTE.soft_s,
    time_limit=CREATE_BOARD_NOTE.hard_s,
    acks_late=False,
    max_retries=0,
)
def create_board_note_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, CreateBoardNoteArguments, create_board_note)


@shared_task(name=UPDATE_NOTE.name, soft_time_limit=UPDATE_NOTE.soft_s, time_limit=UPDATE_NOTE.hard_s, acks_late=False, max_retries=0)
def update_note_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, UpdateNoteArguments, update_note)


@shared_task(
    name=NOTE_STR_REPLACE.name, soft_time_limit=NOTE_STR_REPLACE.soft_s, time_limit=NOTE_STR_REPLACE.hard_s, acks_late=False, max_retries=0
)
def note_str_replace_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, NoteStrReplaceArguments, note_str_replace)
