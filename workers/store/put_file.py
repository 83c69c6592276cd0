"""Bringing a saved file to a given text, whatever it is now: how whole folders are saved."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from workers.store.files import find
from workers.store.text import check_storable
from workers.store.transaction import OwnRows
from workers.store.write_files import add_version, create_file, describe_file, favor_file


class Put(StrEnum):
    """What was done."""

    CREATED = "created"
    """There was no active file of the name."""
    NEW_VERSION = "new_version"
    """Its text was another one."""
    DESCRIBED = "described"
    """Its text was this one, and its metadata were changed."""
    UNCHANGED = "unchanged"
    """It was so already."""


@dataclass(frozen=True)
class FileMetadata:
    """What is known of a file beside its name and text."""

    language: str
    description: str
    tags: Sequence[str]
    favorited_at: int | None
    """Unix time in seconds; None is no favourite."""

    @classmethod
    def of(cls, row: Any) -> "FileMetadata":
        """Those of a version: `row` has `FILE_COLUMNS`."""
        return cls(row.language, row.description, row.tags, row.favorited_at)


def put_file(own: OwnRows, name: str, code: str, metadata: FileMetadata | None = None) -> Put:
    """Let the newest version of the file of that name have this text, and these metadata unless None.

    Without metadata, a new file has those of its name, and one that exists keeps its own. The versions before stay as they are (PLT-11).

    Raises:
        Refused: the codes of `create_file` on name, text and metadata; nothing is written then.
    """
    current = find(own, name)
    if current is None:
        _create(own, name, code, metadata)
        return Put.CREATED
    changed = current.code != code
    if changed:
        check_storable(code=code)
        add_version(own, current, code)
    if metadata is None or metadata == FileMetadata.of(current.row):
        return Put.NEW_VERSION if changed else Put.UNCHANGED
    describe_file(own, name, description=metadata.description, tags=metadata.tags, language=metadata.language)
    favor_file(own, name, metadata.favorited_at)
    return Put.NEW_VERSION if changed else Put.DESCRIBED


def _create(own: OwnRows, name: str, code: str, metadata: FileMetadata | None) -> None:
    if metadata is None:
        create_file(own, name, code)
        return
    create_file(own, name, code, language=metadata.language, description=metadata.description, tags=metadata.tags)
    if metadata.favorited_at is not None:
        favor_file(own, name, metadata.favorited_at)
