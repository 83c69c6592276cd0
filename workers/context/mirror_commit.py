"""One commit of a mirror as a source: the ref is resolved once, and every file is read from there (RCC-44, RCC-46)."""

from collections.abc import Mapping
from typing import Final

from shared.errors import ErrorCode, Refused
from shared.paths import check_ref_length, check_repo_name
from shared.settings import settings
from workers.context.source import Reason, SourceFile, Unavailable
from workers.mirror.mirrors import Mirrors
from workers.mirror.read_blob import find_blob, load_blob
from workers.resources import engine

_MAX_LINK_BYTES: Final = 4_096
"""Bytes of a link's target that an answer names; a longer one is no path."""


class MirrorCommit:
    """The files of one commit."""

    def __init__(self, repo: str, ref: str | None = None, *, commit: str | None = None) -> None:
        """The commit of `ref`, or of the default branch, now; or `commit`, the full id of what `ref` was earlier in a session.

        Raises:
            Refused: the name or ref is malformed, or the mirror or commit can't be had (REF-24, REF-36, REF-37); `sync_in_progress`
                while a sync may be the reason.
        """
        check_ref_length(ref)
        check_repo_name(repo)
        self._mirrors = Mirrors(settings().mirrors_dir, engine())
        with self._mirrors.a_sync_may_explain(repo):
            self._opened = self._mirrors.open(repo, commit or ref, None)
        self._ref = ref if commit is not None and ref is not None else self._opened.resolved.ref

    def described(self) -> Mapping[str, str]:
        """The repository, the ref as it was understood, and the commit's full id."""
        return {"repo": self._opened.repo, "ref": self._ref, "commit": self._opened.resolved.commit_id}

    def denies(self, _path: str) -> bool:
        """Nothing: what is in a commit has no folder of git's."""
        return False

    def read(self, path: str, limit: int) -> SourceFile:
        """See `Source.read`. The size is known before anything is loaded."""
        opened = self._opened
        try:
            with self._mirrors.a_sync_may_explain(opened.repo):
                entry = find_blob(opened.mirror, opened.repo, opened.resolved, path)
                if entry.size > (_MAX_LINK_BYTES if entry.is_link else limit):
                    raise Unavailable(Reason.LINK if entry.is_link else Reason.TOO_LARGE)
                data = load_blob(opened.mirror, opened.repo, entry)
        except Refused as refused:
            if refused.code is not ErrorCode.NOT_FOUND:
                raise
            raise Unavailable(Reason.NOT_FOUND) from refused
        if entry.is_link:
            raise Unavailable(Reason.LINK, {"target": data.decode("utf-8", "replace")})
        return SourceFile(data, str(entry.id))
