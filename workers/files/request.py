"""What `codekeeper_get_repo_file` is asked for, checked as far as that needs no mirror."""

from dataclasses import dataclass

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY, RANGE_READ_MAX_BYTES
from shared.paths import check_file_path, check_path_length, check_ref_length, check_repo_name
from shared.wire.get_repo_file import GetRepoFileArguments
from workers.reading.line_range import checked_range
from workers.resources import secret_paths


@dataclass(frozen=True)
class FileRequest:
    """A request that passed every check of the arguments."""

    arguments: GetRepoFileArguments
    lines: tuple[int, int] | None
    """First and last line, from 1, both included; None for the whole file or its map."""

    @property
    def repo(self) -> str:
        """The repository that is read."""
        return self.arguments.repo

    @property
    def path(self) -> str:
        """The file's path in it."""
        return self.arguments.path

    @property
    def whole(self) -> bool:
        """Whether all of the content is asked for."""
        return self.lines is None and not self.arguments.outline

    @property
    def ceiling(self) -> int:
        """Bytes of the largest file that is read for it (GRF-17)."""
        return MAX_FILE_SIZE_FOR_DISPLAY if self.whole else RANGE_READ_MAX_BYTES


def checked_file_request(arguments: GetRepoFileArguments) -> FileRequest:
    """The request, its checks in the contract's order (GRF, "Order of the checks"; REF-33).

    Raises:
        Refused: the codes of that table that come before the mirror.
    """
    if not arguments.repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    if not arguments.path.strip():
        raise Refused(ErrorCode.MISSING_PATH)
    _check_mode(arguments)
    lines = checked_range(arguments.lines)
    check_path_length(arguments.path)
    if secret_paths().denies(arguments.path):
        raise Refused(ErrorCode.PATH_DENIED)
    check_ref_length(arguments.ref)
    check_repo_name(arguments.repo)
    check_file_path(arguments.path)
    return FileRequest(arguments, lines)


def _check_mode(arguments: GetRepoFileArguments) -> None:
    """A call is in one mode, and nothing that was sent for another is silently ignored (GRF-2, GRF-3)."""
    if arguments.outline and arguments.lines is not None:
        raise Refused(ErrorCode.OUTLINE_AND_LINES)
    if arguments.symbol and not arguments.outline:
        raise Refused(ErrorCode.SYMBOL_WITHOUT_OUTLINE)
