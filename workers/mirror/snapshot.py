"""The mirrors as a batch sees them: one commit of each repository for as long as the call takes, whatever a sync fetches meanwhile.

Three questions are asked of a repository, each once: what its default branch is, which commit that is, and, only when a look fails,
whether a sync is running (BAT-32).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import Engine

from shared.errors import ErrorCode, Refused
from workers.mirror.failures import ReadFailedForNow
from workers.mirror.mirrors import Mirrors, Opened
from workers.mirror.open_mirror import open_mirror
from workers.mirror.resolve_ref import resolved_before

log = structlog.get_logger()

_NO_SUCH_THING: Final = frozenset({ErrorCode.REPO_NOT_MIRRORED, ErrorCode.REF_NOT_MIRRORED})
"""Codes that the read itself gives again, under its own name (BAT-38)."""


@dataclass(frozen=True)
class _Fixed:
    """What is read of a repository."""

    ref: str
    """The default branch as answers name it (BAT-34)."""
    commit_id: str


class Snapshot(Mirrors):
    """`Mirrors` for one batch. A repository is fixed at the first look into it."""

    def __init__(self, mirrors_dir: Path, engine: Engine) -> None:
        super().__init__(mirrors_dir, engine)
        self._known: dict[str, _Fixed | Refused | None] = {}
        self._syncing: dict[str, bool] = {}

    def open(self, repo: str, ref: str | None, path: str | None) -> Opened:
        """The mirror of `repo` at the commit it is fixed to. No item takes a ref, so `ref` must be None (BAT-12).

        Raises:
            Refused: as `Mirrors.open`.
            ValueError: there is a `ref`.
        """
        if ref is not None:
            raise ValueError("a snapshot holds default branches alone")
        if repo not in self._known:
            self._known[repo] = self._fix(repo)
        match self._known[repo]:
            case None:
                return super().open(repo, None, path)
            case Refused() as refused:
                raise Refused(refused.code, **refused.fields)
            case _Fixed() as fixed:
                mirror = open_mirror(self._mirrors_dir, repo)
                return Opened(mirror, repo, resolved_before(mirror, repo, fixed.ref, fixed.commit_id))

    def sync_is_running(self, repo: str) -> bool:
        """Whether a sync of `repo` ran when that was first asked."""
        if repo not in self._syncing:
            self._syncing[repo] = super().sync_is_running(repo)
        return self._syncing[repo]

    def _fix(self, repo: str) -> _Fixed | Refused | None:
        """The commit; the refusal that all items get, of a mirror that can't be read; None when each item resolves its own."""
        try:
            with self.a_sync_may_explain(repo):
                try:
                    resolved = super().open(repo, None, None).resolved
                except ReadFailedForNow:
                    log.warning("commit_not_fixed", repo=repo)  # a sync may split its items over two commits: each says its own (BAT-37)
                    return None
        except Refused as refused:
            # The mirror's own log has what is broken, once: the look isn't made again (BAT-39).
            return None if refused.code in _NO_SUCH_THING else Refused(refused.code, **refused.fields)
        return _Fixed(resolved.ref, resolved.commit_id)
