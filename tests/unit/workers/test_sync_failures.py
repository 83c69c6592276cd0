"""How a sync ends that can't succeed: the old mirror readable, the lock given back, the reason in the record, no credential anywhere."""

import base64
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from celery.exceptions import SoftTimeLimitExceeded
from sqlalchemy.exc import OperationalError

from tests.fake_git import FakeGit
from tests.git_repositories import commit_files
from tests.service import Service, refs, running_service
from workers.mirror.git_process import MAX_STDERR_CHARS
from workers.mirror.remote import Remote
from workers.tasks.sync import OUR_DEFECT

TOKEN = "token-of-acme-0123456789"
ENCODED = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with running_service(tmp_path / "data", monkeypatch, GITHUB_TOKENS=f"Acme={TOKEN}", GITHUB_TOKEN="common-token") as running:
        yield running


def synced(service: Service, remote: Path) -> list[str]:
    """The refs of a mirror that is up to date, before the remote moves on."""
    service.add("repo", remote)
    assert service.sync(sync_id="first").sync_status == "ok"
    known = refs(service.mirror())
    commit_files(remote, {"a.txt": b"moved on\n"})
    return known


def test_a_remote_that_is_gone_leaves_the_mirror_as_it_was_and_the_reason_in_the_record(service: Service, remote: Path) -> None:
    before, record = synced(service, remote), service.record()
    shutil.move(remote, remote.with_suffix(".away"))
    failed = service.sync(sync_id="second")
    assert (failed.sync_status, failed.last_sync_id, failed.sync_owner) == ("failed", "second", None)
    assert failed.sync_error is not None
    assert "does not appear to be a git repository" in failed.sync_error
    assert refs(service.mirror()) == before
    assert (failed.last_synced_sha, failed.default_branch, failed.total_files, failed.last_sync_time) == (
        record.last_synced_sha, record.default_branch, record.total_files, record.last_sync_time
    )  # fmt: skip
    shutil.move(remote.with_suffix(".away"), remote)
    assert service.sync().sync_error is None


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'fatal: write error: No space left on device' >&2; exit 128", "No space left on device"),
        ("head -c 100000 /dev/urandom >&2; head -c 100000 /dev/urandom; exit 1", "git fetch: "),
        ("kill -9 $$", "git fetch: exit code -9"),
        ("exit 3", "git fetch: exit code 3"),
    ],
    ids=["disk full", "garbage", "killed", "silent"],
)
def test_a_fetch_that_fails_leaves_the_mirror_as_it_was(
    service: Service, remote: Path, fake_git: FakeGit, script: str, reason: str
) -> None:
    before = synced(service, remote)
    fake_git.instead_of(("fetch",), script)
    failed = service.sync(sync_id="second")
    assert failed.sync_status == "failed"
    assert failed.sync_error is not None
    assert reason in failed.sync_error
    assert len(failed.sync_error) <= MAX_STDERR_CHARS
    assert refs(service.mirror()) == before
    fake_git.instead_of((), "")
    assert service.sync().sync_status == "ok"


def test_a_clone_that_fails_leaves_nothing(service: Service, remote: Path, fake_git: FakeGit) -> None:
    fake_git.instead_of(("fetch",), "echo 'fatal: early EOF' >&2; exit 128")
    service.add("repo", remote)
    failed = service.sync()
    assert (failed.sync_status, failed.sync_error, failed.default_branch) == ("failed", "git fetch: fatal: early EOF", None)
    assert service.folders() == []


def test_a_move_that_the_disk_refuses_is_recorded(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)

    def no_space(_self: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", no_space)
        failed = service.sync()
    assert (failed.sync_status, failed.sync_error) == ("failed", "The disk or the system: No space left on device.")
    assert service.folders() == []


@pytest.mark.rule("PLT-123", "REF-46", "PLT-120")
def test_the_owners_token_reaches_git_by_its_environment_and_nothing_else(
    service: Service, fake_git: FakeGit, capfd: pytest.CaptureFixture[str]
) -> None:
    fake_git.instead_of(("ls-remote",), f"echo 'fatal: bad {TOKEN} or {ENCODED}, see https://u:{TOKEN}@github.com/x' >&2; exit 128")
    service.add("repo", "https://github.com/acme/private")
    with structlog.testing.capture_logs() as logs:
        failed = service.sync()
    (call,) = fake_git.calls()
    assert call["env"]["GIT_CONFIG_KEY_0"] == "http.https://github.com/.extraheader"
    assert call["env"]["GIT_CONFIG_VALUE_0"] == f"Authorization: Basic {ENCODED}"
    told = json.dumps(call["argv"]) + repr(logs) + repr(failed) + "".join(capfd.readouterr())
    assert failed.sync_error == "git ls-remote: fatal: bad *** or ***, see https://***@github.com/x"
    assert TOKEN not in told
    assert ENCODED not in told


@pytest.mark.rule("PLT-123")
@pytest.mark.parametrize(
    ("address", "token"),
    [
        ("https://github.com/ACME/x", TOKEN),
        ("https://GitHub.com/acme/x", TOKEN),
        ("https://github.com:443/acme/x", TOKEN),
        ("https://github.com/other/x", "common-token"),
        ("https://github.com.evil.example/acme/x", None),
        ("https://evil.example/github.com/acme/x", None),
        ("https://github.com:8443/acme/x", None),
        ("ssh://git@github.com/acme/x", None),
        ("git@github.com:acme/x", None),
    ],
)
def test_a_token_is_chosen_by_owner_and_only_for_github(service: Service, fake_git: FakeGit, address: str, token: str | None) -> None:
    fake_git.instead_of(("ls-remote",), "exit 128")
    service.add("repo", address)
    service.sync()
    (call,) = fake_git.calls()
    sent = [value for key, value in call["env"].items() if key.startswith("GIT_CONFIG_VALUE_")]
    expected = [] if token is None else [f"Authorization: Basic {base64.b64encode(f'x-access-token:{token}'.encode()).decode()}"]
    assert sent == expected


@pytest.mark.parametrize("address", ["ext::sh -c touch% {planted}", "--upload-pack=touch {planted}", "-{planted}"])
def test_an_address_in_the_registry_that_nobody_checked_runs_nothing(service: Service, tmp_path: Path, address: str) -> None:
    planted = tmp_path / "planted"
    service.add("repo", address.format(planted=planted))
    assert service.sync().sync_status == "failed"
    assert not planted.exists()


def test_a_local_path_does_not_sync_where_file_is_not_allowed(tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_service(tmp_path / "other", monkeypatch, CLONE_PROTOCOLS="https,ssh") as service:
        service.add("repo", remote)
        failed = service.sync()
    assert failed.sync_error == "git ls-remote: fatal: transport 'file' not allowed"


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (SoftTimeLimitExceeded(), "It took longer than 660 s."),
        (MemoryError(), "It needed more memory than its share."),
        (OperationalError("s", {}, Exception()), "The database could not be used."),
    ],
)
def test_whatever_ends_a_sync_gives_the_lock_back(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch, raised: Exception, reason: str
) -> None:
    service.add("repo", remote)

    def end(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(Remote, "fetch", end)
    failed = service.sync()
    assert (failed.sync_status, failed.sync_error, failed.sync_owner) == ("failed", reason, None)
    assert service.folders() == []


def test_our_own_defect_gives_the_lock_back_and_is_raised(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)

    def defect(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Remote, "fetch", defect)
    with pytest.raises(ZeroDivisionError):
        service.sync()
    failed = service.record()
    assert (failed.sync_status, failed.sync_error, failed.sync_owner) == ("failed", OUR_DEFECT, None)


def test_counts_that_can_not_be_written_leave_the_old_ones_with_the_old_commit(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced(service, remote)
    before = service.record()

    def refuse(*_: object) -> None:
        raise OperationalError("s", {}, Exception())

    monkeypatch.setattr("shared.database.line_index.apply_changes", refuse)
    failed = service.sync(sync_id="second")
    assert (failed.sync_status, failed.last_sync_id, failed.sync_owner) == ("failed", "second", None)
    assert (failed.last_synced_sha, service.index()) == (before.last_synced_sha, {"a.txt": 2})
