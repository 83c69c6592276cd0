"""A commit's tree with some of its files only, for `git grep`: their paths and blobs as they are, so that a pathspec means the same."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from workers.filter.tree_pack import pack_of_trees, tree_id
from workers.filter.trigram_index import IndexedFile

_FOLDER: Final = b"40000"

_CONFIG: Final = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"


def write_tree(git_dir: Path, borrowed: Path, commit_id: str, files: Iterable[IndexedFile]) -> str:
    """Make a git directory at `git_dir`, an empty folder, of one tree with `files`; returns the tree's id.

    All other objects are those of the git directory `borrowed`, a repository of SHA-1 ids. HEAD is the commit, as it is there.

    Raises:
        OSError: the disk.
    """
    objects = git_dir / "objects"
    for folder in (objects / "info", objects / "pack", git_dir / "refs"):
        folder.mkdir(parents=True)
    (objects / "info" / "alternates").write_bytes(os.fsencode(borrowed.absolute() / "objects") + b"\n")
    (git_dir / "config").write_text(_CONFIG, encoding="ascii")
    (git_dir / "HEAD").write_text(f"{commit_id}\n", encoding="ascii")
    root: dict[bytes, Any] = {}
    for file in files:
        *folders, name = file.path.split(b"/")
        inner = root
        for folder_name in folders:
            inner = inner.setdefault(folder_name, {})
        inner[name] = file
    trees: dict[bytes, bytes] = {}
    oid = _add_tree(trees, root)
    pack, index = pack_of_trees(trees)
    (objects / "pack" / "pack-narrowed.pack").write_bytes(pack)
    (objects / "pack" / "pack-narrowed.idx").write_bytes(index)
    return oid.hex()


def _add_tree(trees: dict[bytes, bytes], folder: dict[bytes, Any]) -> bytes:
    """Put a folder's tree and those below it into `trees`; returns its id."""
    entries = []
    for name, entry in folder.items():
        if isinstance(entry, IndexedFile):
            entries.append((name, entry.mode, entry.oid))
        else:
            entries.append((name, _FOLDER, _add_tree(trees, entry)))
    entries.sort(key=lambda entry: entry[0] + b"/" if entry[1] == _FOLDER else entry[0])  # git's own order
    body = b"".join(b"%s %s\0%s" % (mode, name, oid) for name, mode, oid in entries)
    oid = tree_id(body)
    trees[oid] = body
    return oid
