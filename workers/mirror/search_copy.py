"""One search copy, made from the local mirror alone: a bare repository of one commit, its objects neither compressed nor stored as deltas.

`git grep` at a commit of a mirror spends its time on inflating blobs and applying deltas; here it needn't.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import structlog

from shared.tasks import GIT_LOCAL_TIMEOUT_S
from workers.mirror.git_process import run_git
from workers.mirror.search_folder import IN_USE

log = structlog.get_logger()

_PLAIN: Final = "[core]\n\tcompression = 0\n[pack]\n\tcompression = 0\n"
"""The copy's own configuration, which packs its objects as they are. Larger ones than `core.bigFileThreshold` are stored so too."""


def make_copy(
    new: Path, mirror: Path, commit_id: str, packs: Iterable[Path], *, timeout_s: float, on_stderr: Callable[[bytes], None]
) -> int:
    """Make the copy of a commit of `mirror` at `new`, where nothing is; returns how many of `packs`, an older copy's, it could take over.

    What those packs have isn't read or written again: they get a second name in `new`.

    Raises:
        GitFailed, GitOutOfMemory: git could not, as when the mirror lacks an object.
        OSError: the disk.
    """
    _begin(new, mirror, commit_id)
    kept = _take_over(new, packs)
    arguments = ("repack", "-a", "-d", "-F", "--window=0", "--depth=0", "--no-write-bitmap-index", "--quiet")
    run_git(*arguments, *(f"--keep-pack={pack}" for pack in kept), git_dir=new, timeout_s=timeout_s, on_stderr=on_stderr)
    (new / "objects" / "info" / "alternates").unlink()
    return len(kept)


def _begin(new: Path, mirror: Path, commit_id: str) -> None:
    """A repository of that one commit that borrows the mirror's objects for now."""
    run_git("init", "--quiet", "--bare", "--template=", "--initial-branch=main", git_dir=new, timeout_s=GIT_LOCAL_TIMEOUT_S)
    with (new / "config").open("a", encoding="ascii") as config:
        config.write(_PLAIN)
    (new / "objects" / "info").mkdir(exist_ok=True)
    (new / "objects" / "info" / "alternates").write_bytes(os.fsencode(mirror / "objects") + b"\n")
    (new / "shallow").write_text(f"{commit_id}\n", encoding="ascii")  # its parents are not looked for
    (new / IN_USE).touch()
    run_git("update-ref", "--no-deref", "--end-of-options", "HEAD", commit_id, git_dir=new, timeout_s=GIT_LOCAL_TIMEOUT_S)


def _take_over(new: Path, packs: Iterable[Path]) -> list[str]:
    """The names of `packs` in `new` now; none where the disk knows no second names."""
    folder = new / "objects" / "pack"
    taken = []
    try:
        for pack in packs:
            for part in pack.parent.glob(f"{pack.stem}.*"):
                os.link(part, folder / part.name)
            taken.append(pack.name)
    except OSError as refused:
        log.info("search_copy_packs_not_linked", copy=new.name, why=refused.strerror)
        for part in folder.iterdir():
            part.unlink()
        return []
    return taken
