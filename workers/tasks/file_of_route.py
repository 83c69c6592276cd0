"""What both web routes about one file check before a mirror is opened, in the order of a file read (REF-33)."""

from shared.errors import ErrorCode, Refused
from shared.paths import check_file_path, check_path_length, check_ref_length, check_repo_name
from shared.wire.file_routes import FileParameters
from workers.resources import secret_paths


def check_parameters(parameters: FileParameters, ref: str) -> None:
    """Pass when a mirror may be asked.

    Raises:
        Refused: `missing_repo`, `missing_file`, `path_too_long`, `path_denied`, `ref_too_long`, `invalid_repo_name`, `invalid_file_path`.
    """
    if not parameters.repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    if not parameters.file.strip():
        raise Refused(ErrorCode.MISSING_FILE)
    check_path_length(parameters.file)
    if secret_paths().denies(parameters.file):
        raise Refused(ErrorCode.PATH_DENIED)
    check_ref_length(ref)
    check_repo_name(parameters.repo, ErrorCode.INVALID_REPO_NAME)
    check_file_path(parameters.file, ErrorCode.INVALID_FILE_PATH)
