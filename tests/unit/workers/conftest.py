"""What most tests of the workers stand on; a file that needs another one makes its own under the same name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_git import FakeGit
from tests.git_repositories import commit_files, new_repository
from tests.service import Service, running_service


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """An empty service."""
    with running_service(tmp_path / "data", monkeypatch) as running:
        yield running


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """A repository that a mirror may be made of."""
    repository = new_repository(tmp_path / "remote.git")
    commit_files(repository, {"a.txt": b"one\ntwo\n"})
    return repository


@pytest.fixture
def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGit:
    """A `git` that notes what it is asked."""
    return FakeGit(tmp_path / "bin", monkeypatch)
