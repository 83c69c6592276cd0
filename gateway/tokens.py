"""Personal access tokens: issued once in the clear, kept as hashes (PLT-39 to PLT-45)."""

import hashlib
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Engine, insert, or_, select, update

from shared.database.engine import reading, writing
from shared.database.tables import TOKENS

PREFIX: Final = "ckmcp_"
"""What every token begins with, so that a leaked one is recognised (PLT-39)."""

SECRET_BYTES: Final = 32
"""Random bytes in a token. With 256 bits a fast hash is enough (PLT-40)."""

SHOWN_CHARS: Final = 6
"""Characters after the prefix that are kept in the clear, to tell tokens apart (PLT-41)."""

SECONDS_A_DAY: Final = 86_400

USE_NOTED_EVERY_S: Final = 60
"""Seconds between two writes of `last_used_at`, so that reading needn't write."""


@dataclass(frozen=True)
class TokenRecord:
    """What is kept of a token; never the token, and its hash only in the database."""

    id: int
    user: str
    display_prefix: str
    scopes: str
    label: str
    created_at: int
    last_used_at: int | None
    expires_at: int | None
    revoked_at: int | None

    def listed(self) -> dict[str, Any]:
        """The record as `token list` prints it (PLT-45)."""
        return {
            "id": self.id, "user": self.user, "token": f"{PREFIX}{self.display_prefix}...", "scopes": self.scopes.split(),
            "label": self.label, "created_at": self.created_at, "last_used_at": self.last_used_at,
            "expires_at": self.expires_at, "revoked": self.revoked_at is not None,
        }  # fmt: skip


_RECORD: Final = [column for column in TOKENS.c if column.name != "token_hash"]


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def issue(engine: Engine, user: str, scopes: Sequence[str], label: str = "", ttl_days: float | None = None) -> dict[str, Any]:
    """A new token of `user`, as `token issue` prints it: the only time that it is seen in the clear.

    `ttl_days` are days until it expires; None is never. Raises `sqlalchemy.exc.OperationalError` when it can't be stored.
    """
    token = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    now = int(time.time())
    expires_at = None if ttl_days is None else now + int(ttl_days * SECONDS_A_DAY)
    values = {
        "user": user, "token_hash": _hash(token), "display_prefix": token[len(PREFIX) :][:SHOWN_CHARS],
        "scopes": " ".join(scopes), "label": label, "created_at": now, "expires_at": expires_at,
    }  # fmt: skip
    with writing(engine) as connection:
        token_id = connection.execute(insert(TOKENS).values(values).returning(TOKENS.c.id)).scalar_one()
    return {"token": token, "id": token_id, "user": user, "scopes": list(scopes), "expires_at": expires_at}


def verify(engine: Engine, token: str) -> TokenRecord | None:
    """The record of a token that is valid now: it exists, is not revoked and has not expired (PLT-42)."""
    if not token.startswith(PREFIX):
        return None
    with reading(engine) as connection:
        row = connection.execute(select(*_RECORD).where(TOKENS.c.token_hash == _hash(token))).first()
    if row is None:
        return None
    record = TokenRecord(**row._mapping)  # noqa: SLF001 - SQLAlchemy's documented name
    expired = record.expires_at is not None and record.expires_at <= time.time()
    return None if expired or record.revoked_at is not None else record


def note_use(engine: Engine, token_id: int) -> None:
    """Write `last_used_at`, unless that was done within `USE_NOTED_EVERY_S`."""
    now = int(time.time())
    stale = or_(TOKENS.c.last_used_at.is_(None), TOKENS.c.last_used_at <= now - USE_NOTED_EVERY_S)
    with writing(engine) as connection:
        connection.execute(update(TOKENS).where(TOKENS.c.id == token_id, stale).values(last_used_at=now))


def all_tokens(engine: Engine) -> Sequence[TokenRecord]:
    """Every token's record, oldest first."""
    with reading(engine) as connection:
        rows = connection.execute(select(*_RECORD).order_by(TOKENS.c.id)).all()
    return [TokenRecord(**row._mapping) for row in rows]  # noqa: SLF001


def revoke(engine: Engine, token_id: int) -> TokenRecord | None:
    """Revoke a token for good and return its record; None when there is none with that id. Revoking twice changes nothing."""
    with writing(engine) as connection:
        unrevoked = (TOKENS.c.id == token_id) & TOKENS.c.revoked_at.is_(None)
        connection.execute(update(TOKENS).where(unrevoked).values(revoked_at=int(time.time())))
        row = connection.execute(select(*_RECORD).where(TOKENS.c.id == token_id)).first()
    return None if row is None else TokenRecord(**row._mapping)  # noqa: SLF001
