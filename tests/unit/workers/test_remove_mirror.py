"""Forgetting a repository: the mirror, its record and its counts, all or nothing."""

from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from shared.database import repositories
from tests.service import Service, refs


def test_a_removed_repository_is_gone_from_disk_registry_and_index(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    service.remove()
    assert service.folders() == []
    assert service.index() == {}
    service.remove()  # nothing there: nothing done
    service.add("repo", remote)
    assert service.sync().sync_status == "ok"


def test_a_removal_that_the_database_refuses_brings_the_mirror_back(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)
    service.sync()

    def gone(*_: object) -> bool:
        raise OperationalError("s", {}, Exception())

    with monkeypatch.context() as patched:
        patched.setattr(repositories, "remove", gone)
        service.remove()
    left = service.record()
    assert (left.sync_status, left.last_sync_id, left.sync_owner) == ("failed", "removal", None)
    assert refs(service.mirror()) == refs(remote)


def test_a_removal_while_a_sync_runs_does_nothing(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    assert repositories.lock(service.engine, "repo", "another")
    service.remove()
    assert service.record().sync_owner == "another"
    assert refs(service.mirror()) == refs(remote)
