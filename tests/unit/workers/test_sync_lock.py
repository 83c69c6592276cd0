"""One sync at a time: the lock, what becomes of it when its sync is killed or it is lost, and what a sync says while it works."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from shared.database import repositories
from shared.limits import SYNC_LOCK_S
from tests.fake_git import FakeGit
from tests.git_repositories import commit_files
from tests.service import Service, refs
from workers.mirror import sync_lock
from workers.mirror.remote import Remote
from workers.mirror.sync_lock import SyncLock
from workers.mirror.sync_mirror import MirrorSync
from workers.tasks.sync import sync_repository

ROOT = Path(__file__).parents[3]


@pytest.mark.rule("PLT-117")
@pytest.mark.parametrize("has_mirror", [True, False], ids=["fetch", "clone"])
def test_a_sync_that_was_killed_blocks_no_longer_than_its_lock_and_leaves_nothing(
    service: Service, remote: Path, fake_git: FakeGit, tmp_path: Path, *, has_mirror: bool
) -> None:
    service.add("repo", remote)
    if has_mirror:
        service.sync(sync_id="first")
        commit_files(remote, {"a.txt": b"moved on\n"})
    os.mkfifo(alive := tmp_path / "alive")
    fake_git.instead_of(
        ("fetch",),
        f"mkdir -p $2/objects/pack $2/refs/heads; echo half > $2/objects/pack/tmp_pack_x; touch $2/packed-refs.lock $2/refs/heads/main.lock"
        f" $2/shallow.lock $2/objects/pack/pack-1.keep; mkdir $2/objects/tmp_objdir-1; exec > {alive}; echo begun; exec sleep 1000",
    )
    program = "from workers.tasks.sync import sync_repository; sync_repository('repo', 'killed', True)"
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) as process, alive.open("rb") as git_alive:
        assert git_alive.readline() == b"begun\n"
        assert service.record().syncing
        process.send_signal(signal.SIGKILL)
        assert git_alive.read() == b""
    fake_git.instead_of((), "")
    blocked = service.sync(sync_id="too early")
    assert (blocked.sync_owner, blocked.syncing) == ("killed", True)
    assert (blocked.sync_expires_at or 0) - time.time() <= SYNC_LOCK_S
    service.write(sync_expires_at=int(time.time()))
    record = service.sync(sync_id="next")
    assert (record.sync_status, record.last_sync_id) == ("ok", "next")
    assert refs(service.mirror()) == refs(remote)
    assert service.folders() == ["repo.git"]
    left = [path.name for path in service.mirror().rglob("*") if path.name.startswith("tmp_") or path.suffix in {".lock", ".keep"}]
    assert left == []


def test_leftovers_of_another_repository_are_not_touched(service: Service, remote: Path) -> None:
    service.mirrors.mkdir(parents=True)
    (service.mirrors / ".repo-2.x.tmp").mkdir()
    (service.mirrors / ".repo.x.tmp").mkdir()
    service.add("repo", remote)
    service.sync()
    assert service.folders() == [".repo-2.x.tmp", "repo.git"]


@pytest.mark.rule("PLT-117")
def test_of_two_syncs_at_once_the_second_does_nothing(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)
    original = Remote.fetch
    seen: list[tuple[bool, str | None]] = []

    def fetch_and_start_another(self: Remote, *arguments: object, **options: object) -> None:
        sync_repository("repo", "second", True)
        record = service.record()
        seen.append((record.syncing, record.sync_owner))
        original(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Remote, "fetch", fetch_and_start_another)
    record = service.sync(sync_id="first")
    assert seen == [(True, "first")]
    assert (record.sync_status, record.last_sync_id) == ("ok", "first")


@pytest.mark.parametrize("has_mirror", [True, False], ids=["fetch", "clone"])
def test_a_sync_that_lost_its_lock_stops_and_writes_nothing(
    service: Service, remote: Path, fake_git: FakeGit, monkeypatch: pytest.MonkeyPatch, *, has_mirror: bool
) -> None:
    service.add("repo", remote)
    if has_mirror:
        service.sync(sync_id="first")
    before = service.record()
    monkeypatch.setattr(sync_lock, "SYNC_LOCK_RENEW_S", 0)
    monkeypatch.setattr(sync_lock, "_PROGRESS_S", 0)
    fake_git.instead_of(("fetch",), "echo 'Receiving objects:  45% (9/20)' >&2; exec sleep 1000")
    original = SyncLock.renew

    def renew_after_it_was_taken(self: SyncLock) -> None:
        if self._percent == 45:
            service.write(sync_owner="thief")
        original(self)

    monkeypatch.setattr(SyncLock, "renew", renew_after_it_was_taken)
    after = service.sync(sync_id="loser")
    assert after.sync_owner == "thief"
    assert (after.sync_status, after.last_sync_id, after.sync_error) == (before.sync_status, before.last_sync_id, None)
    assert service.folders() == (["repo.git"] if has_mirror else [])


def test_a_sync_that_lost_its_lock_after_counting_writes_no_line(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)
    original = MirrorSync.run

    def run_and_lose(self: MirrorSync, *, force: bool) -> object:
        done = original(self, force=force)
        service.write(sync_owner="thief")
        return done

    monkeypatch.setattr(MirrorSync, "run", run_and_lose)
    after = service.sync(sync_id="loser")
    assert (after.sync_owner, after.last_synced_sha, service.index()) == ("thief", None, {})


def test_progress_of_git_is_in_the_record_while_it_works(
    service: Service, remote: Path, fake_git: FakeGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)
    monkeypatch.setattr(sync_lock, "SYNC_LOCK_RENEW_S", 0)
    monkeypatch.setattr(sync_lock, "_PROGRESS_S", 0)
    fake_git.instead_of(("fetch",), "printf 'remote: Counting objects:  7%% (1/20)\\rReceiving objects:  45%% (9/20)' >&2; exit 1")
    seen: list[tuple[str | None, int | None]] = []
    original = SyncLock.renew

    def renew_and_look(self: SyncLock) -> None:
        original(self)
        record = service.record()
        seen.append((record.sync_stage, record.sync_percent))

    monkeypatch.setattr(SyncLock, "renew", renew_and_look)
    service.sync()
    assert seen[-1] == ("Receiving objects", 45)


def test_a_database_that_is_gone_raises_nothing_and_the_lock_falls_by_itself(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)

    def gone(*_: object) -> bool:
        raise OperationalError("s", {}, Exception())

    with monkeypatch.context() as patched:
        patched.setattr(repositories, "unlock", gone)
        service.sync()
    left = service.record()
    assert left.sync_owner == "sync"
    assert 0 < (left.sync_expires_at or 0) - time.time() <= SYNC_LOCK_S
    with monkeypatch.context() as patched:
        patched.setattr(repositories, "lock", gone)
        service.sync(sync_id="other")


def test_a_moment_without_the_database_does_not_end_a_sync_and_a_longer_one_does(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)
    assert repositories.lock(service.engine, "repo", "sync")
    lock = SyncLock(service.engine, "repo", "sync")

    def gone(*_: object) -> bool:
        raise OperationalError("s", {}, Exception())

    monkeypatch.setattr(repositories, "renew_lock", gone)
    lock.renew()
    lock._renewed -= SYNC_LOCK_S
    with pytest.raises(sync_lock.LockLost):
        lock.renew()
