"""A pass of the schedule: a task for each repository, and nothing that goes wrong with one is another's matter."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from kombu.exceptions import OperationalError as BrokerError
from sqlalchemy.exc import OperationalError

from gateway.dispatch.embedded_sender import EmbeddedCelery
from shared.database import repositories
from shared.settings import settings
from shared.tasks import SYNC, SYNC_ALL, SYNC_REPOSITORY, TASKS
from tests.git_repositories import commit_files, new_repository
from tests.service import Service, running_service


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with running_service(tmp_path / "data", monkeypatch, SYNC_INTERVAL="120") as running:
        yield running


class RecordingApp(Celery):
    """An application that writes down what it is told to send."""

    def __init__(self) -> None:
        super().__init__("recording", set_as_current=False)
        self.sent: list[tuple[str, list[Any], dict[str, Any]]] = []
        self.refuses: set[str] = set()

    def send_task(self, name: str, args: Any = None, **options: Any) -> None:  # type: ignore[override]
        if args[0] in self.refuses:
            raise BrokerError
        self.sent.append((name, args, options))


def test_a_pass_sends_a_sync_of_every_repository_that_is_not_being_synced(service: Service) -> None:
    for name in ("a", "b", "c"):
        service.add(name, f"/{name}")
    assert repositories.lock(service.engine, "b", "runs")
    app = RecordingApp()
    app.tasks[SYNC_ALL.name]()
    assert [(name, args[0], args[2]) for name, args, _ in app.sent] == [
        (SYNC_REPOSITORY.name, "a", False),
        (SYNC_REPOSITORY.name, "c", False),
    ]
    assert len({args[1] for _, args, _ in app.sent}) == 2
    assert [options for _, _, options in app.sent] == [{"queue": SYNC, "expires": 120, "ignore_result": True, "retry": False}] * 2


@pytest.mark.rule("PLT-120")
def test_a_pass_goes_on_when_a_task_can_not_be_sent_and_never_raises(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        service.add(name, f"/{name}")
    app = RecordingApp()
    app.refuses = {"a"}
    app.tasks[SYNC_ALL.name]()
    assert [args[0] for _, args, _ in app.sent] == ["b"]

    def gone(*_: object) -> None:
        raise OperationalError("s", {}, Exception())

    monkeypatch.setattr(repositories, "all_repositories", gone)
    app.tasks[SYNC_ALL.name]()


def test_embedded_a_pass_syncs_everything_on_its_own_threads(service: Service, tmp_path: Path) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(remote, {"a": b"a\n"})
    service.add("a", remote)
    service.add("b", tmp_path / "nowhere")
    app = EmbeddedCelery(settings())
    app.send_task(SYNC_ALL.name, queue=SYNC).result(60)
    for pool in app._pools.values():
        pool.shutdown(wait=True)
    assert (service.record("a").sync_status, service.record("b").sync_status) == ("ok", "failed")


def test_the_tasks_of_the_queue_state_their_options() -> None:
    app = RecordingApp()
    for kind in TASKS:
        if kind.queue == SYNC:
            task = app.tasks[kind.name]
            assert (task.soft_time_limit, task.time_limit, task.acks_late, task.max_retries) == (kind.soft_s, kind.hard_s, False, 0)
