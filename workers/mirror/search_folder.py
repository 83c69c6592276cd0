"""Where `git grep` looks: the search copy of a commit where there is a whole one, else the mirror itself.

`DATA_DIR/search/NAME/COMMIT.git` is a bare repository of that one commit, its objects neither compressed nor stored as deltas
(`search_copy.py` makes it). The ids are the same, so what git answers is the same bytes. Its name appears by one rename when it is whole,
and whoever searches in it holds a lock while they do, so that no sync removes it under them.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

log = structlog.get_logger()

IN_USE: Final = "in-use"
"""The file of a copy that a search locks for itself and others (`flock`, shared), and a removal for itself alone."""


@dataclass(frozen=True)
class SearchFolder:
    """A git directory that holds the commit."""

    git_dir: Path
    is_copy: bool
    """Whether it is the search copy. A git that fails here says nothing of the mirror: see `distrust`."""

    def distrust(self) -> None:
        """Let nobody search here again: git found the copy damaged. The next sync makes it anew; the caller searches the mirror.

        Nothing is done to a mirror, or to a copy that a sync has replaced meanwhile. Searches that are at it end as they end.
        """
        if not self.is_copy:
            return
        log.warning("search_copy_damaged", folder=str(self.git_dir))
        try:
            self.git_dir.rename(away(self.git_dir, "damaged"))
        except OSError:
            log.warning("search_copy_not_moved", folder=str(self.git_dir), exc_info=True)


def copies_of(search_dir: Path, name: str) -> Path:
    """The folder of everything that searches in the repository `name` use. The name must have passed `check_repo_name`."""
    return search_dir / name


def copy_path(copies: Path, commit_id: str) -> Path:
    """Where the copy of that commit is or would be."""
    return copies / f"{commit_id}.git"


def trigrams_path(copies: Path) -> Path:
    """Where the trigram index of the repository is or would be (`workers/filter/`)."""
    return copies / "trigrams.sqlite3"


def away(copy: Path, why: str) -> Path:
    """Where a copy goes that nobody may find any more; the sync that comes next removes it."""
    return copy.with_name(f".{copy.name}.{why}")


@contextmanager
def search_folder(search_dir: Path, mirror: Path, name: str, commit_id: str) -> Iterator[SearchFolder]:
    """The git directory to search in for `commit_id`, the full id that `name` was resolved to in `mirror`; it stays while this lasts.

    It never waits and never refuses: without a whole copy of exactly that commit, the mirror is the answer. When git finds a copy damaged
    (it fails, or complains of an object, and not for want of memory), call `distrust` and search once more: then the mirror decides.
    """
    copy = copy_path(copies_of(search_dir.absolute(), name), commit_id)
    held = _hold(copy)
    try:
        yield SearchFolder(mirror.absolute(), is_copy=False) if held is None else SearchFolder(copy, is_copy=True)
    finally:
        if held is not None:
            os.close(held)


def _hold(copy: Path) -> int | None:
    """The open file whose lock keeps `copy` where it is; None when there is none, or it is being removed."""
    try:
        held = os.open(copy / IN_USE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(held), (copy / IN_USE).stat()):  # else it was moved away between the two steps
            return held
    except OSError:
        log.info("search_copy_not_held", folder=str(copy))
    os.close(held)
    return None


def move_away_unless_used(copy: Path) -> Path | None:
    """Take `copy` out of its place by one rename and say where it is now; None, and nothing done, while a search is in it.

    Raises:
        OSError: it can't be moved.
    """
    target = away(copy, "old")
    try:
        held = os.open(copy / IN_USE, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:  # never a whole one, or it has gone meanwhile: no search is in it
        copy.rename(target)
        return target
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        copy.rename(target)
    except BlockingIOError:
        return None
    finally:
        os.close(held)
    return target
