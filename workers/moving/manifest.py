"""The manifest of an exported folder: JSON Lines that say which file has which name and metadata. Without one, a path is a name.

A folder holds a whole export when it has the manifest, and not the one that an export is still writing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import fdopen
from typing import Annotated, Any, BinaryIO, Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from shared.answer import render
from shared.limits import MAX_PATH_CHARS
from shared.store_limits import MAX_DESCRIPTION_CHARS, MAX_FILE_NAME_CHARS, MAX_LANGUAGE_CHARS, MAX_TAG_CHARS, MAX_TAGS
from workers.folder import CantRead, Folder, Why
from workers.moving.paths import OWN_FOLDER, is_relative
from workers.store.put_file import FileMetadata
from workers.store.records import iso_time

MANIFEST: Final = f"{OWN_FOLDER}/files.jsonl"
"""Its path in the folder."""

UNFINISHED: Final = f"{MANIFEST}.part"
"""The same, of an export that hasn't ended."""

MAX_LINE_BYTES: Final = 128 * 1024
"""Bytes of one line. The longest that an export writes has every character of its texts escaped to six bytes: 77 KB."""


class BadFolder(Exception):  # noqa: N818 - the person's matter and no error of ours
    """A folder can't be what it is given as; the message says why."""


class Line(BaseModel):
    """One file of the folder, all of it: there are no defaults, so that a line is what the file will be."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    path: Annotated[str, Field(max_length=MAX_PATH_CHARS)]
    file_name: Annotated[str, Field(max_length=MAX_FILE_NAME_CHARS)]
    language: Annotated[str, Field(min_length=1, max_length=MAX_LANGUAGE_CHARS)]
    description: Annotated[str, Field(max_length=MAX_DESCRIPTION_CHARS)]
    tags: Annotated[list[Annotated[str, Field(max_length=MAX_TAG_CHARS)]], Field(max_length=MAX_TAGS)]
    favorited_at: AwareDatetime | None

    @property
    def metadata(self) -> FileMetadata:
        """What the store is told of the file."""
        since = None if self.favorited_at is None else int(self.favorited_at.timestamp())
        return FileMetadata(self.language, self.description, self.tags, since)


def written(path: str, row: Any) -> bytes:
    """The line of the file at `path`, its end included: `row` has `FILE_COLUMNS`."""
    known = {"language": row.language, "description": row.description, "tags": row.tags, "favorited_at": iso_time(row.favorited_at)}
    return render({"path": path, "file_name": row.name, **known}) + b"\n"


@dataclass(frozen=True)
class Manifest:
    """A manifest that has been looked through once. Paths and names are held, the lines are read again."""

    folder: Folder
    paths: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[Line]:
        """Its lines in their order: the file that was changed first comes first.

        Raises:
            BadFolder: it has been changed since.
        """
        return _lines(self.folder) if self.paths else iter(())


def read_manifest(folder: Folder) -> Manifest:
    """The manifest of `folder`, an empty one if it has none.

    Raises:
        BadFolder: an export into the folder hasn't ended, or a line is none, or two are about one path or name.
    """
    if (folder.root / UNFINISHED).exists():
        raise BadFolder("an export into it has not ended; run that again first")
    paths: set[str] = set()
    names: set[str] = set()
    for number, line in enumerate(_lines(folder), 1):
        if line.path in paths or line.file_name in names:
            raise BadFolder(f"line {number} of {MANIFEST} is about a path or name that another line is about")
        paths.add(line.path)
        names.add(line.file_name)
    return Manifest(folder, frozenset(paths), frozenset(names))


def _lines(folder: Folder) -> Iterator[Line]:
    with _opened(folder) as lines:
        if lines is None:
            return
        number = 0
        while text := lines.readline(MAX_LINE_BYTES + 1):
            number += 1
            try:
                line = Line.model_validate_json(text) if len(text) <= MAX_LINE_BYTES else None
            except ValidationError:
                line = None
            if line is None or not is_relative(line.path):
                raise BadFolder(f"line {number} of {MANIFEST} is not one that an export writes")
            yield line


@contextmanager
def _opened(folder: Folder) -> Iterator[BinaryIO | None]:
    try:
        lines = fdopen(folder.open(MANIFEST), "rb")
    except (CantRead, OSError) as error:
        if not isinstance(error, CantRead) or error.why is not Why.NOT_FOUND:
            raise BadFolder(f"{MANIFEST} can't be read") from error
        yield None
        return
    with lines:
        yield lines
