"""`codekeeper_create_repo_note`: a note on a file of a mirrored repository. Neither the mirror nor its remote is written (PLT-31)."""

from typing import Any

import structlog
from celery import shared_task
from sqlalchemy.exc import SQLAlchemyError

from shared.answer import render
from shared.database import repositories
from shared.errors import ErrorCode, Refused
from shared.paths import check_file_path, check_path_length
from shared.settings import settings
from shared.tasks import CREATE_REPO_NOTE
from shared.wire.call import Call
from shared.wire.notes import CreateRepoNoteArguments
from workers.mirror.mirrors import Mirrors
from workers.mirror.read_blob import find_blob
from workers.resources import engine, secret_paths
from workers.run_call import run_call
from workers.store import write_notes
from workers.store.text import is_storable
from workers.store.transaction import writing_own

log = structlog.get_logger()


def create_repo_note(arguments: CreateRepoNoteArguments, call: Call) -> bytes:
    """Put a note on a file that the default branch has.

    Raises:
        Refused: what `_check_file` raises, and then the function of that name in the store and `writing_own`.
    """
    _check_file(arguments.repo, arguments.path)
    with writing_own(engine(), call.caller.user, CREATE_REPO_NOTE, deadline=call.deadline) as own:
        note = write_notes.create_repo_note(
            own, arguments.repo, arguments.path, arguments.content, mode=arguments.mode, title=arguments.title
        )
    return render({"ok": True, "note": note})


def _check_file(repo: str, path: str) -> None:
    """Pass when the default branch of `repo` has a file at `path`.

    Raises:
        Refused: in this order `missing_repo`, `missing_path`, `path_too_long`, `path_denied`, `repo_list_unavailable`, `repo_not_found`,
            `invalid_input`, `repo_file_not_found`, or `repo_file_unavailable` with the `reason` why the mirror can't be read now.
    """
    if not repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    if not path.strip():
        raise Refused(ErrorCode.MISSING_PATH)
    check_path_length(path)
    if secret_paths().denies(path):
        raise Refused(ErrorCode.PATH_DENIED)
    try:
        known = is_storable(repo) and repositories.find(engine(), repo) is not None
    except SQLAlchemyError as error:
        log.warning("registry_unreadable", exc_info=True)
        raise Refused(ErrorCode.REPO_LIST_UNAVAILABLE, message="The registry can't be read just now; retry later.") from error
    if not known:
        raise Refused(ErrorCode.REPO_NOT_FOUND)
    check_file_path(path)
    mirrors = Mirrors(settings().mirrors_dir, engine())
    try:
        with mirrors.a_sync_may_explain(repo):
            opened = mirrors.open(repo, None, path)
            find_blob(opened.mirror, repo, opened.resolved, path)
    except Refused as refused:
        if refused.code is ErrorCode.NOT_FOUND:
            raise Refused(ErrorCode.REPO_FILE_NOT_FOUND) from refused
        again = {name: value for name, value in refused.fields.items() if name == "retry_after"}
        raise Refused(ErrorCode.REPO_FILE_UNAVAILABLE, reason=refused.code.value, **again) from refused


@shared_task(
    name=CREATE_REPO_NOTE.name, soft_time_limit=CREATE_REPO_NOTE.soft_s, time_limit=CREATE_REPO_NOTE.hard_s, acks_late=False, max_retries=0
)
def create_repo_note_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, CreateRepoNoteArguments, create_repo_note)
