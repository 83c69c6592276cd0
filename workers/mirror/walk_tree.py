"""Every file of one commit, in the order of `git ls-tree -r`."""

from collections.abc import Iterator
from dataclasses import dataclass

import pygit2
from pygit2.enums import FileMode

from shared.errors import ErrorCode, Refused
from shared.limits import TREE_ENTRIES_MAX
from workers.mirror.failures import read_failed


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A path in a commit: a file, a symbolic link or a submodule."""

    path: bytes
    """The path as git stores it; mostly, but not always, UTF-8."""
    id: pygit2.Oid
    is_submodule: bool

    @property
    def shown(self) -> str:
        """The path as an answer shows it: bytes that aren't UTF-8 become U+FFFD (TREE-42)."""
        return self.path.decode("utf-8", "replace")


def walk_tree(mirror: pygit2.Repository, repo: str, tree_id: pygit2.Oid) -> Iterator[TreeFile]:
    """All files below the tree, depth first.

    Raises:
        SyncMayExplain: `read_failed` when a tree is missing or corrupt.
        Refused: `resource_limit` after `TREE_ENTRIES_MAX` files and folders.
    """
    try:
        yield from _below(mirror, tree_id, b"")
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "a folder of that commit is missing or damaged") from error


def _below(mirror: pygit2.Repository, tree_id: pygit2.Oid, root: bytes) -> Iterator[TreeFile]:
    # A stack and no recursion: a hostile tree may be deeper than Python's.
    open_folders = [(root, iter(mirror[tree_id].peel(pygit2.Tree)))]
    visited = 0
    while open_folders:
        folder, entries = open_folders[-1]
        for entry in entries:
            visited += 1
            if visited > TREE_ENTRIES_MAX:
                raise Refused(ErrorCode.RESOURCE_LIMIT, message=f"The tree has more than {TREE_ENTRIES_MAX} files and folders.")
            path = folder + (entry.raw_name or b"")
            if entry.filemode == FileMode.TREE:
                open_folders.append((path + b"/", iter(mirror[entry.id].peel(pygit2.Tree))))
                break
            yield TreeFile(path, entry.id, is_submodule=entry.filemode == FileMode.COMMIT)
        else:
            open_folders.pop()
