"""Every setting as an operator gives it: through the environment."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from shared import limits
from shared.settings import Settings


@pytest.fixture
def given_env(monkeypatch: pytest.MonkeyPatch) -> Any:
    def read(**values: str) -> Settings:
        for name, value in values.items():
            monkeypatch.setenv(f"CODEKEEPER_{name}", value)
        return Settings()

    return read


@pytest.mark.parametrize(
    ("name", "value", "field", "meant"),
    [
        ("DATA_DIR", "/srv/ck", "data_dir", Path("/srv/ck")),
        ("REDIS_URL", "redis://h:1/0", "redis_url", "redis://h:1/0"),
        ("DATABASE_URL", "postgresql+psycopg://h/d", "database", "postgresql+psycopg://h/d"),
        ("HOST", "0.0.0.0", "host", "0.0.0.0"),
        ("PORT", "0", "port", 0),
        ("PORT", "65535", "port", 65_535),
        ("ALLOWED_HOSTS", "a.example, b.example:*,", "allowed_hosts", ("a.example", "b.example:*")),
        ("ADMIN_USERS", " ann ,bob,, ", "admin_users", ("ann", "bob")),
        ("ADMIN_USERS", "", "admin_users", ()),
        ("DENYLIST_EXTRA", "*.tfstate, ,internal/*", "denylist_extra", ("*.tfstate", "internal/*")),
        ("CLONE_PROTOCOLS", "https", "protocols", ("https",)),
        ("SYNC_INTERVAL", "60", "sync_interval", 60),
        ("READ_POOL", "8", "read_pool", 8),
        ("BATCH_POOL", "3", "batch_pool", 3),
        ("SYNC_POOL", "2", "sync_pool", 2),
        ("RATE_LIMIT", "7/30", "rate_units_and_seconds", (7, 30)),
        ("CODE_CONTEXT_TOKENS", "50000", "code_context_tokens", 50_000),
        ("CODE_CONTEXT_TOKENS", "", "code_context_tokens", 8_000),
    ],
)
def test_a_setting_is_read_from_its_variable(given_env: Any, name: str, value: str, field: str, meant: Any) -> None:
    assert getattr(given_env(**{name: value}), field) == meant


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "http"), ("PORT", "-1"), ("PORT", "65536"), ("SYNC_INTERVAL", "often"), ("READ_POOL", "0"), ("BATCH_POOL", "-1"),
     ("SYNC_POOL", "two"), ("RATE_LIMIT", "120"), ("RATE_LIMIT", "0/60"), ("RATE_LIMIT", "120/0"), ("RATE_LIMIT", "120 / 60"),
     ("RATE_LIMIT", "120/60\n"),
     ("CODE_CONTEXT_TOKENS", "50001"), ("CODE_CONTEXT_TOKENS", "0"), ("CODE_CONTEXT_TOKENS", "8k"),
     ("RATE_LIMIT", "-1/60"), ("GITHUB_TOKENS", "no-equals-sign"), ("GITHUB_TOKENS", "a=1,b"), ("GITHUB_TOKENS", "=x"),
     ("GITHUB_TOKENS", "a="),
     ("GITHUB_TOKENS", "{broken"), ("GITHUB_TOKENS", '{"a": {"b": "c"}}')],
)  # fmt: skip
def test_a_malformed_value_stops_the_start_and_names_its_setting(given_env: Any, name: str, value: str) -> None:
    with pytest.raises(ValidationError, match=f"(?i){name}"):
        given_env(**{name: value})


@pytest.mark.rule("PLT-113")
@pytest.mark.parametrize(("value", "seconds"), [("30", 30), ("29", 30), ("1", 30), ("0", 30), ("-5", 30), ("31", 31)])
def test_passes_of_the_schedule_are_at_least_30_seconds_apart(given_env: Any, value: str, seconds: int) -> None:
    assert given_env(SYNC_INTERVAL=value).sync_interval == seconds


@pytest.mark.rule("PLT-113")
def test_passes_of_the_schedule_are_300_seconds_apart_unless_said_otherwise() -> None:
    assert Settings().sync_interval == 300


def test_without_redis_tasks_run_embedded_and_local_paths_may_be_cloned(given_env: Any) -> None:
    assert Settings().embedded
    assert Settings().protocols == ("https", "ssh", "file")
    hosted = given_env(REDIS_URL="redis://h/0")
    assert not hosted.embedded
    assert hosted.protocols == ("https", "ssh")


def test_without_a_database_address_it_is_a_file_in_the_data_folder(given_env: Any, tmp_path: Path) -> None:
    assert given_env(DATA_DIR=str(tmp_path)).database == f"sqlite:///{tmp_path}/codekeeper.sqlite3"


def test_without_admin_users_nobody_is_an_admin() -> None:
    assert Settings().admin_users == ()


@pytest.mark.rule("PLT-123")
@pytest.mark.parametrize("value", ["ann=TOKEN-1, bob = TOKEN-2,", '{"ann": "TOKEN-1", "bob": "TOKEN-2"}'])
def test_tokens_by_owner_are_pairs_or_a_json_object(given_env: Any, value: str) -> None:
    tokens = given_env(GITHUB_TOKENS=value).github_tokens
    assert {owner: token.get_secret_value() for owner, token in tokens.items()} == {"ann": "TOKEN-1", "bob": "TOKEN-2"}


@pytest.mark.rule("PLT-123")
def test_a_token_is_in_no_printed_form_of_the_settings(given_env: Any) -> None:
    found = given_env(GITHUB_TOKEN="TOKEN-0", GITHUB_TOKENS="ann=TOKEN-1", TOKEN="TOKEN-2")
    assert found.github_token.get_secret_value() == "TOKEN-0"
    for printed in (repr(found), str(found), repr(found.model_dump()), found.model_dump_json()):
        assert "TOKEN-" not in printed


@pytest.mark.rule("PLT-123")
@pytest.mark.parametrize(
    "value", ["TOKEN-1", "ann=TOKEN-1,TOKEN-2", '{"ann": {"x": "TOKEN-1"}}', '{"ann": TOKEN-1}', '{"ann": ["TOKEN-1"]}']
)
def test_the_error_that_stops_the_start_does_not_print_a_token(given_env: Any, value: str) -> None:
    with pytest.raises(ValidationError) as stopped:
        given_env(GITHUB_TOKENS=value)
    assert "TOKEN-" not in str(stopped.value)


def test_a_variable_of_another_name_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEKEEPER_NO_SUCH_SETTING", "x")
    monkeypatch.setenv("PORT", "1")
    assert Settings().port == 8_765


@pytest.mark.rule("PLT-139")
def test_no_ceiling_of_the_contract_is_a_setting() -> None:
    ceilings = {name.lower() for name in vars(limits) if name.isupper()}
    assert ceilings & set(Settings.model_fields) == set()
    assert len(ceilings) > 20
