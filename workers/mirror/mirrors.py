"""The mirrors as one call sees them: from a repository's name to the commit that is read. `Mirrors` looks anew every time."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pygit2
from sqlalchemy import Engine

from workers.mirror.failures import a_sync_may_explain, sync_is_running
from workers.mirror.open_mirror import open_mirror
from workers.mirror.resolve_ref import Resolved, resolve_ref


@dataclass(frozen=True)
class Opened:
    """One mirror, open at one commit."""

    mirror: pygit2.Repository
    repo: str
    resolved: Resolved


class Mirrors:
    """What a single tool reads from: every call resolves its ref, once."""

    def __init__(self, mirrors_dir: Path, engine: Engine) -> None:
        self._mirrors_dir = mirrors_dir
        self._engine = engine

    def open(self, repo: str, ref: str | None, path: str | None) -> Opened:
        """The mirror of `repo` at the commit of `ref`, or of its default branch. `path` is what refusals carry.

        Raises:
            Refused: what `open_mirror` and `resolve_ref` raise.
        """
        mirror = open_mirror(self._mirrors_dir, repo)
        return Opened(mirror, repo, resolve_ref(mirror, self._engine, repo, ref, path))

    def sync_is_running(self, repo: str) -> bool:
        """Whether a sync of `repo` runs now (REF-34)."""
        return sync_is_running(self._engine, repo)

    def a_sync_may_explain(self, repo: str) -> AbstractContextManager[None]:
        """Around a look into the mirror of `repo`: see `failures.a_sync_may_explain`."""
        return a_sync_may_explain(self._engine, repo, lambda _engine, name: self.sync_is_running(name))
