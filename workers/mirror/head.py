"""One commit of a mirror, for who looks at many of its files: which there are, and their objects by id."""

from collections.abc import Iterator
from dataclasses import dataclass

import pygit2

from workers.mirror.changes import Change, changed_ranges
from workers.mirror.failures import read_failed
from workers.mirror.walk_tree import TreeFile, walk_tree


@dataclass(frozen=True)
class Head:
    """The commit `commit` of the mirror of `repo`."""

    mirror: pygit2.Repository
    repo: str
    commit: pygit2.Commit

    @property
    def commit_id(self) -> str:
        """The commit's full id in hexadecimal."""
        return str(self.commit.id)

    def files(self) -> Iterator[TreeFile]:
        """See `walk_tree`."""
        return walk_tree(self.mirror, self.repo, self.commit.tree_id)

    def size(self, blob_id: str) -> int:
        """Bytes of a blob, from the object's header.

        Raises:
            SyncMayExplain: `read_failed` when it is missing or corrupt.
        """
        try:
            return int(self.mirror.odb.read_header(pygit2.Oid(hex=blob_id))[1])
        except (pygit2.GitError, KeyError, ValueError, OSError) as error:
            raise read_failed(self.repo, "an object of that commit is missing or damaged") from error

    def read(self, blob_id: str) -> bytes:
        """A blob's bytes, all of them; the caller has judged its size first.

        Raises:
            SyncMayExplain: `read_failed` when it is missing or corrupt.
        """
        try:
            return bytes(self.mirror.read(pygit2.Oid(hex=blob_id))[1])
        except (pygit2.GitError, KeyError, ValueError, OSError) as error:
            raise read_failed(self.repo, "an object of that commit is missing or damaged") from error

    def changed_ranges(self, change: Change, context: int) -> list[tuple[int, int]]:
        """See `changes.changed_ranges`."""
        return changed_ranges(self.mirror, self.repo, change, context)
