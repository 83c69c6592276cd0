"""Speaking to the remote of a mirror: which branch is its default one, and fetching everything. Only a sync does (PLT-111, REF-2)."""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from shared.addresses import github_owner
from shared.settings import Settings
from shared.tasks import GIT_LS_REMOTE_TIMEOUT_S
from workers.mirror.git_environment import NO_CREDENTIALS, Credentials
from workers.mirror.git_process import run_git

_GITHUB_HEADER: Final = "http.https://github.com/.extraheader"
"""The configuration whose value git sends to github.com, and to no other host."""

_MAX_HEADS_BYTES: Final = 1024 * 1024
"""Bytes of a remote's answer about its default branch; a true one is under 1 KB."""

_BRANCH: Final = "refs/heads/"


@dataclass(frozen=True)
class RemoteHead:
    """What a remote says of its default branch."""

    branch: str | None
    """The branch's name without `refs/heads/`; None when the remote is empty, or its HEAD names a mere commit or what isn't there."""
    commit: str | None
    """The commit there, in hexadecimal; None when there is none."""

    @property
    def is_detached(self) -> bool:
        """Whether the remote's HEAD is a commit and no branch."""
        return self.branch is None and self.commit is not None


def credentials_for(address: str, settings: Settings) -> Credentials:
    """What lets git in at `address`: on github.com the token of its owner, else the common one; nothing anywhere else (PLT-123)."""
    owner = github_owner(address)
    if owner is None:
        return NO_CREDENTIALS
    by_owner = {name.lower(): token for name, token in settings.github_tokens.items()}
    token = by_owner.get(owner.lower()) or settings.github_token
    if token is None or not token.get_secret_value().strip():
        return NO_CREDENTIALS
    token = SecretStr(token.get_secret_value().strip())
    encoded = SecretStr(base64.b64encode(f"x-access-token:{token.get_secret_value()}".encode()).decode())
    header = SecretStr(f"Authorization: Basic {encoded.get_secret_value()}")
    return Credentials({_GITHUB_HEADER: header}, (token, encoded))


@dataclass(frozen=True)
class Remote:
    """The remote of one repository, as this service may speak to it."""

    address: str
    protocols: tuple[str, ...]
    credentials: Credentials

    def head(self, pinned: str | None) -> RemoteHead:
        """The default branch: `pinned`, or what the remote's HEAD names.

        Raises:
            GitFailed: the remote can't be reached or read, or its protocol isn't allowed.
        """
        wanted = "HEAD" if pinned is None else _BRANCH + pinned
        arguments = ("ls-remote", "--symref", "--upload-pack=git-upload-pack", "--", self.address, wanted)
        said = run_git(
            *arguments,
            timeout_s=GIT_LS_REMOTE_TIMEOUT_S,
            protocols=self.protocols,
            credentials=self.credentials,
            max_stdout_bytes=_MAX_HEADS_BYTES,
        )
        branch, commit = pinned, None
        # The pattern also matches refs that end in it, such as refs/remotes/origin/HEAD: only the name itself counts.
        for value, _, name in (line.partition("\t") for line in said.decode("utf-8", "surrogateescape").split("\n")):
            if name != wanted:
                continue
            if value.startswith("ref: "):
                branch = _utf8_branch(value.removeprefix("ref: "))
            else:
                commit = value
        return RemoteHead(branch, commit)

    def fetch(self, git_dir: Path, head: RemoteHead, *, timeout_s: float, on_stderr: Callable[[bytes], None]) -> None:
        """Make the refs in `git_dir` those of the remote, all of them, as `git clone --mirror` would (PLT-122).

        When the remote's HEAD is a mere commit, no ref may lead to it, so it is fetched too. Refs that are gone are pruned first, so that a
        branch `a/b` can take the place of a branch `a`; `--atomic` would forbid that.

        Raises:
            GitFailed: what has been fetched until then stays, and every ref in the mirror leads to a whole commit.
        """
        run_git(
            "fetch",
            "--prune",
            "--force",
            "--no-tags",  # refs/* holds them
            "--update-shallow",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--no-write-commit-graph",
            "--no-recurse-submodules",
            "--progress",
            "--upload-pack=git-upload-pack",
            "--",
            self.address,
            "+refs/*:refs/*",
            *(["HEAD"] if head.is_detached else []),
            git_dir=git_dir,
            timeout_s=timeout_s,
            protocols=self.protocols,
            credentials=self.credentials,
            on_stderr=on_stderr,
        )


def _utf8_branch(ref: str) -> str | None:
    """The branch that a remote's HEAD names; None when it is no branch, or its name is not UTF-8 and no column can hold it."""
    try:
        ref.encode()
    except UnicodeEncodeError:
        return None
    return ref.removeprefix(_BRANCH) if ref.startswith(_BRANCH) else None
