"""The files of one commit, each read a piece at a time: of a blob of any size no more is held than a read may take."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pygit2

from shared.budget import GIT_READ_BYTES
from shared.limits import RANGE_READ_MAX_BYTES
from workers.mirror.failures import read_failed
from workers.mirror.git_process import EndedBy, GitFailed, listen_to_git

_BLOCK_BYTES: Final = 65_536
"""Bytes of a loaded blob that are handed on at once."""

_DAMAGED: Final = "a file's object is missing or damaged"


class OutOfTime(Exception):  # noqa: N818 - a fact about the clock
    """A file could not be read in the time that was left."""


@dataclass(frozen=True)
class CommitFiles:
    """A commit of an open mirror."""

    mirror: pygit2.Repository
    repo: str
    commit: pygit2.Commit

    @property
    def commit_id(self) -> str:
        """The commit's full id in hexadecimal."""
        return str(self.commit.id)

    @property
    def folder(self) -> Path:
        """The mirror's git directory."""
        return Path(self.mirror.path)

    def read(self, path: bytes, on_piece: Callable[[bytes], bool], timeout_s: float) -> None:
        """Give the file at `path`, as git stores the name, to `on_piece` until it returns that it wants no more.

        Raises:
            OutOfTime: it took longer than `timeout_s` seconds; only a blob above `RANGE_READ_MAX_BYTES`, which comes through git, can.
            SyncMayExplain: `read_failed` when the object is missing or corrupt.
        """
        try:
            blob_id = (self.commit.tree / os.fsdecode(path)).id
            _, size = self.mirror.odb.read_header(blob_id)
            data = None if size > RANGE_READ_MAX_BYTES else self.mirror.read(blob_id)[1]
        except (pygit2.GitError, KeyError, ValueError, OSError) as error:
            raise read_failed(self.repo, _DAMAGED) from error
        if data is None:
            self._stream(str(blob_id), on_piece, timeout_s)
            return
        for first in range(0, size, _BLOCK_BYTES):
            if not on_piece(data[first : first + _BLOCK_BYTES]):
                return

    def _stream(self, blob_id: str, on_piece: Callable[[bytes], bool], timeout_s: float) -> None:
        arguments = ("cat-file", "blob", blob_id)
        try:
            ended = listen_to_git(*arguments, on_stdout=on_piece, git_dir=self.folder, timeout_s=timeout_s, memory_bytes=GIT_READ_BYTES)
        except GitFailed as failed:
            raise read_failed(self.repo, "git could not be started") from failed
        if ended.by is EndedBy.TIMEOUT:
            raise OutOfTime
        if ended.by is EndedBy.ITSELF and ended.exit_code != 0:
            raise read_failed(self.repo, _DAMAGED)
