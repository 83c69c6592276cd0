"""Opening a bare mirror for one call. The only folder that uses pygit2 is this one, and it opens nothing that is not a mirror.

A mirror holds packs only: libgit2 1.9 loops for ever on a loose object whose file was cut off, and has no such fault with packs.
The sync sees to that (`git.config`, `unpackLimit`).
"""

from pathlib import Path
from typing import Final

import pygit2
from pygit2.enums import ConfigLevel, RepositoryOpenFlag

from shared.errors import ErrorCode, SyncMayExplain
from workers.mirror.failures import read_failed
from workers.mirror.memory import WINDOW_BYTES, mirror_path
from workers.own_memory import MAPPED_BYTES

_COLLECTIONS: Final = ("branches", "references", "remotes", "submodules")
"""What pygit2 hangs onto a repository, each pointing back at it. With them it lives until the garbage collector comes by, and keeps its
packs mapped under their paths: a mirror that was cloned anew in its place would be read through the old ones."""


def configure_libgit2() -> None:
    """Small windows, and no configuration but the mirror's own: nothing of this machine or user has a say in a read."""
    pygit2.settings.mwindow_size = WINDOW_BYTES
    pygit2.settings.mwindow_mapped_limit = MAPPED_BYTES
    pygit2.settings.owner_validation = False  # a mirror's configuration is never executed here
    for level in (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
        pygit2.settings.search_path[level] = ""


configure_libgit2()


def open_mirror(mirrors_dir: Path, name: str) -> pygit2.Repository:
    """The mirror of `name`, opened anew (0.1 ms) and kept by nobody.

    Raises:
        SyncMayExplain: `repo_not_mirrored` when this host has no copy (REF-24), `read_failed` when what is there is none (REF-38).
    """
    path = mirror_path(mirrors_dir, name)
    if not path.is_dir():
        raise SyncMayExplain(
            ErrorCode.REPO_NOT_MIRRORED,
            repo=name,
            message="This host has no mirror of that repository. It is the operator's to add or sync.",
        )
    try:
        mirror = pygit2.Repository(str(path), RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.BARE)
    except (pygit2.GitError, OSError) as error:
        raise read_failed(name, "the mirror can't be opened") from error
    for collection in _COLLECTIONS:
        delattr(mirror, collection)
    return mirror
