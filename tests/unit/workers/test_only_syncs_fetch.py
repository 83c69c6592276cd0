"""Who contacts a remote, and for how long: syncs, within git's time limits. A read never does, whatever it is asked for."""

from pathlib import Path
from typing import Any

import pytest

from shared.errors import ErrorCode, Refused
from shared.wire.call import Call, Caller
from shared.wire.file_routes import FileAtCommitParameters, FileHistoryParameters
from shared.wire.get_repo_file import GetRepoFileArguments
from shared.wire.list_repo_tree import ListRepoTreeArguments
from tests.fake_git import FakeGit
from tests.git_repositories import commit_files, new_repository
from tests.service import Service, refs
from workers.mirror import remote as remote_module
from workers.mirror.git_process import run_git
from workers.tasks.file_at_commit import file_at_commit
from workers.tasks.file_history import file_history
from workers.tasks.get_repo_file import get_repo_file
from workers.tasks.list_repo_tree import list_repo_tree


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    repository = new_repository(tmp_path / "remote.git")
    commit_files(repository, {"a.txt": b"one\n"})
    return repository


@pytest.mark.rule("PLT-111", "REF-2", "REF-3", "REF-4")
def test_a_read_of_a_ref_that_is_not_mirrored_contacts_nobody(
    service: Service, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("repo", remote)
    service.sync()
    before = refs(service.mirror())
    pushed = commit_files(remote, {"b.txt": b"new\n"}, ref="refs/heads/pushed")
    fake_git = FakeGit(tmp_path / "bin", monkeypatch)
    call = Call(id="1", caller=Caller(user="u", scopes=frozenset({"read"}), admin=False), entered=1e9, deadline=2e9, arguments={})
    for ref in ("pushed", pushed, pushed[:10], "refs/heads/pushed", "pushed~0"):
        for read in (
            lambda ref=ref: get_repo_file(GetRepoFileArguments(repo="repo", path="b.txt", ref=ref), call),
            lambda ref=ref: list_repo_tree(ListRepoTreeArguments(repo="repo", ref=ref), call),
            lambda ref=ref: file_history(FileHistoryParameters(repo="repo", file="b.txt", ref=ref), call),
            lambda ref=ref: file_at_commit(FileAtCommitParameters(repo="repo", file="b.txt", commit=ref), call),
        ):
            with pytest.raises(Refused) as caught:
                read()
            assert caught.value.code is ErrorCode.REF_NOT_MIRRORED
    assert set(fake_git.commands()) <= {"rev-parse"}
    assert refs(service.mirror()) == before


@pytest.mark.rule("PLT-121")
def test_a_clone_a_fetch_and_the_question_before_them_have_their_time_limits(
    service: Service, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[tuple[str, float]] = []

    def run_and_note(*arguments: str, **options: Any) -> bytes:
        limits.append((arguments[0], options["timeout_s"]))
        return run_git(*arguments, **options)

    monkeypatch.setattr(remote_module, "run_git", run_and_note)
    service.add("repo", remote)
    service.sync()
    service.sync()
    assert limits == [("ls-remote", 30), ("fetch", 600), ("ls-remote", 30), ("fetch", 120)]
