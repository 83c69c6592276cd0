"""Bringing one mirror up to date with its remote: fetched, its lines counted, its search copy made. The record is the caller's to write."""

import time
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import structlog
from sqlalchemy import Engine

from shared.database import line_index
from shared.database.line_index import Changes
from shared.database.repositories import Repository
from shared.errors import Refused
from shared.settings import Settings
from shared.tasks import GIT_CLONE_TIMEOUT_S, GIT_FETCH_TIMEOUT_S, SYNC_REPOSITORY
from workers.mirror.count_lines import Counted, count_changes
from workers.mirror.git_process import GitFailed
from workers.mirror.mirror_folder import MirrorFolder, default_commit, is_damaged, pack_refs, set_head
from workers.mirror.open_mirror import open_mirror
from workers.mirror.remote import Remote, RemoteHead, credentials_for
from workers.mirror.search_copies import SearchCopies
from workers.mirror.sync_lock import SyncLock

log = structlog.get_logger()

_AFTER_CLONE_S: Final = 30.0
"""Seconds of the sync's soft limit that a clone leaves for the rest."""


class SyncFailed(Exception):  # noqa: N818 - an ordinary end of a sync
    """The sync can't do what the operator asked for; the message says why and is fit for the record."""


@dataclass(frozen=True)
class Synced:
    """How a sync that succeeded found the repository."""

    found: dict[str, Any]
    """Columns of the record."""
    changes: Changes | None
    """Changes of the line index, of the same commit as the record; None when nothing was fetched."""


class MirrorSync:
    """One sync of one repository, for whom holds its lock."""

    def __init__(self, settings: Settings, engine: Engine, repository: Repository, lock: SyncLock) -> None:
        """`repository` is the record as it stood once the lock was taken."""
        self._settings = settings
        self._engine = engine
        self._repository = repository
        self._lock = lock
        self._folder = MirrorFolder(settings.mirrors_dir, repository.name, lock.sync_id)
        self._copies = SearchCopies(settings.search_dir, repository.name, self._folder.path, lock)
        self._remote = Remote(repository.address, settings.protocols, credentials_for(repository.address, settings))
        self._until = time.monotonic() + SYNC_REPOSITORY.soft_s - _AFTER_CLONE_S

    def run(self, *, force: bool) -> Synced:
        """Clone, fetch, or find that nothing changed (PLT-114, PLT-115); count lines; keep the search copy. `force` fetches in any case.

        Raises:
            GitFailed: the remote or the disk; the mirror that was there before can still be read.
            SyncFailed: the pinned branch isn't there.
            LockLost: another sync has the repository now.
            SyncMayExplain: a mirror that was cloned just now can't be read.
            OSError: the disk.
        """
        synced = self._bring_up_to_date(force=force)
        mirror = open_mirror(self._settings.mirrors_dir, self._repository.name)
        self._copies.keep(mirror, default_commit(mirror, self._repository.name), self._until)
        return synced

    def _bring_up_to_date(self, *, force: bool) -> Synced:
        self._folder.remove_leftovers()
        self._lock.tick("Asking the remote", None)
        head = self._remote.head(self._repository.pinned_branch)
        usable = self._folder.is_usable()
        if usable and not force and self._is_unchanged(head):
            return Synced({"sync_status": "ok", "sync_error": None}, None)
        if usable:
            try:
                return self._update(head)
            except _Damaged as damaged:
                log.warning("mirror_damaged", repo=self._repository.name, sync_id=self._lock.sync_id, reason=str(damaged))
        return self._clone(head)

    def _is_unchanged(self, head: RemoteHead) -> bool:
        """Whether a sync by schedule may skip the fetch: the default branch is where the last sync that succeeded left it (PLT-114)."""
        known = self._repository
        return (
            known.sync_status == "ok"
            and head.commit is not None
            and head.branch == known.default_branch
            and head.commit == known.last_synced_sha == self._mirrored_commit()
        )

    def _mirrored_commit(self) -> str | None:
        """The commit of the mirror's default branch; None when there is none or it can't be read."""
        try:
            commit = default_commit(open_mirror(self._settings.mirrors_dir, self._repository.name), self._repository.name)
        except Refused:
            return None
        return None if commit is None else str(commit.id)

    def _update(self, head: RemoteHead) -> Synced:
        """Fetch into the mirror that is there.

        Raises:
            _Damaged: it must be cloned anew.
        """
        try:
            self._remote.fetch(self._folder.path, head, timeout_s=GIT_FETCH_TIMEOUT_S, on_stderr=self._lock.watch("Fetching"))
        except GitFailed as failed:
            self._folder.discard_halves()
            if failed.exit_code is not None and is_damaged(self._folder.path):
                raise _Damaged(failed.reason) from failed
            raise
        set_head(self._folder.path, head)
        self._folder.repack_when_scattered(self._lock)
        try:
            return self._found(head)
        except Refused as refused:
            raise _Damaged(str(refused.fields.get("message"))) from refused

    def _clone(self, head: RemoteHead) -> Synced:
        """Fetch into a new folder beside, and put it in the mirror's place when it is whole (PLT-115)."""
        try:
            new = self._folder.make_new()
            timeout_s = min(GIT_CLONE_TIMEOUT_S, self._until - time.monotonic())
            self._remote.fetch(new, head, timeout_s=timeout_s, on_stderr=self._lock.watch("Cloning"))
            set_head(new, head)
            pack_refs(new)
            self._folder.swap_in(self._lock)
        finally:
            self._folder.discard_new()
        return self._found(head)

    def _found(self, head: RemoteHead) -> Synced:
        """Count the lines of the default branch as it is in the mirror now.

        Raises:
            SyncFailed: the pinned branch is not among the branches.
            SyncMayExplain: `read_failed` when an object of its commit can't be read.
        """
        mirror = open_mirror(self._settings.mirrors_dir, self._repository.name)
        commit = default_commit(mirror, self._repository.name)
        if commit is None and self._repository.pinned_branch is not None and mirror.raw_listall_references():
            raise SyncFailed(f"The remote has no branch {self._repository.pinned_branch!r}, which this repository was added with.")
        known = line_index.known_blobs(self._engine, self._repository.id)
        if commit is None:
            counted = Counted(0, Changes(list(known), []))
        else:
            tick = partial(self._lock.tick, "Counting lines", None)
            counted = count_changes(mirror, self._repository.name, commit.tree_id, known, tick)
        found = {
            "default_branch": head.branch,
            "last_synced_sha": None if commit is None else str(commit.id),
            "total_files": counted.total_files,
            "last_sync_time": int(time.time()),
            "sync_status": "ok",
            "sync_error": None,
        }
        return Synced(found, counted.changes)


class _Damaged(Exception):  # noqa: N818
    """The mirror must be cloned anew."""
