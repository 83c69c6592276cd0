"""What a sync finds and writes, against real remotes on the disk. How it fails is in `test_sync_failures.py`."""

import gc
import subprocess
import weakref
from pathlib import Path

import pytest

from shared.database import line_index
from shared.limits import RANGE_READ_MAX_BYTES
from tests.fake_git import FakeGit
from tests.git_repositories import case_repository, commit_files, git, git_line, new_repository, submodule
from tests.service import Service, refs, running_service
from workers.mirror import mirror_folder
from workers.mirror.mirror_folder import NO_DEFAULT_BRANCH
from workers.mirror.open_mirror import open_mirror


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    repository = new_repository(tmp_path / "remote.git")
    commit_files(repository, {"a.txt": b"one\ntwo\n", "docs/b.md": b"one\n"})
    return repository


@pytest.mark.rule("PLT-115", "PLT-122")
@pytest.mark.parametrize("case", ["05", "13", "14"])
def test_a_first_sync_makes_what_a_mirror_clone_makes(service: Service, tmp_path: Path, case: str) -> None:
    cloned = case_repository(case, tmp_path)
    source = tmp_path / f"{cloned.stem}-source"
    service.add("repo", source)
    record = service.sync()
    assert (record.sync_status, record.sync_error) == ("ok", None)
    assert refs(service.mirror()) == refs(cloned)
    assert service.folders() == ["repo.git"]
    assert not (service.mirror() / "FETCH_HEAD").exists()
    assert [path for path in (service.mirror() / "refs").rglob("*") if path.is_file()] == []


def test_the_record_says_what_was_synced(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    record = service.sync(sync_id="the-id")
    commit = git_line(remote, "rev-parse", "main")
    assert (record.default_branch, record.last_synced_sha, record.total_files, record.last_sync_id) == ("main", commit, 2, "the-id")
    assert (record.sync_owner, record.sync_expires_at, record.sync_stage, record.syncing) == (None, None, None, False)
    assert record.last_sync_time is not None


@pytest.mark.rule("TREE-33", "TREE-38")
def test_lines_are_counted_at_the_commit_that_the_record_names(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    record = service.sync()
    assert service.index() == {"a.txt": 2, "docs/b.md": 1}
    assert line_index.lines_of(service.engine, "repo", ["a.txt"]) == ({"a.txt": 2}, record.last_synced_sha)


@pytest.mark.rule("TREE-36", "TREE-43")
def test_every_text_is_counted_and_what_is_binary_or_too_large_is_null(service: Service, tmp_path: Path) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(
        remote,
        {
            "latin": b"caf\xe9\ncr\r\n",
            "empty": b"",
            "no-suffix": b"a\x0cb\xe2\x80\xa8c\n\n",
            "node_modules/x.js": b"x",
            "binary": b"a\0b\n",
            "at-the-limit": b"\n" * RANGE_READ_MAX_BYTES,
            "over-the-limit": b"\n" * (RANGE_READ_MAX_BYTES + 1),
            b"not-utf8-\xe9": b"a\n",
            "x" * (line_index.MAX_INDEXED_PATH_BYTES + 1): b"a\n",
            "sub": submodule(),
        },
    )
    service.add("repo", remote)
    record = service.sync()
    assert service.index() == {
        "latin": 2, "empty": 0, "no-suffix": 2, "node_modules/x.js": 1, "binary": None,
        "at-the-limit": RANGE_READ_MAX_BYTES, "over-the-limit": None,
    }  # fmt: skip
    assert record.total_files == 10


def test_only_blobs_that_changed_are_counted_again(service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service.add("repo", remote)
    service.sync()
    counted: list[bytes] = []
    monkeypatch.setattr("workers.mirror.count_lines.is_binary", lambda data: counted.append(data) or False)
    commit_files(remote, {"renamed.txt": b"one\ntwo\n", "docs/b.md": b"1\n2\n3\n", "c": b"1\n2\n3\n"})
    record = service.sync()
    assert counted == [b"1\n2\n3\n"]
    assert service.index() == {"renamed.txt": 2, "docs/b.md": 3, "c": 3}
    assert record.total_files == 3


@pytest.mark.rule("PLT-114")
def test_a_scheduled_sync_fetches_when_the_default_branch_has_moved_and_only_then(
    service: Service, remote: Path, fake_git: FakeGit
) -> None:
    service.add("repo", remote)
    first = service.sync(sync_id="1", force=False)
    before = len(fake_git.commands())
    skipped = service.sync(sync_id="2", force=False)
    assert fake_git.commands()[before:] == ["ls-remote"]
    assert (skipped.last_sync_id, skipped.sync_status, skipped.last_sync_time) == ("2", "ok", first.last_sync_time)
    assert skipped.sync_owner is None
    commit = commit_files(remote, {"a.txt": b"new\n"})
    assert service.sync(sync_id="3", force=False).last_synced_sha == commit
    assert "fetch" in fake_git.commands()[before + 1 :]


@pytest.mark.rule("PLT-112", "REF-3")
def test_a_branch_that_was_just_pushed_arrives_with_the_next_change_of_the_default_branch(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync(force=False)
    commit_files(remote, {"f": b"feature\n"}, ref="refs/heads/feature")
    service.sync(force=False)
    assert refs(service.mirror()) != refs(remote)
    commit_files(remote, {"a.txt": b"new\n"})
    service.sync(force=False)
    assert refs(service.mirror()) == refs(remote)


def test_a_sync_by_command_fetches_also_when_the_default_branch_is_where_it_was(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    commit_files(remote, {"f": b"feature\n"}, ref="refs/heads/feature")
    service.sync(force=True)
    assert refs(service.mirror()) == refs(remote)


def test_after_a_failed_sync_the_next_one_by_schedule_fetches(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    commit_files(remote, {"f": b"feature\n"}, ref="refs/heads/feature")
    service.write(sync_status="failed", sync_error="as it was")
    record = service.sync(force=False)
    assert (record.sync_status, record.sync_error) == ("ok", None)
    assert refs(service.mirror()) == refs(remote)


def test_a_default_branch_that_moved_to_another_name_is_followed(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    git(remote, "branch", "-m", "main", "trunk")
    assert (remote / "HEAD").read_text(encoding="ascii") == "ref: refs/heads/trunk\n"
    record = service.sync(force=False)
    assert record.default_branch == "trunk"
    assert refs(service.mirror()) == refs(remote)


def test_a_pinned_branch_stays_the_default_one_whatever_the_remote_says(service: Service, remote: Path) -> None:
    commit = commit_files(remote, {"p": b"pinned\n"}, ref="refs/heads/release/1")
    service.add("repo", remote, "release/1")
    record = service.sync()
    assert (record.default_branch, record.last_synced_sha) == ("release/1", commit)
    assert (service.mirror() / "HEAD").read_text(encoding="ascii") == "ref: refs/heads/release/1\n"
    assert service.index() == {"p": 1}
    moved = commit_files(remote, {"p": b"pinned\nagain\n"}, ref="refs/heads/release/1")
    assert service.sync(force=False).last_synced_sha == moved


def test_a_pinned_branch_that_is_not_there_is_said_and_the_rest_is_mirrored(service: Service, remote: Path) -> None:
    service.add("repo", remote, "typo")
    record = service.sync()
    assert record.sync_status == "failed"
    assert record.sync_error == "The remote has no branch 'typo', which this repository was added with."
    assert refs(service.mirror())[1:] == refs(remote)[1:]


def test_an_empty_remote_syncs_and_is_filled_later(service: Service, tmp_path: Path) -> None:
    remote = new_repository(tmp_path / "remote.git")
    service.add("repo", remote)
    record = service.sync(force=False)
    assert (record.sync_status, record.default_branch, record.last_synced_sha, record.total_files) == ("ok", None, None, 0)
    commit = commit_files(remote, {"a": b"a\n"})
    filled = service.sync(force=False)
    assert (filled.default_branch, filled.last_synced_sha, filled.total_files) == ("main", commit, 1)
    assert refs(service.mirror()) == refs(remote)


def test_a_remote_whose_head_names_no_branch_has_no_default_branch_but_its_refs(service: Service, remote: Path) -> None:
    git(remote, "symbolic-ref", "HEAD", "refs/heads/gone")
    service.add("repo", remote)
    record = service.sync()
    assert (record.sync_status, record.default_branch, record.last_synced_sha) == ("ok", None, None)
    assert refs(service.mirror()) == [f"ref: {NO_DEFAULT_BRANCH}", *refs(remote)[1:]]


def test_a_detached_head_is_mirrored_as_the_commit_that_it_is(service: Service, remote: Path) -> None:
    lost = commit_files(remote, {"only": b"here\n"}, ref="refs/heads/side")
    git(remote, "update-ref", "--no-deref", "HEAD", lost)
    git(remote, "update-ref", "-d", "refs/heads/side")
    service.add("repo", remote)
    record = service.sync()
    assert (record.sync_status, record.default_branch, record.last_synced_sha) == ("ok", None, lost)
    assert refs(service.mirror()) == refs(remote)
    assert service.index() == {"only": 1}


def test_force_pushes_deletions_and_names_that_change_between_file_and_folder_all_arrive(service: Service, remote: Path) -> None:
    for branch in ("a", "b/c", "gone"):
        commit_files(remote, {"f": branch.encode()}, ref=f"refs/heads/{branch}")
    git(remote, "tag", "moves", "main")
    service.add("repo", remote)
    service.sync()
    git(service.mirror(), "pack-refs", "--all")
    for branch in ("a", "b/c", "gone"):
        git(remote, "update-ref", "-d", f"refs/heads/{branch}")
    commit_files(remote, {"f": b"1"}, ref="refs/heads/a/b")
    commit_files(remote, {"f": b"2"}, ref="refs/heads/b")
    git(remote, "update-ref", "-d", "refs/heads/main")
    commit_files(remote, {"rewritten": b"history\n"}, message="an unrelated root")
    git(remote, "tag", "-f", "moves", "main")
    record = service.sync()
    assert record.sync_status == "ok"
    assert refs(service.mirror()) == refs(remote)
    assert service.index() == {"rewritten": 1}


def test_a_shallow_remote_is_mirrored(service: Service, remote: Path, tmp_path: Path) -> None:
    commit_files(remote, {"a.txt": b"second\n"})
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{remote}", str(shallow))
    service.add("repo", shallow)
    record = service.sync()
    assert (record.sync_status, record.last_synced_sha) == ("ok", git_line(remote, "rev-parse", "main"))


def test_many_packs_become_one_and_objects_that_lost_their_ref_stay(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)
    lost = service.sync().last_synced_sha
    git(remote, "update-ref", "-d", "refs/heads/main")
    commit_files(remote, {"rewritten": b"history\n"}, message="an unrelated root")
    monkeypatch.setattr(mirror_folder, "MAX_PACKS", 1)
    service.sync()
    packs = {pack.suffix for pack in (service.mirror() / "objects" / "pack").iterdir()}
    assert ".mtimes" in packs
    assert len(list((service.mirror() / "objects" / "pack").glob("*.pack"))) == 2
    assert git_line(service.mirror(), "cat-file", "-t", str(lost)) == "commit"


def test_a_fetch_never_packs_by_itself(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    for number in range(4):
        commit_files(remote, {"a.txt": str(number).encode()})
        service.sync()
    assert len(list((service.mirror() / "objects" / "pack").glob("*.pack"))) == 4
    assert git_line(service.mirror(), "count-objects") == "0 objects, 0 kilobytes"  # the library stalls on a loose one that is cut off


def test_a_mirror_of_a_relative_data_folder_is_where_the_service_stands(
    tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with running_service(Path("relative"), monkeypatch) as service:
        service.add("repo", remote)
        assert service.sync().sync_status == "ok"
    assert (tmp_path / "relative" / "mirrors" / "repo.git").is_dir()


def test_a_mirror_of_another_owner_and_a_remote_of_another_owner_are_read(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    changed = subprocess.run(["chown", "-R", "65534", str(remote), str(service.mirror())], capture_output=True, check=False)
    if changed.returncode != 0:
        pytest.skip("only root gives files away")
    assert service.sync().sync_status == "ok"


def test_a_mirror_that_was_opened_is_let_go_as_soon_as_nobody_reads_it(service: Service, remote: Path) -> None:
    service.add("repo", remote)
    service.sync()
    gc.collect()
    gc.disable()
    try:
        opened = weakref.ref(open_mirror(service.mirrors, "repo"))
        assert opened() is None
    finally:
        gc.enable()
