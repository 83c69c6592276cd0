"""One file of one commit: found by walking the tree, measured before it is loaded."""

from dataclasses import dataclass

import pygit2
from pygit2.enums import FileMode

from shared.errors import ErrorCode, SyncMayExplain
from workers.mirror.failures import read_failed
from workers.mirror.resolve_ref import Resolved


@dataclass(frozen=True)
class BlobEntry:
    """A file or symbolic link in a commit's tree, not loaded yet."""

    id: pygit2.Oid
    size: int
    """Bytes of the blob, from the object's header."""
    is_link: bool
    """Whether the blob is a symbolic link's target text (GRF-72)."""


def find_blob(mirror: pygit2.Repository, repo: str, resolved: Resolved, path: str) -> BlobEntry:
    """The entry at `path`, taken literally, in the resolved commit.

    Raises:
        SyncMayExplain: `not_found` when there is none, or it is a folder or a submodule (REF-22, GRF-72); `read_failed` when
            an object on the way, or the blob itself, is missing or corrupt.
    """
    not_found = SyncMayExplain(ErrorCode.NOT_FOUND, ref=resolved.ref, resolved_commit=resolved.commit_id)
    try:
        entry: pygit2.Object = resolved.commit.tree
        for name in path.split("/"):
            if not isinstance(entry, pygit2.Tree) or name not in entry:
                raise not_found
            mode = (step := entry[name]).filemode
            if mode == FileMode.COMMIT:
                raise not_found
            entry = mirror[step.id] if mode == FileMode.TREE else step
        if isinstance(entry, pygit2.Tree):
            raise not_found
        _, size = mirror.odb.read_header(entry.id)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "an object of that commit is missing or damaged") from error
    return BlobEntry(entry.id, size, is_link=entry.filemode == FileMode.LINK)


def load_blob(mirror: pygit2.Repository, repo: str, entry: BlobEntry) -> bytes:
    """The blob's bytes, all of them; the caller has judged `entry.size` first.

    Raises:
        SyncMayExplain: `read_failed` when the object is missing or corrupt.
    """
    try:
        _, data = mirror.read(entry.id)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "the file's object is missing or damaged") from error
    return data
