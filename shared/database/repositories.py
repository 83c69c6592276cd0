"""The registry of repositories: who is mirrored, from where, and what its last sync found. The sync's lock is a row here."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Engine, bindparam, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from shared.database import line_index
from shared.database.engine import reading, writing
from shared.database.tables import REPOSITORIES
from shared.docs_policy import DocsPolicy
from shared.limits import SYNC_LOCK_S

_BY_NAME: Final = select(REPOSITORIES).where(REPOSITORIES.c.name == bindparam("name"))
"""Made once: nearly every read asks this, and making the statement takes as long as asking it."""


@dataclass(frozen=True)
class Repository:
    """One repository's record."""

    id: int
    name: str
    address: str
    pinned_branch: str | None
    default_branch: str | None
    total_files: int | None
    last_synced_sha: str | None
    last_sync_time: int | None
    sync_status: str
    sync_error: str | None
    last_sync_id: str | None
    sync_owner: str | None
    sync_expires_at: int | None
    sync_stage: str | None
    sync_percent: int | None
    created_at: int
    docs_root: str | None
    docs_suffix: str | None

    @property
    def syncing(self) -> bool:
        """Whether a sync of this repository runs right now (REF-34)."""
        return self.sync_owner is not None and (self.sync_expires_at or 0) > time.time()

    @property
    def docs_policy(self) -> DocsPolicy | None:
        """Where its documentation lives; None when it isn't served as documentation."""
        if self.docs_root is None or self.docs_suffix is None:
            return None
        return DocsPolicy(self.docs_root, self.docs_suffix)

    def record(self) -> dict[str, Any]:
        """The record as `codekeeper_list_repos` and the command line give it (PLT section 2.4)."""
        when = self.last_sync_time
        record: dict[str, Any] = {
            "repo_name": self.name,
            "repo_url": self.address,
            "default_branch": self.default_branch,
            "last_sync_time": None if when is None else datetime.fromtimestamp(when, UTC).isoformat().replace("+00:00", "Z"),
            "last_synced_sha": self.last_synced_sha,
            "total_files": self.total_files,
            "sync_status": "running" if self.syncing else self.sync_status,
        }
        if self.sync_error is not None:
            record["sync_error"] = self.sync_error
        if self.docs_policy is not None:
            record["docs"] = {"root": self.docs_policy.root, "suffix": self.docs_policy.suffix}
        return record


def _read(row: Any) -> Repository:
    return Repository(**row._mapping)  # noqa: SLF001 - SQLAlchemy's documented name


def find(engine: Engine, name: str) -> Repository | None:
    """The record of `name`, or None."""
    with reading(engine) as connection:
        row = connection.execute(_BY_NAME, {"name": name}).first()
    return None if row is None else _read(row)


def all_repositories(engine: Engine, limit: int | None = None) -> Sequence[Repository]:
    """The records by name, `limit` of them at the most."""
    with reading(engine) as connection:
        rows = connection.execute(select(REPOSITORIES).order_by(REPOSITORIES.c.name).limit(limit)).all()
    return [_read(row) for row in rows]


def docs_policies(engine: Engine) -> dict[str, DocsPolicy]:
    """Name to policy of every repository whose record says where its documentation lives (REF-47)."""
    columns = REPOSITORIES.c
    statement = select(columns.name, columns.docs_root, columns.docs_suffix).where(columns.docs_suffix.is_not(None))
    with reading(engine) as connection:
        return {name: DocsPolicy(root, suffix) for name, root, suffix in connection.execute(statement)}


def set_docs_policy(engine: Engine, name: str, root: str, suffix: str) -> bool:
    """Write where a repository's documentation lives; False when there is no such repository."""
    with writing(engine) as connection:
        statement = update(REPOSITORIES).where(REPOSITORIES.c.name == name).values(docs_root=root, docs_suffix=suffix)
        return connection.execute(statement).rowcount == 1


def add(engine: Engine, name: str, address: str, branch: str | None) -> bool:
    """Register a repository; False, and nothing changed, when the name is taken."""
    values = {
        "name": name, "address": address, "pinned_branch": branch, "default_branch": branch,
        "sync_status": "never", "created_at": int(time.time()),
    }  # fmt: skip
    try:
        with writing(engine) as connection:
            connection.execute(insert(REPOSITORIES).values(values))
    except IntegrityError:
        return False
    return True


def remove(engine: Engine, name: str, owner: str) -> bool:
    """Forget a repository, its line counts with it, for whom holds its lock; False when `owner` doesn't hold it."""
    with writing(engine) as connection:
        statement = delete(REPOSITORIES).where(REPOSITORIES.c.name == name, REPOSITORIES.c.sync_owner == owner)
        return connection.execute(statement).rowcount == 1


def lock(engine: Engine, name: str, owner: str) -> bool:
    """Take the sync's lock on `name` for `SYNC_LOCK_S` seconds by one conditional update; False when another holds it, or no such name."""
    now = int(time.time())
    with writing(engine) as connection:
        free = or_(REPOSITORIES.c.sync_owner.is_(None), REPOSITORIES.c.sync_expires_at <= now)
        statement = (
            update(REPOSITORIES)
            .where(REPOSITORIES.c.name == name, free)
            .values(sync_owner=owner, sync_expires_at=now + SYNC_LOCK_S, sync_stage=None, sync_percent=None)
        )
        return connection.execute(statement).rowcount == 1


def renew_lock(engine: Engine, name: str, owner: str, stage: str | None, percent: int | None) -> bool:
    """Hold the lock for `SYNC_LOCK_S` more and say how far the sync is; False when it was lost to another."""
    with writing(engine) as connection:
        statement = (
            update(REPOSITORIES)
            .where(REPOSITORIES.c.name == name, REPOSITORIES.c.sync_owner == owner)
            .values(sync_expires_at=int(time.time()) + SYNC_LOCK_S, sync_stage=stage, sync_percent=percent)
        )
        return connection.execute(statement).rowcount == 1


def unlock(engine: Engine, name: str, owner: str, found: Mapping[str, Any], changes: line_index.Changes | None = None) -> bool:
    """Give the lock back, write what the sync found into the record and its changes into the line index, all in one transaction.

    So the counts in the index are always those of the record's `last_synced_sha`. False, and nothing written, when the lock was lost.
    """
    with writing(engine) as connection:
        statement = (
            update(REPOSITORIES)
            .where(REPOSITORIES.c.name == name, REPOSITORIES.c.sync_owner == owner)
            .values(last_sync_id=owner, sync_owner=None, sync_expires_at=None, sync_stage=None, sync_percent=None, **found)
        )
        if connection.execute(statement).rowcount != 1:
            return False
        if changes is not None:
            repository_id = connection.execute(select(REPOSITORIES.c.id).where(REPOSITORIES.c.name == name)).scalar_one()
            line_index.apply_changes(connection, repository_id, changes)
        return True
