"""The search copy: what a sync makes of it, what a search finds, and that neither can go wrong in a way that an answer shows."""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
import structlog

from tests.fake_git import FakeGit
from tests.git_repositories import commit_files, git, git_line, link, new_repository, submodule
from tests.hosted.processes import is_alive, wait_until
from tests.service import Service
from workers.mirror import search_copies, search_copy
from workers.mirror.git_process import GitFailed, run_git
from workers.mirror.search_folder import SearchFolder, search_folder

FILES = {
    "a.txt": b"needle one\nNEEDLE two\n",
    "docs/b.md": b"no such thing\n",
    "docs/deep/\xc3\xa9.txt".encode("latin-1"): "נדל needle\n".encode(),
    b"not-utf8-\xe9": b"needle\xe9\n",
    "binary": b"needle\0\n",
    "large": b"x" * 200_000 + b"\nneedle\n",
    "link": link("a.txt"),
    "sub": submodule(),
}


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    repository = new_repository(tmp_path / "remote.git")
    commit_files(repository, FILES)
    return repository


def copies(service: Service) -> list[str]:
    """What is kept for the repository's searches, by name."""
    folder = service.data_dir / "search" / "repo"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def found_in(service: Service, commit: str) -> SearchFolder:
    with search_folder(service.data_dir / "search", service.mirror(), "repo", commit) as folder:
        return folder


def grep(git_dir: Path, commit: str) -> bytes:
    return run_git("grep", "-z", "-n", "-I", "-i", "-F", "-e", "needle", commit, git_dir=git_dir, timeout_s=20)


def commit_of(service: Service) -> str:
    commit = service.record().last_synced_sha
    assert commit is not None
    return commit


def packs(folder: Path) -> list[Path]:
    return sorted((folder / "objects" / "pack").glob("*.pack"))


def test_a_sync_makes_a_copy_in_which_git_finds_the_same_bytes(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    commit = commit_of(service)
    folder = found_in(service, commit)
    assert folder.is_copy
    assert grep(folder.git_dir, commit) == grep(service.mirror(), commit)
    assert grep(folder.git_dir, commit).count(b"\n") == 5
    assert copies(service) == [f"{commit}.git"]


def test_a_copy_is_whole_by_itself_and_holds_one_commit(service: Service, remote: Path) -> None:
    commit_files(remote, FILES | {"second.txt": b"2\n"})
    service.add("repo", remote)
    service.sync()
    commit = commit_of(service)
    copy = found_in(service, commit).git_dir
    shutil.rmtree(service.mirror())
    git(copy, "fsck", "--strict", "--full")
    assert git_line(copy, "rev-list", "--count", commit) == "1"
    assert git_line(copy, "rev-parse", "HEAD") == commit
    assert not (copy / "objects" / "info" / "alternates").exists()


def test_objects_in_a_copy_are_neither_compressed_nor_deltas(service: Service, remote: Path) -> None:
    similar = {f"{number}.txt": b"a line that repeats\n" * 1000 + str(number).encode() for number in range(20)}
    commit_files(remote, similar)
    service.add("repo", remote)
    service.sync()
    (pack,) = packs(found_in(service, commit_of(service)).git_dir)
    sizes = [line.split() for line in git_line(pack.parent, "verify-pack", "-v", str(pack)).splitlines()]
    blobs = [(int(words[2]), int(words[3]), len(words)) for words in sizes if len(words) > 1 and words[1] == "blob"]
    assert len(blobs) == len(similar)
    assert all(stored >= size for size, stored, _ in blobs)
    assert {columns for *_, columns in blobs} == {5}  # a delta's line has its depth and base too


def test_a_search_in_another_commit_than_the_copys_looks_into_the_mirror(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    older = commit_of(service)
    commit_files(remote, {"a.txt": b"needle\n"})
    service.sync()
    assert found_in(service, older) == SearchFolder(service.mirror(), is_copy=False)
    assert found_in(service, commit_of(service)).is_copy


def test_a_new_commit_adds_its_changed_files_and_keeps_the_packs_it_has(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    (before,) = packs(found_in(service, commit_of(service)).git_dir)
    files, name = before.stat().st_ino, before.name
    commit_files(remote, FILES | {"docs/b.md": b"needle\n"})
    service.sync()
    commit = commit_of(service)
    copy = found_in(service, commit).git_dir
    after = packs(copy)
    assert len(after) == 2
    assert {pack.name: pack.stat().st_ino for pack in after}[name] == files
    (added,) = (pack for pack in after if pack.name != name)
    kinds = [line.split()[1] for line in git_line(copy, "verify-pack", "-v", str(added)).splitlines() if len(line.split()) == 5]
    assert sorted(kinds) == ["blob", "commit", "tree", "tree"]  # the file, its folder and the root
    git(copy, "fsck", "--strict", "--full")
    assert grep(copy, commit) == grep(service.mirror(), commit)
    assert copies(service) == [f"{commit}.git"]


@pytest.mark.parametrize(("name", "value"), [("SEARCH_COPY_MAX_PACKS", 1), ("_OUTGROWN", 0.5)])
def test_a_copy_of_too_many_or_too_large_packs_is_packed_anew(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: float
) -> None:
    service.add("repo", remote)
    service.sync()
    for number in range(2):
        commit_files(remote, FILES | {"a.txt": f"needle {number}\n".encode()})
        service.sync()
    assert len(packs(found_in(service, commit_of(service)).git_dir)) == 3
    monkeypatch.setattr(search_copies, name, value)
    commit_files(remote, FILES)
    service.sync()
    copy = found_in(service, commit_of(service)).git_dir
    assert len(packs(copy)) == 1
    git(copy, "fsck", "--strict", "--full")


def test_a_disk_without_second_names_gets_a_copy_made_afresh(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)
    service.sync()
    commit_files(remote, FILES | {"a.txt": b"needle\n"})

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(search_copy.os, "link", refuse)
    service.sync()
    copy = found_in(service, commit_of(service))
    assert copy.is_copy
    assert len(packs(copy.git_dir)) == 1


def test_a_scheduled_sync_that_finds_nothing_new_makes_the_copy_that_is_missing(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    shutil.rmtree(service.data_dir / "search")
    assert not found_in(service, commit_of(service)).is_copy
    service.sync(force=False)
    assert found_in(service, commit_of(service)).is_copy


def test_a_copy_that_is_there_is_not_made_again(service: Service, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)
    service.sync()
    fake_git = FakeGit(tmp_path / "bin", monkeypatch)
    service.sync(force=False)
    assert fake_git.commands() == ["ls-remote"]


def test_a_sync_that_lands_during_a_search_leaves_it_its_files(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    older = commit_of(service)
    expected = grep(service.mirror(), older)
    with ExitStack() as search:
        folder = search.enter_context(search_folder(service.data_dir / "search", service.mirror(), "repo", older))
        for number in range(2):
            commit_files(remote, {"a.txt": f"needle {number}\n".encode()})
            service.sync()
        assert grep(folder.git_dir, older) == expected
        assert len(copies(service)) == 2
        assert found_in(service, commit_of(service)).is_copy
    service.sync()
    assert copies(service) == [f"{commit_of(service)}.git"]
    git(found_in(service, commit_of(service)).git_dir, "fsck", "--full")


def test_what_a_killed_sync_left_is_used_by_nobody_and_removed_by_the_next(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    commit = commit_of(service)
    folder = service.data_dir / "search" / "repo"
    (folder / f"{commit}.git").rename(folder / f".{commit}.tmp")
    shutil.copytree(folder / f".{commit}.tmp", folder / f".{'1' * 40}.git.old")
    assert not found_in(service, commit).is_copy
    service.sync(force=False)
    assert copies(service) == [f"{commit}.git"]


@pytest.mark.parametrize(
    "script",
    ["kill -9 $$", "echo 'fatal: write error: No space left on device' >&2; exit 128", "exit 1"],
    ids=["killed", "disk full", "silent"],
)
def test_a_copy_that_git_can_not_make_fails_no_sync_and_is_logged(
    service: Service, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    fake_git = FakeGit(tmp_path / "bin", monkeypatch)
    fake_git.instead_of(("repack",), script)
    service.add("repo", remote)
    with structlog.testing.capture_logs() as logs:
        record = service.sync()
    assert (record.sync_status, record.sync_error, record.total_files) == ("ok", None, len(FILES))
    assert "search_copy_failed" in [entry["event"] for entry in logs]
    assert copies(service) == []
    assert not found_in(service, commit_of(service)).is_copy
    fake_git.instead_of((), "")
    service.sync(force=False)
    assert found_in(service, commit_of(service)).is_copy


def test_a_folder_that_can_not_be_written_fails_no_sync_and_is_logged(service: Service, remote: Path) -> None:
    (service.data_dir / "search").write_bytes(b"a file where the folder would be")
    service.add("repo", remote)
    with structlog.testing.capture_logs() as logs:
        record = service.sync()
    assert record.sync_status == "ok"
    assert [entry["reason"] for entry in logs if entry["event"] == "search_copy_failed"] == ["Not a directory"]
    assert not found_in(service, commit_of(service)).is_copy


def test_a_disk_that_is_nearly_full_gets_no_copy(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)
    service.sync()
    commit_files(remote, {"a.txt": b"needle\n"})
    monkeypatch.setattr(search_copies, "_FREE_BYTES_LEFT", 1 << 60)
    with structlog.testing.capture_logs() as logs:
        record = service.sync()
    assert record.sync_status == "ok"
    assert "search_copy_no_room" in [entry["event"] for entry in logs]
    assert copies(service) == []


def test_a_repository_over_the_ceiling_has_no_copy_and_is_added_up_once(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = sum(len(content) for content in FILES.values() if isinstance(content, bytes)) + len("a.txt")  # where the link leads
    service.add("repo", remote)
    monkeypatch.setattr(search_copies, "SEARCH_COPY_MAX_BYTES", size)
    service.sync()
    assert found_in(service, commit_of(service)).is_copy
    commit_files(remote, FILES | {"one-more": b"."})
    with structlog.testing.capture_logs() as logs:
        service.sync()
        service.sync(force=False)
    assert [entry["files_bytes"] for entry in logs if entry["event"] == "search_copy_too_large"] == [size + 1]
    assert copies(service) == [f"{commit_of(service)}.too-large"]
    assert not found_in(service, commit_of(service)).is_copy
    commit_files(remote, FILES)
    service.sync()
    assert copies(service) == [f"{commit_of(service)}.git"]


def test_no_time_left_is_no_copy_and_no_failure(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_copies, "SEARCH_COPY_TIMEOUT_S", 0)
    service.add("repo", remote)
    assert service.sync().sync_status == "ok"
    assert copies(service) == []


def test_a_mirror_that_lacks_an_object_has_no_copy(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    commit = commit_of(service)
    shutil.rmtree(service.data_dir / "search")
    lose(service.mirror(), git_line(service.mirror(), "rev-parse", f"{commit}:docs/b.md"))
    service.sync(force=False)
    assert copies(service) == []
    assert not found_in(service, commit).is_copy


def lose(repository: Path, lost: str) -> None:
    """Take one object out of a repository that has one pack."""
    (pack,) = packs(repository)
    names = [line.split()[0] for line in git_line(repository, "verify-pack", "-v", str(pack)).splitlines()]
    kept = "\n".join(name for name in names if len(name) == 40 and name != lost)
    git(repository, "pack-objects", "-q", str(pack.with_name("pack")), stdin=kept.encode())
    for part in pack.parent.glob(f"{pack.stem}.*"):
        part.unlink()


def flip_a_byte_of(pack: Path, content: bytes) -> None:
    """Damage the stored `content`, which a copy holds as it is."""
    data = bytearray(pack.read_bytes())
    at = data.index(content)
    data[at] ^= 1
    pack.chmod(0o644)
    pack.write_bytes(data)


def test_damage_in_a_copy_is_found_by_git_and_a_distrusted_copy_is_made_anew(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    commit = commit_of(service)
    folder = found_in(service, commit)
    (pack,) = packs(folder.git_dir)
    flip_a_byte_of(pack, b"needle one")
    with pytest.raises(GitFailed) as failed:
        grep(folder.git_dir, commit)
    assert failed.value.exit_code == 128
    folder.distrust()
    assert found_in(service, commit) == SearchFolder(service.mirror(), is_copy=False)
    folder.distrust()  # by a search that ran beside: there is nothing left to move
    service.sync(force=False)
    assert copies(service) == [f"{commit}.git"]
    assert grep(found_in(service, commit).git_dir, commit) == grep(service.mirror(), commit)


def test_a_mirror_is_never_moved_by_distrust(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    found_in(service, "1" * 40).distrust()
    assert service.mirror().is_dir()


def test_a_removed_repository_leaves_no_copy(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    service.remove()
    assert not (service.data_dir / "search" / "repo").exists()


def test_a_repository_without_a_commit_has_no_copy(service: Service, tmp_path: Path) -> None:
    service.add("repo", new_repository(tmp_path / "empty.git"))
    assert service.sync().sync_status == "ok"
    assert copies(service) == []


def test_a_sync_that_is_killed_while_git_packs_leaves_nothing_that_is_used(
    service: Service, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)
    service.sync()
    older = commit_of(service)
    commit_files(remote, {"a.txt": b"needle\n"})
    fake_git = FakeGit(tmp_path / "bin", monkeypatch)
    packing = tmp_path / "packing"
    fake_git.instead_of(("repack",), f"echo $$ > {packing}.new; mv {packing}.new {packing}; exec sleep 300")
    program = "from workers.tasks.sync import sync_repository; sync_repository('repo', 'killed', True)"
    with subprocess.Popen([sys.executable, "-c", program], env=os.environ) as sync:
        wait_until(packing.exists)
        sync.kill()
    wait_until(lambda: not is_alive(int(packing.read_text())))
    commit = git_line(remote, "rev-parse", "main")
    assert sorted(copies(service)) == [f".{commit}.killed.tmp", f"{older}.git"]
    assert not found_in(service, commit).is_copy
    fake_git.instead_of((), "")
    service.write(sync_expires_at=0)  # as it falls by itself
    assert service.sync().last_synced_sha == commit
    assert copies(service) == [f"{commit}.git"]
