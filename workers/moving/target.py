"""The folder that an export writes: each file whole or not at all, nothing outside it, and its manifest last.

While an export runs, and after one that was ended, the manifest's unfinished form stands there. It is what lets the same command go on.
"""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any, Final

from workers.folder import OPEN_FOLDER
from workers.moving.manifest import MANIFEST, UNFINISHED, BadFolder, written
from workers.moving.paths import OWN_FOLDER

_BEING_WRITTEN: Final = "writing"
"""Name in `OWN_FOLDER` of the file that is being written."""

_NO_PLACE: Final = frozenset({
    errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY, errno.ELOOP, errno.EXDEV,
})  # fmt: skip
"""What a system says of a path that it can't have, or that something else stands in the way of: no failure to write."""


class NoPlace(Exception):  # noqa: N818 - what the folder holds, and no error of ours
    """There can be no file of that path in the folder."""


class NotWritten(Exception):  # noqa: N818 - a full disk, and no error of ours
    """A file or its line could not be written; at its path is what was there before, or all of it. The message is the system's."""


class Target:
    """A folder that this process alone exports into."""

    def __init__(self, root: Path, own: int, lines: FileIO) -> None:
        """`own` is a descriptor of `OWN_FOLDER`, and `lines` the unfinished manifest, locked and empty."""
        self._root = root
        self._own = own
        self._lines = lines

    def write(self, path: str, data: bytes, row: Any) -> None:
        """Write the file and its line of the manifest; `row` has `FILE_COLUMNS`. What stood at the path is replaced.

        Raises:
            NoPlace: nothing was written; another path can be tried.
            NotWritten: see there.
        """
        *folders, name = path.split("/")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(_BEING_WRITTEN, flags, 0o666, dir_fd=self._own), "wb", buffering=0) as out:
                _write(out, data)
                os.fsync(out.fileno())  # a file that has its name is whole, whatever becomes of the machine
            folder = self._made(folders)
            try:
                os.rename(_BEING_WRITTEN, name, src_dir_fd=self._own, dst_dir_fd=folder)
            finally:
                os.close(folder)
            _write(self._lines, written(path, row))
        except OSError as error:
            if error.errno in _NO_PLACE:
                raise NoPlace from error
            raise NotWritten(error.strerror) from error

    def finish(self) -> None:
        """Give the manifest its name: the export is whole.

        Raises:
            NotWritten: it isn't.
        """
        try:
            os.fsync(self._lines.fileno())
            (self._root / UNFINISHED).rename(self._root / MANIFEST)
        except OSError as error:
            raise NotWritten(error.strerror) from error

    def _made(self, folders: list[str]) -> int:
        """A descriptor of the folder at that path, made where it isn't there; no link on the way is followed."""
        at = os.open(self._root, OPEN_FOLDER)
        try:
            for name in folders:
                step = _made_in(at, name)
                os.close(at)
                at = step
        except OSError:
            os.close(at)
            raise
        return at


@contextmanager
def open_target(folder: Path, *, overwrite: bool) -> Iterator[Target]:
    """The folder to export into, made if it isn't there. Empty, or left by an export that was ended, unless `overwrite`.

    Raises:
        BadFolder: it holds something else, can't be written, or another export writes it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        root = folder.resolve(strict=True)
        if not overwrite and not os.path.lexists(root / UNFINISHED) and any(root.iterdir()):
            raise BadFolder("it is not empty; --overwrite writes into it all the same, replaces files of the same path, and deletes none")
        at = os.open(root, OPEN_FOLDER)
        try:
            own = _made_in(at, OWN_FOLDER)
        finally:
            os.close(at)
        part = os.open(Path(UNFINISHED).name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=own)
    except OSError as error:
        raise BadFolder(f"it can't be written: {error.strerror}") from error
    try:
        with os.fdopen(part, "wb", buffering=0) as lines:
            try:
                fcntl.flock(lines, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadFolder("another export writes into it") from None
            lines.truncate(0)
            yield Target(root, own, lines)
    finally:
        os.close(own)


def _made_in(folder: int, name: str) -> int:
    try:
        return os.open(name, OPEN_FOLDER, dir_fd=folder)
    except FileNotFoundError:
        os.mkdir(name, dir_fd=folder)
        return os.open(name, OPEN_FOLDER, dir_fd=folder)


def _write(file: FileIO, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
