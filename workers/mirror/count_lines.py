"""The line index of one commit: what changed against the rows that are there, each changed blob loaded and counted by itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pygit2
from pygit2.enums import ObjectType

from shared.database.line_index import MAX_INDEXED_PATH_BYTES, Changes
from shared.limits import RANGE_READ_MAX_BYTES
from workers.mirror.failures import read_failed
from workers.mirror.walk_tree import TreeFile, walk_tree
from workers.reading.decode import body_and_encoding, is_binary
from workers.reading.lines import count_index_lines


@dataclass(frozen=True)
class Counted:
    """What counting one commit found."""

    total_files: int
    """Entries of the commit that are no folders, as a tree's `total` counts them before the secret policy."""
    changes: Changes


def count_changes(
    mirror: pygit2.Repository, repo: str, tree_id: pygit2.Oid, known: Mapping[str, tuple[str, int | None]], tick: Callable[[], None]
) -> Counted:
    """Compare the tree with `known` (path to blob id and lines); `tick` is called once a file, and what it raises ends the count.

    At the most one blob is held at a time. Every blob of the tree that a call may load is read: a damaged mirror shows here.

    Raises:
        SyncMayExplain: `read_failed` when an object of the commit is missing or damaged.
    """
    lines_of_blob = dict(known.values())
    seen: set[str] = set()
    gone: list[str] = []
    rows: list[tuple[str, str, int | None]] = []
    total = 0
    for file in walk_tree(mirror, repo, tree_id):
        tick()
        total += 1
        if file.is_submodule:
            continue
        blob_id = str(file.id)
        if blob_id not in lines_of_blob:
            lines_of_blob[blob_id] = _lines(mirror, repo, file.id)
        else:
            _check(mirror, repo, file.id)
        path = _indexed_path(file)
        # A damaged or hostile tree may list a name twice; the first one is what a read finds.
        if path is None or path in seen:
            continue
        seen.add(path)
        if path in known:
            if known[path][0] == blob_id:
                continue
            gone.append(path)
        rows.append((path, blob_id, lines_of_blob[blob_id]))
    gone += known.keys() - seen
    return Counted(total, Changes(gone, rows))


def _check(mirror: pygit2.Repository, repo: str, blob_id: pygit2.Oid) -> None:
    """Read a blob whose lines are known already, so that damage shows; one that no call loads is only looked for."""
    try:
        _, size = mirror.odb.read_header(blob_id)
        if size <= RANGE_READ_MAX_BYTES:
            mirror.read(blob_id)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "a file's object is missing or damaged") from error


def _indexed_path(file: TreeFile) -> str | None:
    """The path under which a file has a row; None for one that isn't UTF-8 or is longer than the index takes."""
    try:
        return file.path.decode() if len(file.path) <= MAX_INDEXED_PATH_BYTES else None
    except UnicodeDecodeError:
        return None


def _lines(mirror: pygit2.Repository, repo: str, blob_id: pygit2.Oid) -> int | None:
    """Lines of a blob as the index counts them (TREE-40); None when it is binary or over `RANGE_READ_MAX_BYTES` (TREE-36, TREE-43)."""
    try:
        kind, size = mirror.odb.read_header(blob_id)
        if kind != ObjectType.BLOB or size > RANGE_READ_MAX_BYTES:
            return None
        _, data = mirror.read(blob_id)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "a file's object is missing or damaged") from error
    return None if is_binary(data) else count_index_lines(body_and_encoding(data)[0])
