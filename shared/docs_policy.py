"""Which documentation pages are served, and where a caller's path leads: two gates and a path policy, judged on text alone.

A repository passes when `CODEKEEPER_DOCS_REPOS` lists it and its registry record says where its documentation lives (REF-48).
"""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_ECHOED_NAME_CHARS
from shared.paths import check_file_path, check_path_length

DOCUMENT_SUFFIXES: Final = (".md", ".rst")
"""Formats that a repository's documentation can have: those with a heading parser."""


@dataclass(frozen=True)
class DocsPolicy:
    """Where one repository's documentation lives, and in which format (REF-47)."""

    root: str
    """Folder with a slash at its end, or empty for the whole repository (REF-64)."""
    suffix: str
    """One of `DOCUMENT_SUFFIXES`."""


def docs_root(folder: str) -> str:
    """`folder` as a policy's root: with a slash at its end, or empty for the whole repository.

    Raises:
        Refused: `invalid_input` when no folder of a repository can be called so.
    """
    root = folder.strip("/")
    if not root:
        return ""
    check_file_path(root)
    if posixpath.normpath(root) != root:
        raise Refused(ErrorCode.INVALID_INPUT, message="--root: a folder's plain path, such as docs/ or doc/source/.")
    return root + "/"


def served(allowed: Sequence[str], policies: Mapping[str, DocsPolicy]) -> list[str]:
    """The repositories that pass both gates, in the order of the allow-list (REF-52, REF-53)."""
    return [repo for repo in allowed if repo in policies]


def resolve_docs_target(repo: str | None, path: str, allowed: Sequence[str], policies: Mapping[str, DocsPolicy]) -> tuple[str, str]:
    """The repository and the path in it that a call of the documentation tool reads (REF-49 to REF-71).

    Without `repo` the first of `allowed` is meant (REF-51). Nothing but the text of the arguments decides.

    Raises:
        Refused: `path_too_long`, `repo_not_allowed`, `repo_not_configured`, `missing_path`, `suffix_not_allowed` or
            `path_outside_root`, the first that applies in this order.
    """
    check_path_length(path)
    named = repo if repo is not None and repo.strip() else (allowed[0] if allowed else "")
    policy = _policy_of(named, allowed, policies)
    if not path.strip():
        raise Refused(ErrorCode.MISSING_PATH)
    others = {*DOCUMENT_SUFFIXES, *(other.suffix for other in policies.values())} - {policy.suffix}
    if _ends_with(path, others):
        raise Refused(ErrorCode.SUFFIX_NOT_ALLOWED, repo=named, requested_path=path, allowed_suffixes=[policy.suffix])
    return named, _anchored(named, path, policy)


def _policy_of(repo: str, allowed: Sequence[str], policies: Mapping[str, DocsPolicy]) -> DocsPolicy:
    """The policy of a repository that passes both gates; there is no fallback (REF-49)."""
    requested = repo if len(repo) <= MAX_ECHOED_NAME_CHARS else repo[: MAX_ECHOED_NAME_CHARS - 1] + "…"
    if repo not in allowed:
        raise Refused(ErrorCode.REPO_NOT_ALLOWED, requested_repo=requested)
    if repo not in policies:
        raise Refused(ErrorCode.REPO_NOT_CONFIGURED, requested_repo=requested)
    return policies[repo]


def _ends_with(path: str, suffixes: Iterable[str]) -> bool:
    return any(path.endswith(suffix) for suffix in suffixes)


def _anchored(repo: str, path: str, policy: DocsPolicy) -> str:
    """The path from the repository's root: anchored first, then normalised, then judged by where it lands (REF-54 to REF-66)."""
    outside = Refused(ErrorCode.PATH_OUTSIDE_ROOT, root=policy.root, repo=repo)
    if path.startswith("/"):
        raise outside
    full = path if "/" in path else policy.root + path
    if not full.endswith(policy.suffix):
        full += policy.suffix
    normal = posixpath.normpath(full)
    if normal.split("/")[0] == ".." or not normal.startswith(policy.root):
        raise outside
    return normal
