"""The files of a folder into a user's store: each in a transaction of its own, one text in memory at a time, what can't be kept named."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Engine

from shared.errors import ErrorCode, Refused
from shared.settings import settings
from workers.folder import CantRead, Folder, Why
from workers.moving.manifest import Manifest, read_manifest
from workers.moving.walk import Kind, walk
from workers.store.put_file import FileMetadata, Put, put_file
from workers.store.transaction import writing_own

_BYTES_OF_A_CHARACTER: Final = 4
"""Bytes of UTF-8 that a character has at the most: a file of more than that for each that may be saved is not read."""

STORE_AWAY: Final = frozenset({ErrorCode.DB_ERROR, ErrorCode.SAVE_FAILED})
"""What is said of the store and of no file: with the next file it would be the same."""

_SKIPPED: Final = {
    Kind.LINK: Refused(ErrorCode.SYMLINK),
    Kind.OTHER: Refused(ErrorCode.NOT_A_FILE),
    Kind.UNREADABLE: Refused(ErrorCode.READ_FAILED),
}

_UNREAD: Final = {
    Why.NOT_FOUND: ErrorCode.NOT_FOUND,
    Why.LINK: ErrorCode.SYMLINK,
    Why.UNREADABLE: ErrorCode.READ_FAILED,
}


@dataclass(frozen=True)
class LeftOut:
    """What a path is that is left out by rule."""


@dataclass(frozen=True)
class Import:
    """A folder that is ready to be imported."""

    folder: Folder
    manifest: Manifest
    hidden: bool

    @classmethod
    def of(cls, folder: Folder, *, hidden: bool) -> "Import":
        """The import of `folder`; with `hidden`, of names that begin with a dot, and of what is below them, too.

        Raises:
            BadFolder: its manifest can't be used.
        """
        return cls(folder, read_manifest(folder), hidden)

    def count(self) -> int:
        """How many paths there are to look at."""
        return len(self.manifest.paths) + sum(1 for _ in self._others())

    def into(self, engine: Engine, user: str) -> Iterator[tuple[str, Put | Refused | LeftOut]]:
        """Save each file, and give its path with what was done once that is committed: first those of the manifest, then all others.

        A file that isn't in the manifest has its path for its name.

        Raises:
            Refused: a code of `STORE_AWAY`; what was given until then is saved.
            BadFolder: the manifest was changed meanwhile.
        """
        for line in self.manifest:
            yield line.path, self._saved(engine, user, line.path, line.file_name, line.metadata)
        for path, kind in self._others():
            if kind is Kind.GIT or (not self.hidden and _is_hidden(path)):
                yield path, LeftOut()
            elif kind in _SKIPPED:
                yield path, _SKIPPED[kind]
            elif path in self.manifest.names:
                yield path, Refused(ErrorCode.DUPLICATE_NAME, message="The manifest has another file of that name.")
            else:
                yield path, self._saved(engine, user, path, path, None)

    def _others(self) -> Iterator[tuple[str, Kind]]:
        return ((path, kind) for path, kind in walk(self.folder.root) if path not in self.manifest.paths)

    def _saved(self, engine: Engine, user: str, path: str, name: str, metadata: FileMetadata | None) -> Put | Refused:
        try:
            code = self._text(path)
            with writing_own(engine, user) as own:
                return put_file(own, name, code, metadata)
        except Refused as refused:
            if refused.code in STORE_AWAY:
                raise
            return refused

    def _text(self, path: str) -> str:
        """The file's text, exactly: neither its line ends nor a byte order mark are touched.

        Raises:
            Refused: `not_found`, `symlink`, `read_failed`, `code_too_large` or `not_utf8`.
        """
        most = settings().max_code_size
        try:
            return self.folder.read(path, most * _BYTES_OF_A_CHARACTER).decode()
        except CantRead as cant:
            if cant.why is Why.TOO_LARGE:
                raise Refused(ErrorCode.CODE_TOO_LARGE, max=most) from cant
            raise Refused(_UNREAD[cant.why]) from cant
        except UnicodeDecodeError as error:
            raise Refused(ErrorCode.NOT_UTF8, message="It is no text in UTF-8, and only text can be saved.") from error


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))
