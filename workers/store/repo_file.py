"""The files of mirrored repositories that notes stand on, and whether one is still there. Nothing is read of them."""

import structlog
from sqlalchemy.exc import SQLAlchemyError

from shared.database import repositories
from shared.errors import ErrorCode, Refused
from shared.paths import check_file_path, check_path_length
from shared.settings import settings
from workers.mirror.mirrors import Mirrors
from workers.mirror.read_blob import find_blob
from workers.resources import engine, secret_paths
from workers.store.text import is_storable

log = structlog.get_logger()


def check_repo_file(repo: str, path: str) -> None:
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


def is_orphaned(repo: str, path: str) -> bool | None:
    """Whether the default branch has no file at `path` any more, or the repository is gone; None when the mirror can't be read now.

    Raises:
        Refused: `missing_repo`, `missing_path`, `path_too_long`, `path_denied`, `repo_list_unavailable`, `invalid_input`.
    """
    try:
        check_repo_file(repo, path)
    except Refused as refused:
        if refused.code in {ErrorCode.REPO_NOT_FOUND, ErrorCode.REPO_FILE_NOT_FOUND}:
            return True
        if refused.code is ErrorCode.REPO_FILE_UNAVAILABLE:
            return None
        raise
    return False
