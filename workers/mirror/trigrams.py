"""The sync's part of the filter: the trigram index of a repository is brought to the commit of its search copy."""

import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Final

import pygit2
import structlog

from shared.tasks import GIT_LOCAL_TIMEOUT_S, TRIGRAMS_TIMEOUT_S
from workers.filter import trigram_index
from workers.filter.trigram_index import MAX_INDEXED_BYTES, IndexedFile
from workers.mirror.failures import read_failed
from workers.mirror.git_process import run_git
from workers.mirror.search_folder import copy_path, trigrams_path
from workers.mirror.sync_lock import SyncLock

log = structlog.get_logger()

MIN_FILES: Final = 2_000
"""Files of a commit from which on an index is kept: one word over fewer takes git some 25 ms in the copy, about what the filter takes."""

_NOT_FILTERED: Final = "not-filtered"
"""An empty file in a copy whose commit is to have no index, so that no later pass lists its files again."""

_SYMBOLIC_LINK: Final = b"120000"


class TrigramKeeper:
    """The trigram index of one repository, for the sync that holds its lock."""

    def __init__(self, copies: Path, name: str, lock: SyncLock) -> None:
        self._copies = copies
        self._name = name
        self._lock = lock
        self._path = trigrams_path(copies)

    def keep(self, mirror: pygit2.Repository, commit: pygit2.Commit, until: float) -> None:
        """Add what the index lacks of `commit`, whose copy is there, till `TRIGRAMS_TIMEOUT_S` have passed or monotonic `until`.

        Blobs that are left over are candidates of every search until a later sync adds them. A damaged index is removed.

        Raises:
            GitFailed, GitOutOfMemory, SyncMayExplain: the copy or the mirror can't be read.
            LockLost: another sync has the repository now.
            OSError: the disk.
        """
        began = time.monotonic()
        commit_id = str(commit.id)
        try:
            without = copy_path(self._copies, commit_id) / _NOT_FILTERED
            if without.exists() or trigram_index.is_complete(self._path, commit_id):
                return
            files = self._files(commit_id)
            if files is None or len(files) < MIN_FILES:
                without.touch()
                return

            def load(oid: bytes) -> bytes | None:
                return self._load(mirror, oid)

            until = min(until, began + TRIGRAMS_TIMEOUT_S)
            tick = partial(self._lock.tick, "Preparing search", None)
            left = trigram_index.update(self._path, commit_id, files, load, until=until, tick=tick)
        except sqlite3.Error as error:
            log.warning("trigrams_failed", repo=self._name, sync_id=self._lock.sync_id, reason=str(error))
            if type(error) is sqlite3.DatabaseError:  # damaged, and not busy or out of room
                self._remove()
            return
        seconds = round(time.monotonic() - began, 3)
        log.info("trigrams_kept", repo=self._name, commit=commit_id, files=len(files), blobs_left=left, seconds=seconds)

    def _files(self, commit_id: str) -> list[IndexedFile] | None:
        """The regular files of the commit; None when its trees list a name twice, or a file and a folder of one name."""
        copy = copy_path(self._copies, commit_id)
        listed = run_git("ls-tree", "-r", "-z", "--full-tree", commit_id, git_dir=copy, timeout_s=10 * GIT_LOCAL_TIMEOUT_S)
        files = []
        paths: set[bytes] = set()
        folders: set[bytes] = set()
        entries = listed.split(b"\0")[:-1]
        for entry in entries:
            about, _, path = entry.partition(b"\t")
            mode, kind, oid = about.split(b" ")
            paths.add(path)
            folder = path.rpartition(b"/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder.rpartition(b"/")[0]
            if kind == b"blob" and mode != _SYMBOLIC_LINK:
                files.append(IndexedFile(path, mode, bytes.fromhex(oid.decode("ascii"))))
        return None if len(paths) < len(entries) or paths & folders else files

    def _load(self, mirror: pygit2.Repository, oid: bytes) -> bytes | None:
        try:
            name = pygit2.Oid(oid)
            return None if mirror.odb.read_header(name)[1] > MAX_INDEXED_BYTES else mirror.read(name)[1]
        except (pygit2.GitError, KeyError, ValueError, OSError) as error:
            raise read_failed(self._name, "a file's object is missing or damaged") from error

    def _remove(self) -> None:
        for left in self._copies.glob(f"{self._path.name}*"):
            left.unlink(missing_ok=True)
