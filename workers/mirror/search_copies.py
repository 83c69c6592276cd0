"""The search copies of a repository: one of the default branch's commit, kept by the sync, replaced when the branch moves on.

`search_copy.py` makes one, `search_folder.py` says how a search finds it. What is there is never changed: a copy is made beside and renamed
when it is whole. A new commit takes over the packs of the copy before it and adds what changed.
"""

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pygit2
import structlog

from shared.errors import Refused
from shared.tasks import SEARCH_COPY_TIMEOUT_S
from workers.mirror.failures import read_failed
from workers.mirror.git_process import GitFailed, GitOutOfMemory
from workers.mirror.search_copy import make_copy
from workers.mirror.search_folder import IN_USE, copies_of, copy_path, move_away_unless_used
from workers.mirror.sync_lock import SyncLock
from workers.mirror.trigrams import TrigramKeeper
from workers.mirror.walk_tree import walk_tree

log = structlog.get_logger()

SEARCH_COPY_MAX_BYTES: Final = 2 * 1024 * 1024 * 1024
"""Bytes of all files of a commit up to which a copy of it is kept; a larger repository is searched in its mirror. A copy takes that much
disk, and half as much again before it is packed anew. One of 520 MB was made in 7 s and searched in 0.5 s on 2026-12-01 (`infra/bench`,
`search`), so one at the ceiling takes about 30 s and 2 s."""

SEARCH_COPY_MAX_PACKS: Final = 20
"""Packs a copy may have before it is made anew from the mirror; each new commit adds one, and a search asks them one by one."""

_OUTGROWN: Final = 1.5
"""How many times the bytes of the commit's files the packs may take, with what earlier commits left, before the copy is made anew."""

_FREE_BYTES_LEFT: Final = 1024 * 1024 * 1024
"""Bytes of the disk that a copy leaves free: the database and the mirrors need room, a copy can be done without. With less than that, no
trigrams are added either; those of a copy at the ceiling take half of it."""

_TOO_LARGE: Final = "too-large"
"""The suffix of an empty file that stands in a copy's place when its commit is over the ceiling, so that no later pass adds it up again."""


class SearchCopies:
    """The search copies of one repository, for the sync that holds its lock."""

    def __init__(self, search_dir: Path, name: str, mirror: Path, lock: SyncLock) -> None:
        """`mirror` is the git directory that they are made from; `name` must have passed `check_repo_name`."""
        self._copies = copies_of(search_dir.absolute(), name)
        self._name = name
        self._mirror = mirror
        self._lock = lock

    def keep(self, mirror: pygit2.Repository, commit: pygit2.Commit | None, until: float) -> None:
        """Have a whole copy of `commit`, the default branch's, and of no other; `until` is the monotonic second to be done by.

        That it can't be made is logged and no more: the mirror is searched then. A mirror that lacks an object of the commit has no copy,
        so that its searches go on saying so.

        Raises:
            LockLost: another sync has the repository now.
        """
        try:
            self._remove_all_but(commit)
            if commit is None:
                return
            if not self._is_settled(commit):
                self._make(mirror, commit, until)
                self._remove_all_but(commit)
            if copy_path(self._copies, str(commit.id)).exists() and self._has_room(0):
                TrigramKeeper(self._copies, self._name, self._lock).keep(mirror, commit, until)
        except (GitFailed, Refused, OSError, MemoryError, pygit2.GitError) as failed:
            log.warning("search_copy_failed", repo=self._name, sync_id=self._lock.sync_id, reason=_reason(failed))
            self._discard_unfinished()

    def remove(self) -> None:
        """Remove everything, as far as it can be: the repository is being forgotten. What stays is found by no search of another commit."""
        shutil.rmtree(self._copies, ignore_errors=True)

    def _is_settled(self, commit: pygit2.Commit) -> bool:
        """Whether there is a copy, or the note that there will be none."""
        return (self._copies / f"{commit.id}.git" / IN_USE).exists() or (self._copies / f"{commit.id}.{_TOO_LARGE}").exists()

    def _make(self, mirror: pygit2.Repository, commit: pygit2.Commit, until: float) -> None:
        began = time.monotonic()
        timeout_s = min(SEARCH_COPY_TIMEOUT_S, until - began)
        self._copies.mkdir(parents=True, exist_ok=True)
        files_bytes = self._add_up(mirror, commit)
        if files_bytes > SEARCH_COPY_MAX_BYTES:
            log.info("search_copy_too_large", repo=self._name, files_bytes=files_bytes, ceiling=SEARCH_COPY_MAX_BYTES)
            (self._copies / f"{commit.id}.{_TOO_LARGE}").touch()
            self._remove_copies()
            return
        if not self._has_room(files_bytes):
            self._remove_copies()  # then it is made afresh, which takes time and no more disk than is there
            if not self._has_room(files_bytes):
                log.warning("search_copy_no_room", repo=self._name, files_bytes=files_bytes)
                return
        if timeout_s <= 0:
            log.warning("search_copy_no_time", repo=self._name)
            return
        new = self._copies / f".{commit.id}.{self._lock.sync_id}.tmp"
        packs, on_stderr = self._packs_to_take_over(files_bytes), self._lock.watch("Preparing search")
        kept = make_copy(new, self._mirror, str(commit.id), packs, timeout_s=timeout_s, on_stderr=on_stderr)
        self._lock.renew()
        new.rename(copy_path(self._copies, str(commit.id)))
        seconds = round(time.monotonic() - began, 3)
        log.info("search_copy_made", repo=self._name, commit=str(commit.id), files_bytes=files_bytes, packs_kept=kept, seconds=seconds)

    def _has_room(self, files_bytes: int) -> bool:
        return shutil.disk_usage(self._copies).free >= files_bytes + _FREE_BYTES_LEFT

    def _add_up(self, mirror: pygit2.Repository, commit: pygit2.Commit) -> int:
        """Bytes of the commit's files, each content once.

        Raises:
            SyncMayExplain: `read_failed` when an object is missing.
        """
        sizes: dict[pygit2.Oid, int] = {}
        for file in walk_tree(mirror, self._name, commit.tree_id):
            self._lock.tick("Preparing search", None)
            if file.is_submodule or file.id in sizes:
                continue
            try:
                sizes[file.id] = mirror.odb.read_header(file.id)[1]
            except (pygit2.GitError, KeyError, ValueError, OSError) as error:
                raise read_failed(self._name, "a file's object is missing or damaged") from error
        return sum(sizes.values())

    def _packs_to_take_over(self, files_bytes: int) -> list[Path]:
        """The packs of the copy that is there, if they are few and small enough; none to begin afresh."""
        # Two copies are there when a search was in the older one; the newer has its packs too.
        packs = list({pack.name: pack for copy in self._whole_copies() for pack in (copy / "objects" / "pack").glob("*.pack")}.values())
        small = sum(pack.stat().st_size for pack in packs) <= files_bytes * _OUTGROWN
        return packs if small and len(packs) <= SEARCH_COPY_MAX_PACKS else []

    def _whole_copies(self) -> Iterator[Path]:
        """The copies that searches can find, of any commit."""
        return self._copies.glob("[0-9a-f]*.git")

    def _remove_copies(self) -> None:
        for copy in self._whole_copies():
            self._remove_copy(copy)

    def _remove_all_but(self, commit: pygit2.Commit | None) -> None:
        """Remove what killed syncs left, damaged copies, and those of other commits once there is one of `commit`, which they help to make.

        One that a search is in stays until the next sync.

        Raises:
            OSError: something can't be removed.
        """
        settled = commit is None or self._is_settled(commit)
        for found in self._copies.glob(".*"):
            _remove(found)
        for found in (*self._whole_copies(), *self._copies.glob(f"*.{_TOO_LARGE}")):
            if commit is not None and found.name.startswith(str(commit.id)):
                continue
            if found.suffix != ".git":
                found.unlink()
            elif settled:
                self._remove_copy(found)

    def _remove_copy(self, copy: Path) -> None:
        moved = move_away_unless_used(copy)
        if moved is None:
            log.info("search_copy_in_use", repo=self._name, copy=copy.name)
        else:
            _remove(moved)

    def _discard_unfinished(self) -> None:
        """Remove what was begun, as far as it can be: it may have taken all that the disk had left."""
        for left in self._copies.glob(".*"):
            with suppress(OSError):
                _remove(left)


def _reason(failed: Exception) -> str:
    match failed:
        case GitFailed() | GitOutOfMemory():
            return failed.reason
        case OSError():
            return failed.strerror or type(failed).__name__
        case _:
            return type(failed).__name__


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
