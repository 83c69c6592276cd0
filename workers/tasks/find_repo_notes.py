"""The tools that list the caller's own notes on files of mirrored repositories (PLT section 2.2)."""

from collections.abc import Sequence
from typing import Any

from celery import shared_task
from sqlalchemy import Row

from shared.errors import ErrorCode, Refused
from shared.paths import check_repo_name
from shared.store_limits import LIST_NOTES_MAX
from shared.tasks import LIST_REPO_NOTE_PATHS, LIST_REPO_NOTES
from shared.wire.call import Call
from shared.wire.note_lists import ListRepoNotePathsArguments, ListRepoNotesArguments
from workers.finding.notes import noted_paths, notes_on_repo_file
from workers.lists import render_list
from workers.resources import engine, secret_paths
from workers.run_call import run_call
from workers.store.records import note_record
from workers.store.repo_file import is_orphaned
from workers.store.text import is_storable
from workers.store.transaction import reading_own


def list_repo_notes(arguments: ListRepoNotesArguments, call: Call) -> bytes:
    """The answer: `ok`, `repo`, `path`, `orphaned` (null when the mirror can't be read now), `count` and `notes`, oldest first.

    Raises:
        Refused: what `is_orphaned` raises, `db_error`.
    """
    _check_repo(arguments.repo)
    orphaned = is_orphaned(arguments.repo, arguments.path)
    rows: Sequence[Row[Any]] = []
    if is_storable(arguments.path):
        with reading_own(engine(), call.caller.user) as own:
            if own is not None:
                rows = own.connection.execute(notes_on_repo_file(own, arguments.repo, arguments.path, LIST_NOTES_MAX + 1)).all()
    head = {"ok": True, "repo": arguments.repo, "path": arguments.path, "orphaned": orphaned}
    records = [note_record(row) for row in rows[:LIST_NOTES_MAX]]
    return render_list(records, lambda shown: {**head, "count": len(shown), "notes": shown}, more=len(rows) > LIST_NOTES_MAX)


def list_repo_note_paths(arguments: ListRepoNotePathsArguments, call: Call) -> bytes:
    """The answer: `ok`, `repo`, `count` and `paths`, each with its `note_count`, by path. Paths of secrets are left out (PLT-125).

    Raises:
        Refused: `missing_repo`, `invalid_input`, `db_error`.
    """
    repo = arguments.repo
    _check_repo(repo)
    with reading_own(engine(), call.caller.user) as own:
        rows: Sequence[Row[Any]] = [] if own is None else own.connection.execute(noted_paths(own, repo)).all()
    # Sorted here: databases order texts by rules of their own.
    noted = sorted((row.repo_path, row.note_count) for row in rows)
    paths = [{"path": path, "note_count": count} for path, count in noted if not secret_paths().denies(path)]
    return render_list(paths, lambda shown: {"ok": True, "repo": repo, "count": len(shown), "paths": shown})


def _check_repo(repo: str) -> None:
    if not repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    check_repo_name(repo)


@shared_task(
    name=LIST_REPO_NOTES.name, soft_time_limit=LIST_REPO_NOTES.soft_s, time_limit=LIST_REPO_NOTES.hard_s, acks_late=False, max_retries=0
)
def list_repo_notes_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListRepoNotesArguments, list_repo_notes)


@shared_task(
    name=LIST_REPO_NOTE_PATHS.name,
    soft_time_limit=LIST_REPO_NOTE_PATHS.soft_s,
    time_limit=LIST_REPO_NOTE_PATHS.hard_s,
    acks_late=False,
    max_retries=0,
)
def list_repo_note_paths_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListRepoNotePathsArguments, list_repo_note_paths)
