"""Who wrote one commit, when, and what it says."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import pygit2

from shared.errors import ErrorCode, Refused
from shared.limits import RANGE_READ_MAX_BYTES
from workers.mirror.failures import read_failed
from workers.reading.decode import decode


@dataclass(frozen=True)
class CommitText:
    """What a commit's object holds beside its tree and parents. Texts are decoded as files are (REF-84)."""

    id: str
    short_id: str
    """The first digits of the id, as many as name one object of the mirror, and at least seven."""
    author: str
    email: str
    time: int
    """When it was written: Unix time in seconds."""
    date: str | None
    """The same in ISO 8601, at the author's offset from UTC; None when no calendar has that day."""
    message: str


def read_commit(mirror: pygit2.Repository, repo: str, commit_id: str) -> CommitText:
    """The commit with that full id.

    Raises:
        SyncMayExplain: `read_failed` when it is missing or damaged.
        Refused: `resource_limit` when it is larger than any blob that is loaded.
    """
    try:
        _, size = mirror.odb.read_header(commit_id)
        if size > RANGE_READ_MAX_BYTES:
            raise Refused(ErrorCode.RESOURCE_LIMIT, message=f"The commit {commit_id} has more than {RANGE_READ_MAX_BYTES} bytes.")
        commit = mirror[commit_id].peel(pygit2.Commit)
        author = commit.author
        return CommitText(
            id=commit_id,
            short_id=commit.short_id,
            author=decode(author.raw_name)[0],
            email=decode(author.raw_email)[0],
            time=author.time,
            date=_date(author.time, author.offset),
            message=decode(commit.raw_message)[0],
        )
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise read_failed(repo, "a commit is missing or damaged") from error


def _date(seconds: int, offset_minutes: int) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone(timezone(timedelta(minutes=offset_minutes))).isoformat()
    except (OverflowError, ValueError, OSError):  # a year beyond 9999, an offset of a day
        return None
