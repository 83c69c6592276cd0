"""From a ref to a commit, once per call; by object id from then on (REF-1). Never contacts a remote (REF-2)."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pygit2
import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from shared.budget import GIT_READ_BYTES
from shared.database import repositories
from shared.errors import ErrorCode, Refused, SyncMayExplain
from shared.tasks import GIT_LOCAL_TIMEOUT_S
from workers.mirror.failures import read_failed
from workers.mirror.git_process import GitFailed, run_git
from workers.mirror.memory import raise_if_memory_was_short

log = structlog.get_logger()

BASIC_REF_PATTERN: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._/^~-]{0,150}")
"""The one syntax check of a ref that a caller sent, matched against the whole of it (REF-11, REF-12)."""

# What "does not resolve to exactly one revision" looks like in libgit2.
_DOES_NOT_RESOLVE: Final = (pygit2.NotFoundError, pygit2.InvalidSpecError, pygit2.AmbiguousError)


@dataclass(frozen=True)
class Resolved:
    """What a call reads: the ref as it answers it, and the commit that the ref was at the one time it was looked at."""

    ref: str
    commit: pygit2.Commit

    @property
    def commit_id(self) -> str:
        """The commit's full id in hexadecimal (GRF-9)."""
        return str(self.commit.id)


def default_ref(engine: Engine, repo: str) -> str:
    """What is read when no ref was sent: `refs/heads/<default_branch>`, or `HEAD` where the registry can't say (REF-9)."""
    try:
        found = repositories.find(engine, repo)
    except SQLAlchemyError:
        log.warning("default_branch_unknown", repo=repo, exc_info=True)
        return "HEAD"
    return "HEAD" if found is None or found.default_branch is None else f"refs/heads/{found.default_branch}"


def resolve_ref(mirror: pygit2.Repository, engine: Engine, repo: str, ref: str | None, path: str | None) -> Resolved:
    """The commit that `ref` names in `mirror`; without a ref, or with a blank one, the default branch's (REF-9, REF-10).

    `repo` and `path` are what refusals carry; without a path, they have no such field.

    Raises:
        Refused: `invalid_ref`, before anything is asked (REF-20).
        SyncMayExplain: `ref_not_mirrored` when it leads to no commit (REF-36, REF-39), `read_failed` when the repository can't be read.
    """
    named = (ref or "").strip()
    target = {"repo": repo} if path is None else {"repo": repo, "path": path}
    if named and BASIC_REF_PATTERN.fullmatch(named) is None:
        raise Refused(
            ErrorCode.INVALID_REF,
            **target,
            ref=ref,
            message="The ref name is not well formed: it takes a branch, tag or commit of up to 151 characters, such as main or v1.0~1.",
        )
    asked = named or default_ref(engine, repo)
    commit = _look_up(mirror, repo, asked, is_revision=bool(named))
    if commit is None:
        raise SyncMayExplain(
            ErrorCode.REF_NOT_MIRRORED,
            **target,
            ref=asked,
            message="This host's mirror does not hold that ref. It may exist on the remote; a new branch arrives with a later sync.",
        )
    return Resolved(asked, commit)


def resolved_before(mirror: pygit2.Repository, repo: str, ref: str, commit_id: str) -> Resolved:
    """What `resolve_ref` gave for `ref` earlier in this call, whatever the ref names by now.

    Raises:
        SyncMayExplain: `read_failed` when the mirror doesn't hold that commit any more.
    """
    try:
        return Resolved(ref, mirror[commit_id].peel(pygit2.Commit))
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "the commit that this call reads is missing or damaged") from error


def _look_up(mirror: pygit2.Repository, repo: str, ref: str, *, is_revision: bool) -> pygit2.Commit | None:
    """The commit of `ref`, or None when there is none.

    The registry's own ref is a full name and no revision: its branch may hold any character.
    """
    try:
        found = mirror.revparse_single(f"{ref}^{{commit}}") if is_revision else mirror.lookup_reference(ref).peel(pygit2.Commit)
        return found.peel(pygit2.Commit)
    except _DOES_NOT_RESOLVE as error:
        raise_if_memory_was_short(repo, error)
        # The library knows fewer revisions than git (an abbreviation that only one commit has, `v1.0-g3467cdd`), and takes a mirror
        # that was deleted under it for one without that ref. A full name needs no second look while the mirror stands.
        return _ask_git(mirror, repo, ref, error) if is_revision or not Path(mirror.path, "objects").is_dir() else None
    except (pygit2.GitError, ValueError, OSError) as error:
        raise_if_memory_was_short(repo, error)
        return _ask_git(mirror, repo, ref, error)


def _ask_git(mirror: pygit2.Repository, repo: str, ref: str, error: Exception) -> pygit2.Commit | None:
    """Git's own verdict where the library's is unclear: exit code 1 is not there, any other the repository's fault (REF-36, REF-37)."""
    arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    try:
        printed = run_git(*arguments, git_dir=mirror.path, timeout_s=GIT_LOCAL_TIMEOUT_S, memory_bytes=GIT_READ_BYTES)
        return mirror[printed.decode("ascii").strip()].peel(pygit2.Commit)
    except GitFailed as failed:
        if failed.exit_code == 1:
            return None
        log.warning("git_error", repo=repo, stderr=failed.stderr, exit_code=failed.exit_code)
        raise read_failed(repo, "git could not resolve the ref", for_now=failed.exit_code is None) from error
    except (pygit2.GitError, KeyError, ValueError, OSError) as second:
        raise read_failed(repo, "the ref's commit can't be read") from second
