"""A folder of files as a source: nothing outside it is ever opened, whatever its links say and however it changes meanwhile."""

import errno
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from workers.context.source import Reason, SourceFile, Unavailable

_GIT: Final = ".git"
"""Git's own folder in a work tree: addresses in its configuration may hold passwords."""

_BLOCK_BYTES: Final = 1024 * 1024
"""Bytes that are read at once."""

_STEP: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_FILE: Final = _STEP | os.O_NONBLOCK  # a pipe must not be waited for


_REMOTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/]+@[^/]+:")
"""How an address begins that git would fetch from: with a protocol, or as `user@host:`."""


class ConflictingConfiguration(Exception):  # noqa: N818 - it says what it is
    """A host asks for something that code contexts don't go with; the message begins with the conflict's name (RCC-43)."""


class WorkTree:
    """The files below a root folder, as they are at the moment each is read (RCC-44)."""

    def __init__(self, root: Path | str) -> None:
        """The root's own links are followed once, here.

        Raises:
            ConflictingConfiguration: the root is the address of a remote. Its mirror is read by `MirrorCommit`, and nothing here fetches.
            OSError: there is no such folder.
        """
        if _REMOTE.match(str(root)):
            raise ConflictingConfiguration("remote source: files are read of a folder here, or of a commit of a mirror.")
        self._root = Path(root).resolve(strict=True)
        if not self._root.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(root))

    def described(self) -> Mapping[str, str]:
        """Nothing: where the root is is this machine's business."""
        return {}

    def denies(self, path: str) -> bool:
        """Whether the path is in git's own folder."""
        return _GIT in path.casefold().split("/")

    def read(self, path: str, limit: int) -> SourceFile:
        """See `Source.read`. Every folder on the way is opened without following a link, from the one above it."""
        *folders, name = path.split("/")
        at = os.open(self._root, _STEP | os.O_DIRECTORY)
        try:
            for folder in folders:
                step = _open(folder, _STEP | os.O_DIRECTORY, at)
                os.close(at)
                at = step
            file = _open(name, _FILE, at)
        finally:
            os.close(at)
        try:
            return SourceFile(_read(file, limit))
        finally:
            os.close(file)


def _read(file: int, limit: int) -> bytes:
    """All of a regular file. It may grow while it is read, so its end is looked for and no size believed."""
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise Unavailable(Reason.NOT_FOUND)
        if found.st_size > limit:
            raise Unavailable(Reason.TOO_LARGE)
        data = bytearray()
        while len(data) <= limit and (piece := os.read(file, min(limit + 1 - len(data), _BLOCK_BYTES))):
            data += piece
    except OSError as error:
        raise Unavailable(Reason.UNREADABLE) from error
    if len(data) > limit:
        raise Unavailable(Reason.TOO_LARGE, bytes_read=len(data))
    return bytes(data)


def _open(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as error:
        raise _refused(name, folder, error) from error


def _refused(name: str, folder: int, error: OSError) -> Unavailable:
    """Why an entry can't be opened: first of all because it is a link."""
    try:
        target = os.readlink(name, dir_fd=folder)
    except OSError:
        missing = error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENXIO}
        return Unavailable(Reason.NOT_FOUND if missing else Reason.UNREADABLE)
    return Unavailable(Reason.LINK, {"target": os.fsencode(target).decode("utf-8", "replace")})
