"""`codekeeper repo` in the embedded form, as a shell runs it: what is on stdout, what the exit code is, what the registry holds."""

import json
import shutil
import uuid
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner, Result

from gateway.commands import repo as command
from gateway.commands import wait_for_sync
from gateway.commands.repo import repo
from shared.database import repositories
from shared.errors import ErrorCode, Refused
from shared.limits import SYNC_RETRY_AFTER_S
from shared.tasks import SYNC_REPOSITORY, TaskKind
from tests.git_repositories import commit_files, git, new_repository
from tests.service import Service, running_service


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    # Logging is the process's: here it is taken off stdout, where the results are.
    with running_service(tmp_path / "data", monkeypatch) as running, structlog.testing.capture_logs():
        monkeypatch.setattr(command, "configure_logging", lambda _level: None)
        monkeypatch.setattr(wait_for_sync, "POLL_S", 0.01)
        yield running


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    repository = new_repository(tmp_path / "remote.git")
    commit_files(repository, {"a.txt": b"one\n"})
    return repository


def run(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit code, and what each line on stdout holds."""
    result: Result = CliRunner().invoke(repo, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


class QueueThatLosesTasks:
    """A `TaskSender` whose tasks are never begun."""

    sent: list[tuple[TaskKind, tuple[str | bool, ...]]]

    def __init__(self, refusal: Refused | None = None) -> None:
        self.sent = []
        self._refusal = refusal

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def send(self, kind: TaskKind, *arguments: str | bool) -> None:
        if self._refusal is not None:
            raise self._refusal
        self.sent.append((kind, arguments))


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> QueueThatLosesTasks:
    queue = QueueThatLosesTasks()
    monkeypatch.setattr(command, "make_sender", lambda _settings: queue)
    return queue


def test_the_group_is_the_entry_point_of_the_command_line() -> None:
    (entry,) = (entry for entry in entry_points(group="codekeeper.commands") if entry.name == "repo")
    assert entry.load() is repo


def test_adding_mirrors_the_repository_and_prints_its_record(service: Service, remote: Path) -> None:
    code, lines = run("add", "repo", str(remote))
    assert (code, lines) == (0, [service.record().record()])
    assert lines[0]["sync_status"] == "ok"
    assert lines[0]["default_branch"] == "main"
    assert lines[0]["repo_url"] == str(remote)
    assert service.mirror().is_dir()


def test_a_relative_path_is_registered_as_an_absolute_one(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(remote.parent)
    assert run("add", "repo", "remote.git")[0] == 0
    assert service.record().address == str(remote)


def test_a_pinned_branch_is_the_default_one(service: Service, remote: Path) -> None:
    git(remote, "branch", "release/1")
    code, (record,) = run("add", "repo", str(remote), "--branch", "release/1")
    assert (code, record["default_branch"]) == (0, "release/1")
    assert service.record().pinned_branch == "release/1"


def test_a_first_sync_that_fails_keeps_the_record_and_exits_1(service: Service, tmp_path: Path) -> None:
    code, (record,) = run("add", "repo", str(tmp_path / "nowhere"))
    assert code == 1
    assert record["sync_status"] == "failed"
    assert "does not appear to be a git repository" in record["sync_error"]
    assert service.record().sync_status == "failed"


@pytest.mark.parametrize(
    ("name", "address", "error"),
    [
        ("-x", "/srv/a", "usage"),
        ("a/b", "/srv/a", "invalid_input"),
        ("a" * 101, "/srv/a", "invalid_input"),
        ("repo", "ext::sh -c touch% /x", "protocol_not_allowed"),
        ("repo", "http://host/x", "protocol_not_allowed"),
        ("repo", "https://user:pw@host/x", "invalid_input"),
        ("repo", "", "invalid_input"),
    ],
)
def test_what_may_not_be_added_is_refused_and_not_registered(service: Service, name: str, address: str, error: str) -> None:
    if error == "usage":
        assert CliRunner().invoke(repo, ["add", name, address]).exit_code == 2
    else:
        code, (refusal,) = run("add", name, address)
        assert (code, refusal["ok"], refusal["error"]) == (1, False, error)
        assert "pw" not in json.dumps(refusal)
    assert repositories.all_repositories(service.engine) == []


@pytest.mark.parametrize("branch", ["", "-x", "a b", "a..b", "a.lock", "/a", "a/", "HEAD", "@", "a~1", "a:b", ".a", "a\nb", "x" * 1001])
def test_a_branch_that_git_could_not_name_is_refused(service: Service, remote: Path, branch: str) -> None:
    code, (refusal,) = run("add", "repo", str(remote), f"--branch={branch}")
    assert (code, refusal["error"]) == (1, "invalid_input")
    assert repositories.all_repositories(service.engine) == []


def test_a_local_path_is_refused_where_file_is_not_allowed(tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_service(tmp_path / "other", monkeypatch, CLONE_PROTOCOLS="https"):
        code, (refusal,) = run("add", "repo", str(remote))
    assert (code, refusal["error"], refusal["protocol"], refusal["allowed"]) == (1, "protocol_not_allowed", "file", ["https"])


def test_a_name_is_added_once(service: Service, remote: Path) -> None:
    run("add", "repo", str(remote))
    code, (refusal,) = run("add", "repo", "/somewhere/else")
    assert (code, refusal["error"], refusal["repo"]) == (1, "repo_exists", "repo")
    assert service.record().address == str(remote)


def test_the_list_is_one_record_a_line_by_name(service: Service) -> None:
    assert run("list") == (0, [])
    service.add("b", "/b")
    service.add("a", "/a")
    code, lines = run("list")
    assert (code, [line["repo_name"] for line in lines]) == (0, ["a", "b"])
    assert lines == [service.record(name).record() for name in ("a", "b")]


def test_a_sync_by_command_fetches_although_the_default_branch_is_where_it_was(service: Service, remote: Path) -> None:
    run("add", "repo", str(remote))
    commit_files(remote, {"f": b"f\n"}, ref="refs/heads/feature")
    code, lines = run("sync", "repo")
    assert (code, lines) == (0, [service.record().record()])
    assert git(service.mirror(), "rev-parse", "feature") == git(remote, "rev-parse", "feature")


def test_a_sync_of_all_prints_a_line_for_each_and_exits_1_when_one_failed(service: Service, remote: Path) -> None:
    service.add("gone", remote.parent / "nowhere")
    service.add("here", remote)
    code, lines = run("sync")
    assert code == 1
    assert [(line["repo_name"], line["sync_status"]) for line in lines] == [("gone", "failed"), ("here", "ok")]


def test_nothing_registered_is_nothing_to_sync(service: Service) -> None:
    assert run("sync") == (0, [])
    assert service.data_dir.is_dir()


@pytest.mark.parametrize("name_of_command", ["sync", "remove"])
def test_a_name_that_is_not_registered_is_unknown(service: Service, name_of_command: str) -> None:
    code, (refusal,) = run(name_of_command, "nobody")
    assert (code, refusal["error"], refusal["repo"]) == (1, "unknown_repo", "nobody")
    assert repositories.all_repositories(service.engine) == []


@pytest.mark.parametrize("name_of_command", ["sync", "remove"])
def test_while_another_sync_runs_the_refusal_says_when_to_come_back(service: Service, remote: Path, name_of_command: str) -> None:
    run("add", "repo", str(remote))
    assert repositories.lock(service.engine, "repo", "another")
    code, (refusal,) = run(name_of_command, "repo")
    assert (code, refusal["error"], refusal["retry_after"]) == (1, "sync_in_progress", SYNC_RETRY_AFTER_S)
    assert service.mirror().is_dir()


def test_another_sync_that_comes_first_is_said_and_not_waited_for(
    service: Service, remote: Path, lost: QueueThatLosesTasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)

    async def send_while_another_begins(*_: object) -> None:
        repositories.lock(service.engine, "repo", "another")

    monkeypatch.setattr(lost, "send", send_while_another_begins)
    code, (refusal,) = run("sync", "repo")
    assert (code, refusal["error"]) == (1, "sync_in_progress")


def test_adding_waits_for_the_first_sync_whoever_began_it(
    service: Service, remote: Path, lost: QueueThatLosesTasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def the_schedule_came_first(kind: TaskKind, name: str, *_: object) -> None:
        assert kind is SYNC_REPOSITORY
        service.sync(name, "by schedule")

    monkeypatch.setattr(lost, "send", the_schedule_came_first)
    code, (record,) = run("add", "repo", str(remote))
    assert (code, record["sync_status"]) == (0, "ok")


def test_a_task_that_no_worker_begins_ends_the_wait_with_3(
    service: Service, remote: Path, lost: QueueThatLosesTasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wait_for_sync, "IDLE_S", 0)
    code, (refusal,) = run("add", "repo", str(remote))
    assert (code, refusal["error"]) == (3, "queue_unavailable")
    ((kind, arguments),) = lost.sent
    assert kind is SYNC_REPOSITORY
    assert arguments[0] == "repo"
    assert uuid.UUID(str(arguments[1]))
    assert arguments[2] is True
    assert service.record().sync_status == "never"


def test_a_queue_that_can_not_be_reached_exits_3(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = QueueThatLosesTasks(Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=5))
    monkeypatch.setattr(command, "make_sender", lambda _settings: queue)
    service.add("repo", remote)
    assert run("sync", "repo") == (3, [{"ok": False, "error": "queue_unavailable", "retry_after": 5}])


def test_removing_prints_the_record_that_is_gone(service: Service, remote: Path) -> None:
    run("add", "repo", str(remote))
    before = service.record().record()
    assert run("remove", "repo") == (0, [before])
    assert repositories.all_repositories(service.engine) == []
    assert not service.mirror().exists()
    assert run("add", "repo", str(remote))[0] == 0


def test_a_mirror_that_is_not_there_is_removed_all_the_same(service: Service, remote: Path) -> None:
    run("add", "repo", str(remote))
    shutil.rmtree(service.mirror())
    assert run("remove", "repo")[0] == 0
    assert repositories.all_repositories(service.engine) == []


def test_every_command_has_examples_in_its_help() -> None:
    for arguments in ([], ["add"], ["list"], ["sync"], ["remove"]):
        shown = CliRunner().invoke(repo, [*arguments, "--help"]).stdout
        assert "Example" in shown
        assert f"codekeeper repo {arguments[0] if arguments else 'add'}" in shown
