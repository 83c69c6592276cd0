"""One file of one commit, read once: what the tools that show a file's content or its sections all begin with."""

from dataclasses import dataclass
from functools import cached_property

from workers.mirror.mirrors import Opened
from workers.mirror.read_blob import BlobEntry, find_blob, load_blob
from workers.reading.decode import body_and_encoding, decode, is_binary


@dataclass(frozen=True)
class LoadedFile:
    """A file and where it stands. What is made of its bytes is made at first use, and once."""

    repo: str
    path: str
    ref: str
    """The ref as answers name it."""
    commit_id: str
    entry: BlobEntry
    data: bytes | None
    """All bytes of it; None when it is larger than the ceiling that it was read under."""

    @cached_property
    def is_binary(self) -> bool:
        """Whether it has no text to show (REF-90). Only of a file that was read."""
        return is_binary(self._bytes)

    @cached_property
    def text_and_encoding(self) -> tuple[str, str]:
        """Its text without a byte order mark, and its encoding (REF-84). Only of a file that was read."""
        return decode(self._bytes)

    @cached_property
    def body_and_encoding(self) -> tuple[bytes, str]:
        """The bytes of that text, for who cuts a range out of them, and its encoding. Only of a file that was read."""
        return body_and_encoding(self._bytes)

    @property
    def _bytes(self) -> bytes:
        if self.data is None:
            raise ValueError("the file was not read")
        return self.data


def load_file(opened: Opened, path: str, ceiling: int) -> LoadedFile:
    """The file at `path`, with its bytes if they are at most `ceiling`.

    Raises:
        SyncMayExplain: what `find_blob` and `load_blob` raise.
    """
    resolved = opened.resolved
    entry = find_blob(opened.mirror, opened.repo, resolved, path)
    data = None if entry.size > ceiling else load_blob(opened.mirror, opened.repo, entry)
    return LoadedFile(opened.repo, path, resolved.ref, resolved.commit_id, entry, data)
