"""The shape of repository names and paths, judged on the text alone. Nothing here looks at a repository."""

import posixpath
import re
from typing import Final

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_PATH_CHARS, MAX_REF_CHARS, REPO_NAME_PATTERN

_REPO_NAME: Final = re.compile(REPO_NAME_PATTERN)


def is_repo_name(name: str) -> bool:
    """Whether `name` may be a repository's (REF-25): a letter or digit, then up to 99 of letters, digits, `_` and `-`."""
    return _REPO_NAME.match(name) is not None


def check_repo_name(name: str, code: ErrorCode = ErrorCode.INVALID_INPUT) -> None:
    """Raise `Refused(code)` when `name` can't be a repository's (REF-25). The web routes have a code of their own for it (REF-27)."""
    if not is_repo_name(name):
        raise Refused(
            code,
            message="repo: a name is a letter or digit, then up to 99 letters, digits, '_' or '-'.",
        )


def check_path_length(path: str) -> None:
    """Raise `Refused(path_too_long)` above `MAX_PATH_CHARS` characters, measured on the path as it was sent (PLT-89)."""
    if len(path) > MAX_PATH_CHARS:
        raise Refused(ErrorCode.PATH_TOO_LONG, max_chars=MAX_PATH_CHARS, actual_chars=len(path))


def check_ref_length(ref: str | None) -> None:
    """Raise `Refused(ref_too_long)` above `MAX_REF_CHARS` characters, measured on the ref as it was sent (REF-16)."""
    if ref is not None and len(ref) > MAX_REF_CHARS:
        raise Refused(ErrorCode.REF_TOO_LONG, max_chars=MAX_REF_CHARS, actual_chars=len(ref))


def _what_is_malformed(path: str) -> str | None:
    """Why no git tree can hold `path`, or None when one could (REF-25)."""
    if "\0" in path:
        return "it holds a NUL"
    if any("\ud800" <= character <= "\udfff" for character in path):
        return "it is not valid UTF-8"
    if path.startswith("/") or path.endswith("/"):
        return "it begins or ends with '/'; paths are relative to the repository's root and name a file"
    if "" in path.split("/"):
        return "it has an empty segment"
    if posixpath.normpath(path).split("/")[0] == "..":
        return "it leaves the repository's root"
    return None


def check_file_path(path: str, code: ErrorCode = ErrorCode.INVALID_INPUT) -> None:
    """Raise `Refused(code)` when `path` is malformed (REF-25, REF-27). The path itself is never echoed and never trimmed."""
    if (reason := _what_is_malformed(path)) is not None:
        raise Refused(code, message=f"path: {reason}.")
