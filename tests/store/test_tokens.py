"""Tokens as they are kept, on both databases, and who they say is calling."""

import hashlib
import logging
from typing import Any

import pytest
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import OperationalError

from gateway import tokens
from gateway.checks.bearer_token import VERDICT_KEPT_S, BearerTokens
from shared.database.engine import reading, writing
from shared.database.tables import TOKENS

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def row(engine: Engine, token_id: int) -> Any:
    with reading(engine) as connection:
        return connection.execute(select(TOKENS).where(TOKENS.c.id == token_id)).one()


@pytest.mark.rule("PLT-39", "PLT-40", "PLT-41", "PLT-43")
def test_a_token_is_kept_as_its_hash_and_shown_once(engine: Engine) -> None:
    issued = tokens.issue(engine, "dana", ["read"], label="laptop", ttl_days=1)
    token = issued["token"]
    assert token.startswith("ckmcp_")
    assert len(token) == len("ckmcp_") + 43  # 32 bytes in URL-safe base64 without padding
    kept = row(engine, issued["id"])
    assert kept.token_hash == hashlib.sha256(token.encode()).hexdigest()
    assert kept.display_prefix == token[6:12]
    assert (kept.user, kept.scopes, kept.label, kept.revoked_at) == ("dana", "read", "laptop", None)
    assert kept.expires_at == kept.created_at + 86_400
    assert token not in str(tuple(kept))
    (listed,) = [record.listed() for record in tokens.all_tokens(engine)]
    assert token not in str(listed)
    assert kept.token_hash not in str(listed)


@pytest.mark.rule("PLT-42")
def test_a_token_is_valid_while_it_exists_and_is_neither_revoked_nor_expired(engine: Engine) -> None:
    good, revoked, expired = (tokens.issue(engine, "dana", ["read"]) for _ in range(3))
    tokens.revoke(engine, revoked["id"])
    with writing(engine) as connection:
        connection.execute(update(TOKENS).where(TOKENS.c.id == expired["id"]).values(expires_at=1))
    verified = tokens.verify(engine, good["token"])
    assert verified is not None
    assert verified.user == "dana"
    for bad in (revoked["token"], expired["token"], good["token"] + "x", good["token"][6:], "", "ckmcp_", "ckmcp_\udcff"):
        assert tokens.verify(engine, bad) is None
    assert tokens.revoke(engine, 999) is None


def test_use_is_noted_once_a_minute_at_the_most(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    issued = tokens.issue(engine, "dana", ["read"])
    noted = []
    for now in (1_000_000, 1_000_059, 1_000_060):
        monkeypatch.setattr("gateway.tokens.time.time", lambda now=now: now)
        tokens.note_use(engine, issued["id"])
        noted.append(row(engine, issued["id"]).last_used_at)
    assert noted == [1_000_000, 1_000_000, 1_000_060]


@pytest.mark.rule("PLT-33", "PLT-62")
async def test_the_caller_is_the_tokens_user_and_admins_are_the_named_ones_only(engine: Engine) -> None:
    admin, other = tokens.issue(engine, "root", ["read", "write"]), tokens.issue(engine, "admin", ["read"])
    verifier = BearerTokens(engine, ("root",))
    first, second = await verifier.identify(admin["token"]), await verifier.identify(other["token"])
    assert first is not None
    assert second is not None
    assert (first.user, first.admin, first.scopes) == ("root", True, {"read", "write"})
    assert (second.user, second.admin, second.scopes) == ("admin", False, {"read"})
    nobody = await BearerTokens(engine, ()).identify(admin["token"])
    assert nobody is not None
    assert not nobody.admin


async def test_a_verdict_is_believed_for_a_moment_and_a_revoked_token_no_longer(engine: Engine) -> None:
    now = 100.0
    verifier = BearerTokens(engine, (), clock=lambda: now)
    issued = tokens.issue(engine, "dana", ["read"])
    assert await verifier.identify(issued["token"]) is not None
    tokens.revoke(engine, issued["id"])
    now += VERDICT_KEPT_S - 0.01
    assert await verifier.identify(issued["token"]) is not None
    now += 0.01
    assert await verifier.identify(issued["token"]) is None
    assert VERDICT_KEPT_S < 5


@pytest.mark.rule("PLT-38")
async def test_a_token_that_cannot_be_verified_is_rejected_and_never_logged(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    issued = tokens.issue(engine, "dana", ["read"])

    def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    monkeypatch.setattr(tokens, "verify", fail)
    with caplog.at_level(logging.DEBUG):
        assert await BearerTokens(engine, ("dana",)).identify(issued["token"]) is None
    printed = capsys.readouterr()
    assert "token_not_verified" in caplog.text + printed.out + printed.err
    assert issued["token"] not in caplog.text + printed.out + printed.err


async def test_a_use_that_cannot_be_noted_does_not_lock_the_caller_out(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    issued = tokens.issue(engine, "dana", ["read"])

    def fail(*_: object) -> None:
        raise OperationalError("UPDATE", {}, Exception("database is locked"))

    monkeypatch.setattr(tokens, "note_use", fail)
    assert await BearerTokens(engine, ()).identify(issued["token"]) is not None
