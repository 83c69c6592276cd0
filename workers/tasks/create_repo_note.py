"""`codekeeper_create_repo_note`: a note on a file of a mirrored repository. Neither the mirror nor its remote is written (PLT-31)."""

from typing import Any

from celery import shared_task

from shared.answer import render
from shared.tasks import CREATE_REPO_NOTE
from shared.wire.call import Call
from shared.wire.notes import CreateRepoNoteArguments
from workers.resources import engine
from workers.run_call import run_call
from workers.store import write_notes
from workers.store.repo_file import check_repo_file
from workers.store.transaction import writing_own


def create_repo_note(arguments: CreateRepoNoteArguments, call: Call) -> bytes:
    """Put a note on a file that the default branch has.

    Raises:
        Refused: what `check_repo_file` raises, and then the function of that name in the store and `writing_own`.
    """
    check_repo_file(arguments.repo, arguments.path)
    with writing_own(engine(), call.caller.user, CREATE_REPO_NOTE, deadline=call.deadline) as own:
        note = write_notes.create_repo_note(
            own, arguments.repo, arguments.path, arguments.content, mode=arguments.mode, title=arguments.title
        )
    return render({"ok": True, "note": note})


@shared_task(
    name=CREATE_REPO_NOTE.name, soft_time_limit=CREATE_REPO_NOTE.soft_s, time_limit=CREATE_REPO_NOTE.hard_s, acks_late=False, max_retries=0
)
def create_repo_note_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, CreateRepoNoteArguments, create_repo_note)
