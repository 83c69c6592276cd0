"""The tools that write saved files: save, edit, append, describe. Each answers with the file's metadata, never its text (PLT-15)."""

from typing import Any

from celery import shared_task

from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.tasks import APPEND_FILE, EDIT_FILE, SAVE_FILE, UPDATE_FILE_DESCRIPTION
from shared.wire.call import Call
from shared.wire.saved_files import AppendFileArguments, EditFileArguments, SaveFileArguments, UpdateFileDescriptionArguments
from workers.resources import engine
from workers.run_call import run_call
from workers.store.transaction import writing_own
from workers.store.write_files import append_to_file, check_file_name, create_file, describe_file, edit_file


def save_file(arguments: SaveFileArguments, call: Call) -> bytes:
    """Save under a name that isn't taken (PLT-11).

    Raises:
        Refused: what `create_file` and `writing_own` raise; `empty_code`; `existence_check_unavailable` when nothing could be looked at.
    """
    check_file_name(arguments.file_name)
    if not arguments.code:
        raise Refused(ErrorCode.EMPTY_CODE)
    check_unavailable = ErrorCode.EXISTENCE_CHECK_UNAVAILABLE
    with writing_own(engine(), call.caller.user, SAVE_FILE, deadline=call.deadline, unavailable=check_unavailable) as own:
        record = create_file(
            own, arguments.file_name, arguments.code, language=arguments.language or None, description=arguments.description
        )
    return render({"ok": True, "created": True, "file": record})


def edit(arguments: EditFileArguments, call: Call) -> bytes:
    """Replace text in the newest version.

    Raises:
        Refused: what `edit_file` and `writing_own` raise.
    """
    with writing_own(engine(), call.caller.user, EDIT_FILE, deadline=call.deadline) as own:
        record, replacements = edit_file(
            own, arguments.file_name, arguments.old_string, arguments.new_string, everywhere=arguments.replace_all
        )
    return render({"ok": True, "replacements": replacements, "file": record})


def append(arguments: AppendFileArguments, call: Call) -> bytes:
    """Add text at the end of the newest version.

    Raises:
        Refused: what `append_to_file` and `writing_own` raise.
    """
    with writing_own(engine(), call.caller.user, APPEND_FILE, deadline=call.deadline) as own:
        record, appended = append_to_file(own, arguments.file_name, arguments.content)
    return render({"ok": True, "appended_chars": appended, "file": record})


def update_description(arguments: UpdateFileDescriptionArguments, call: Call) -> bytes:
    """Change the description of the newest version, in place.

    Raises:
        Refused: what `describe_file` and `writing_own` raise.
    """
    with writing_own(engine(), call.caller.user, UPDATE_FILE_DESCRIPTION, deadline=call.deadline) as own:
        record = describe_file(own, arguments.file_name, description=arguments.description)
    return render({"ok": True, "file": record})


@shared_task(name=SAVE_FILE.name, soft_time_limit=SAVE_FILE.soft_s, time_limit=SAVE_FILE.hard_s, acks_late=False, max_retries=0)
def save_file_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, SaveFileArguments, save_file)


@shared_task(name=EDIT_FILE.name, soft_time_limit=EDIT_FILE.soft_s, time_limit=EDIT_FILE.hard_s, acks_late=False, max_retries=0)
def edit_file_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, EditFileArguments, edit)


@shared_task(name=APPEND_FILE.name, soft_time_limit=APPEND_FILE.soft_s, time_limit=APPEND_FILE.hard_s, acks_late=False, max_retries=0)
def append_file_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, AppendFileArguments, append)


@shared_task(
    name=UPDATE_FILE_DESCRIPTION.name,
    soft_time_limit=UPDATE_FILE_DESCRIPTION.soft_s,
    time_limit=UPDATE_FILE_DESCRIPTION.hard_s,
    acks_late=False,
    max_retries=0,
)
def update_file_description_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, UpdateFileDescriptionArguments, update_description)
