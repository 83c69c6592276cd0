"""The folder of one mirror on the disk: made beside and swapped in whole, cleaned of what killed syncs left, judged usable or not.

Whoever calls anything here but `is_usable` holds the sync's lock of that repository.
"""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

import pygit2
import structlog
from pygit2.references import References

from shared.errors import Refused
from shared.tasks import GIT_LOCAL_TIMEOUT_S, GIT_REPACK_TIMEOUT_S
from workers.mirror.failures import read_failed
from workers.mirror.git_process import GitFailed, GitOutOfMemory, run_git
from workers.mirror.memory import mirror_path
from workers.mirror.open_mirror import open_mirror
from workers.mirror.remote import RemoteHead
from workers.mirror.sync_lock import SyncLock

log = structlog.get_logger()

MAX_PACKS: Final = 20
"""Packs a mirror may have before a sync packs them into one. Each fetch leaves one, and a read of an object asks them one by one."""

CRUFT_EXPIRES: Final = "2.weeks.ago"
"""How long objects stay that no ref leads to any more: a session keeps reading its commit after a forced push (RCC-46)."""

FSCK_TIMEOUT_S: Final = 60
"""Seconds to look for damage after a failed fetch: enough for a million objects, and a clone still fits into the sync's time."""

NO_DEFAULT_BRANCH: Final = "refs/heads/codekeeper/no-default-branch"
"""What HEAD names in a mirror whose remote names no branch: a ref that isn't there, so that a read without `ref` is `ref_not_mirrored`."""

_LEFT_BY_A_KILLED_GIT: Final = ("*.lock", "refs/**/*.lock", "objects/**/tmp_*", "objects/pack/*.keep")
"""What git removes at its end, and can't when it is killed. No ref is named `*.lock`; the sync's lock says that no other git writes."""


class MirrorFolder:
    """Where the mirror of one repository is, or will be."""

    def __init__(self, mirrors_dir: Path, name: str, sync_id: str) -> None:
        """`name` must have passed `check_repo_name`; `sync_id` names what this sync puts beside the mirror."""
        # Git runs in another working directory.
        self._mirrors_dir = mirrors_dir.absolute()
        self._name = name
        self.path = mirror_path(self._mirrors_dir, name)
        self._new = self._mirrors_dir / f".{name}.{sync_id}.tmp"
        self._old = self._mirrors_dir / f".{name}.{sync_id}.old"

    def remove_leftovers(self) -> None:
        """Remove what killed syncs of this repository left: folders beside the mirror, git's lock files and half-written packs within.

        Raises:
            OSError: something there can't be removed.
        """
        self._mirrors_dir.mkdir(parents=True, exist_ok=True)
        # A name holds no dot, so the pattern meets no other repository's folders.
        for folder in (*self._mirrors_dir.glob(f".{self._name}.*.tmp"), *self._mirrors_dir.glob(f".{self._name}.*.old")):
            log.info("leftover_removed", repo=self._name, folder=folder.name)
            with suppress(FileNotFoundError):  # a removal may still be at it
                _remove(folder)
        self._remove_halves()

    def discard_halves(self) -> None:
        """Remove what a git that failed left within the mirror, as far as it can be.

        It may have taken all that a disk had left. Then nothing could be written any more, and no sync begin: a sync's lock and its end are
        writes too, to a database that may be on the same disk.
        """
        with suppress(OSError):
            self._remove_halves()

    def _remove_halves(self) -> None:
        for pattern in _LEFT_BY_A_KILLED_GIT:
            for left in self.path.glob(pattern):
                _remove(left)

    def is_usable(self) -> bool:
        """Whether there is a mirror that can be opened, has the object of every ref, and the commit of its default branch whole."""
        if not self.path.is_dir():
            return False
        try:
            mirror = open_mirror(self._mirrors_dir, self._name)
            default_commit(mirror, self._name)
            return all(_leads_somewhere(reference, mirror) for reference in References(mirror).iterator())
        except (Refused, pygit2.GitError, KeyError, ValueError, OSError) as error:
            log.warning("mirror_unusable", repo=self._name, why=type(error).__name__)
            return False

    def make_new(self) -> Path:
        """An empty bare repository beside the mirror, for `swap_in`.

        Raises:
            GitFailed: git could not make it.
        """
        run_git("init", "--quiet", "--bare", "--template=", "--initial-branch=main", git_dir=self._new, timeout_s=GIT_LOCAL_TIMEOUT_S)
        return self._new

    def swap_in(self, lock: SyncLock) -> None:
        """Put what `make_new` began in the mirror's place, by one rename; what was there is moved aside first and removed after.

        Raises:
            LockLost: another sync has the repository now; nothing has been moved.
            OSError: a folder can't be moved.
        """
        lock.renew()
        if self.path.exists():
            self.path.rename(self._old)
        self._new.rename(self.path)
        self.remove_moved()

    def move_away(self) -> None:
        """Take the mirror out of its place by one rename, for `remove_moved` or `move_back`.

        Raises:
            OSError: the folder can't be moved.
        """
        if self.path.exists():
            self.path.rename(self._old)

    def move_back(self) -> None:
        """Undo `move_away`.

        Raises:
            OSError: the folder can't be moved.
        """
        if self._old.exists():
            self._old.rename(self.path)

    def discard_new(self) -> None:
        """Remove what `make_new` began and `swap_in` didn't take; what can't be removed now, the next sync's `remove_leftovers` will."""
        with suppress(OSError):
            _remove(self._new)

    def remove_moved(self) -> None:
        """Remove what `move_away` or `swap_in` took out of its place, as far as it can be."""
        with suppress(OSError):
            _remove(self._old)

    def repack_when_scattered(self, lock: SyncLock) -> None:
        """Pack refs, and more than `MAX_PACKS` packs into one; drop what no ref has led to since `CRUFT_EXPIRES`.

        That it fails is logged and no more: the mirror is whole without it.
        """
        packs = sum(1 for _ in self.path.glob("objects/pack/*.pack"))
        if packs <= MAX_PACKS:
            return
        arguments = ("repack", "-d", "--cruft", f"--cruft-expiration={CRUFT_EXPIRES}", "--no-write-bitmap-index", "--quiet")
        try:
            pack_refs(self.path)
            run_git(*arguments, git_dir=self.path, timeout_s=GIT_REPACK_TIMEOUT_S, on_stderr=lock.watch("Repacking"))
        except (GitFailed, GitOutOfMemory) as failed:
            log.warning("repack_failed", repo=self._name, packs=packs, reason=failed.reason)


def default_commit(mirror: pygit2.Repository, repo: str) -> pygit2.Commit | None:
    """The commit that HEAD leads to; None when it names a ref that isn't there.

    Raises:
        SyncMayExplain: `read_failed` when there is a ref and its commit is missing or damaged.
    """
    try:
        named = mirror.lookup_reference("HEAD").resolve().target
    except pygit2.NotFoundError:
        return None
    except (pygit2.GitError, ValueError, OSError) as error:
        raise read_failed(repo, "HEAD can't be read") from error
    try:
        return mirror[named].peel(pygit2.Commit)
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "the default branch's commit is missing or damaged") from error


def set_head(git_dir: Path, head: RemoteHead) -> None:
    """Let HEAD of the mirror in `git_dir` name what HEAD of its remote names: a branch, a mere commit, or nothing that is there.

    Raises:
        GitFailed: git refused the name or the commit.
    """
    if head.branch is None and head.commit is not None:
        arguments: tuple[str, ...] = ("update-ref", "--no-deref", "--end-of-options", "HEAD", head.commit)
    else:
        arguments = ("symbolic-ref", "HEAD", NO_DEFAULT_BRANCH if head.branch is None else f"refs/heads/{head.branch}")
    run_git(*arguments, git_dir=git_dir, timeout_s=GIT_LOCAL_TIMEOUT_S)


def pack_refs(git_dir: Path) -> None:
    """Put all refs into one file, as a clone does: a fetch makes a file of each, and a remote may have a ref for every pull request.

    Raises:
        GitFailed: git could not.
    """
    run_git("pack-refs", "--all", git_dir=git_dir, timeout_s=GIT_REPACK_TIMEOUT_S)


def is_damaged(git_dir: Path) -> bool:
    """Whether an object that a ref leads to, through all history, is missing or unreadable: asked after a fetch into `git_dir` failed.

    A mirror too large to be judged within `FSCK_TIMEOUT_S` counts as whole.
    """
    try:
        run_git("fsck", "--connectivity-only", "--no-dangling", "--no-progress", git_dir=git_dir, timeout_s=FSCK_TIMEOUT_S)
    except GitFailed as failed:
        return failed.exit_code is not None
    return False


def _remove(path: Path) -> None:
    """Remove a folder or a file; what is in the mirror's place may be either.

    Raises:
        OSError: something there can't be removed.
    """
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _leads_somewhere(reference: pygit2.Reference, mirror: pygit2.Repository) -> bool:
    return not isinstance(reference.target, pygit2.Oid) or reference.target in mirror
