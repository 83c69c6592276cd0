"""The worker's half of `/readyz`: when the database and the mirrors count as there."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from shared.wire.call import Call, Caller
from tests.service import Service, running_service
from workers.tasks import ready as module
from workers.tasks.ready import ready_task


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with running_service(tmp_path / "data", monkeypatch) as made:
        yield made


def found() -> dict[str, Any]:
    caller = Caller(user="readyz", scopes=frozenset(), admin=False)
    sent = ready_task(Call(id="1", caller=caller, entered=time.time(), deadline=time.time() + 5, arguments={}).model_dump(mode="json"))
    answer: dict[str, Any] = json.loads(sent)
    return answer


def answer(mirrors: str, registered: int | None, present: int | None, database: str = "ok") -> dict[str, Any]:
    return {"database": database, "mirrors": mirrors, "mirrors_registered": registered, "mirrors_present": present}


def synced(service: Service, *names: str) -> None:
    """Repositories as a sync leaves them, as far as anybody looks here."""
    for name in names:
        service.add(name, "https://git.example.invalid/it.git")
        service.write(name, sync_status="ok", last_sync_time=1_700_000_000)
        service.mirror(name).mkdir(parents=True)


def test_a_new_service_is_ready_before_its_first_sync(service: Service) -> None:
    assert found() == answer("ok", 0, 0)
    service.add("never", "https://git.example.invalid/never.git")
    assert found() == answer("ok", 0, 0)
    service.mirrors.mkdir()
    assert found() == answer("ok", 0, 0)


def test_one_lost_mirror_is_counted_and_takes_nothing_out_of_service(service: Service) -> None:
    synced(service, "a", "b", "c")
    service.write("b", sync_status="failed")  # it was synced once, and its mirror is served still
    assert found() == answer("ok", 3, 3)
    service.mirror("a").rmdir()
    assert found() == answer("ok", 3, 2)


def test_when_the_folder_is_gone_or_empty_or_unreadable_the_mirrors_are_unavailable(service: Service) -> None:
    synced(service, "a", "b")
    shutil.rmtree(service.mirrors)
    assert found() == answer("unavailable", 2, None)
    service.mirrors.touch()
    assert found() == answer("unavailable", 2, None)
    service.mirrors.unlink()
    service.mirrors.mkdir()  # the mount point of a volume that isn't mounted
    assert found() == answer("unavailable", 2, 0)


def test_a_database_that_is_gone_is_seen_though_a_connection_to_it_is_open_and_none_is_made_in_its_place(service: Service) -> None:
    synced(service, "a")
    assert service.record("a").name == "a"  # the process's own engine keeps a connection
    file = service.data_dir / "codekeeper.sqlite3"
    file.rename(file.with_suffix(".away"))
    assert found() == answer("unknown", None, None, database="unavailable")
    assert not file.exists()
    file.with_suffix(".away").replace(file)
    assert found() == answer("ok", 1, 1)


def test_a_file_that_is_no_database_is_unavailable(service: Service) -> None:
    service.engine.dispose()
    (service.data_dir / "codekeeper.sqlite3").write_bytes(b"no database at all, but a file of its name" * 100)
    assert found() == answer("unknown", None, None, database="unavailable")


def test_a_database_that_is_not_done_before_the_soft_limit_is_unavailable(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    synced(service, "a")

    def hangs(_engine: object) -> None:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(module.repositories, "all_repositories", hangs)
    assert found() == answer("unknown", None, None, database="unavailable")
