"""Where the files of a code context come from, as the plan sees it: a work tree or a commit, behind one protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol


class Reason(StrEnum):
    """Why something that was asked for can't be supplied, beside the index's own reasons (`Limit`) and those of a symbol."""

    NOT_FOUND = "not-found"
    """There is no file of that path: nothing, a folder, or a submodule."""
    LINK = "symbolic-link"
    """A symbolic link, or below one; `target` says where the link itself points (RCC-40, RCC-46)."""
    UNREADABLE = "unreadable"
    """The file is there, and the system doesn't let it be read."""
    TOO_LARGE = "resource-too-large"
    """It has more bytes than the call may still read (RCC-27)."""
    BINARY = "binary"
    """It has no text: see `is_binary`."""
    EXCLUDED = "security-excluded"
    """The secret policy or the scan keeps it back (RCC-41, RCC-46)."""
    RANGE = "range-out-of-bounds"
    """A range ends after the file's last line (RCC-7)."""


class Unavailable(Exception):  # noqa: N818 - an answer
    """Something that was asked for can't be supplied, so that the call supplies nothing (RCC-23)."""

    def __init__(self, reason: str, fields: Mapping[str, object] = MappingProxyType({}), *, bytes_read: int = 0) -> None:
        """`fields` are what the audit says of it; `bytes_read` is what had been read of the file by then."""
        super().__init__(reason)
        self.reason = str(reason)
        self.bytes_read = bytes_read
        self.fields = fields


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file, read whole."""

    data: bytes
    blob_id: str | None = None
    """The id under which what is made from these bytes may be kept; None where they have none."""


class Source(Protocol):
    """A root below which paths are read. Each read looks anew, unless the source is one commit (RCC-44)."""

    def described(self) -> Mapping[str, str]:
        """What the audit says of the source: on a mirror its `repo`, `ref` and `commit`."""

    def denies(self, path: str) -> bool:
        """Whether the source itself keeps this path back, whatever the secret policy says; nothing is opened for that."""

    def read(self, path: str, limit: int) -> SourceFile:
        """The file at that literal path, whole, when it has at most `limit` bytes; of a longer one at most one byte more is read.

        Raises:
            Unavailable: with one of the reasons from `not-found` to `resource-too-large`.
            Refused: a mirror can't be read at all.
        """
