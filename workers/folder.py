"""Files below a folder of this machine: nothing outside it is ever opened, whatever its links say and however it changes meanwhile."""

import errno
import os
import stat
from enum import StrEnum
from pathlib import Path
from typing import Final

_BLOCK_BYTES: Final = 1024 * 1024
"""Bytes that are read at once."""

OPEN_FOLDER: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_DIRECTORY
"""How a folder is opened from the one above it."""

_FILE: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK  # a pipe must not be waited for


class Why(StrEnum):
    """Why a file can't be read."""

    NOT_FOUND = "not_found"
    """There is no file of that path: nothing, a folder, a pipe or a device."""
    LINK = "link"
    """A symbolic link, or below one."""
    UNREADABLE = "unreadable"
    """It is there, and the system doesn't let it be read."""
    TOO_LARGE = "too_large"
    """It has more bytes than were asked for at the most."""


class CantRead(Exception):  # noqa: N818 - what the folder holds, and no error of ours
    """A file can't be read."""

    def __init__(self, why: Why, *, target: str | None = None, bytes_read: int = 0) -> None:
        """`target` is where a link itself points; `bytes_read` is what had been read by then."""
        super().__init__(why)
        self.why = why
        self.target = target
        self.bytes_read = bytes_read


class Folder:
    """A folder; each read looks anew."""

    def __init__(self, root: Path | str) -> None:
        """The root's own links are followed once, here.

        Raises:
            OSError: there is no such folder.
        """
        self.root = Path(root).resolve(strict=True)
        if not self.root.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(root))

    def open(self, path: str) -> int:
        """A descriptor of the file at that literal path. Every folder on the way is opened without a link, from the one above it.

        Raises:
            CantRead: it can't be opened, or leads out of the folder.
        """
        *folders, name = path.split("/")
        if {"", ".", ".."} & {*folders, name}:
            raise CantRead(Why.NOT_FOUND)
        try:
            at = os.open(self.root, OPEN_FOLDER)
        except OSError as error:  # it was there when this was made
            raise CantRead(Why.UNREADABLE) from error
        try:
            for folder in folders:
                step = _open(folder, OPEN_FOLDER, at)
                os.close(at)
                at = step
            return _open(name, _FILE, at)
        finally:
            os.close(at)

    def read(self, path: str, limit: int) -> bytes:
        """All of a regular file of at most `limit` bytes; of a longer one at most one byte more is read.

        Raises:
            CantRead: for any of the reasons.
        """
        file = self.open(path)
        try:
            return _read(file, limit)
        finally:
            os.close(file)


def _read(file: int, limit: int) -> bytes:
    """A file may grow while it is read, so its end is looked for and no size believed."""
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise CantRead(Why.NOT_FOUND)
        if found.st_size > limit:
            raise CantRead(Why.TOO_LARGE)
        data = bytearray()
        while len(data) <= limit and (piece := os.read(file, min(limit + 1 - len(data), _BLOCK_BYTES))):
            data += piece
    except OSError as error:
        raise CantRead(Why.UNREADABLE) from error
    if len(data) > limit:
        raise CantRead(Why.TOO_LARGE, bytes_read=len(data))
    return bytes(data)


def _open(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as error:
        raise _why(name, folder, error) from error


def _why(name: str, folder: int, error: OSError) -> CantRead:
    """Why an entry can't be opened: first of all because it is a link."""
    try:
        target = os.readlink(name, dir_fd=folder)
    except OSError:
        missing = error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENXIO}
        return CantRead(Why.NOT_FOUND if missing else Why.UNREADABLE)
    return CantRead(Why.LINK, target=os.fsencode(target).decode("utf-8", "replace"))
