"""`codekeeper token`, as an operator types it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.commands import token as command
from shared.settings import Settings

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    values = Settings(data_dir=tmp_path)
    monkeypatch.setattr(command, "settings", lambda: values)
    return lambda *arguments: CliRunner().invoke(command.token, list(arguments))


@pytest.mark.rule("PLT-43", "PLT-44", "PLT-45")
def test_a_token_is_issued_listed_and_revoked(run: Run) -> None:
    issued = json.loads(run("issue", "--user", "dana", "--label", "laptop", "--ttl-days", "2", "--write").stdout)
    assert list(issued) == ["token", "id", "user", "scopes", "expires_at"]
    assert (issued["user"], issued["scopes"]) == ("dana", ["read", "write"])
    forever = json.loads(run("issue", "--user", "ci").stdout)
    assert (forever["scopes"], forever["expires_at"]) == (["read"], None)
    listed = [json.loads(line) for line in run("list").stdout.splitlines()]
    assert [(entry["id"], entry["user"], entry["label"], entry["revoked"]) for entry in listed] == [
        (issued["id"], "dana", "laptop", False),
        (forever["id"], "ci", "", False),
    ]
    assert issued["token"] not in str(listed)
    revoked = run("revoke", str(issued["id"]))
    assert (revoked.exit_code, json.loads(revoked.stdout)["revoked"]) == (0, True)


def test_what_cannot_be_done_is_said_with_its_exit_code(run: Run) -> None:
    unknown = run("revoke", "99")
    assert (unknown.exit_code, json.loads(unknown.stdout)["error"]) == (1, "unknown_token")
    usage = (
        ["issue"],
        ["issue", "--user", " "],
        ["issue", "--user", "u" * 256],
        ["issue", "--user", "u", "--ttl-days", "0"],
        ["revoke", "x"],
    )
    for arguments in usage:
        ended = run(*arguments)
        assert (ended.exit_code, ended.stdout) == (2, "")
