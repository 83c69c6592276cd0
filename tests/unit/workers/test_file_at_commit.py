"""One file at a commit as a function, at its ceilings."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.git_repositories import commit_files, git, link, new_repository, submodule
from tests.service import running_service
from tests.unit.workers.reading_calls import BUDGET
from tests.unit.workers.route_answers import at_commit


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with running_service(tmp_path / "data", monkeypatch) as service:
        service.add("case", "https://h/case", "main")
        yield new_repository(service.mirror("case"))


def file_of(commit: str, ref: str, path: str, size: int, **more: object) -> dict[str, object]:
    return {
        "success": True, "repo": "case", "file_path": path, "commit": ref, "resolved_commit": commit, "size": size,
        "is_symlink": False, "is_binary": False, **more,
    }  # fmt: skip


@pytest.mark.rule("REF-10", "REF-84", "REF-85", "REF-86", "REF-90", "REF-92", "LIN-2")
def test_each_kind_of_file_answers_exactly_these_fields(mirror: Path) -> None:
    old = commit_files(mirror, {"a.txt": b"old\n"})
    git(mirror, "tag", "-a", "-m", "v1", "v1", old)
    git(mirror, "update-ref", "refs/heads/feature/x", old)
    new = commit_files(
        mirror, {"a.txt": b"new\n\n", "bom": b"\xef\xbb\xbfa", "hebrew": b"\xf9", "empty": b"", "bin": b"\0", "to": link("a.txt")}
    )
    for ref in ("v1", "feature/x", old, old[:9], "main~1"):
        assert at_commit("a.txt", commit=ref) == file_of(old, ref, "a.txt", 4, content="old\n", encoding="utf-8", lines=2)
    assert at_commit("a.txt", commit=" ") == file_of(new, "HEAD", "a.txt", 5, content="new\n\n", encoding="utf-8", lines=3)
    assert at_commit("bom") == file_of(new, "HEAD", "bom", 4, content="a", encoding="utf-8-sig", lines=1)
    assert at_commit("hebrew") == file_of(new, "HEAD", "hebrew", 1, content="\xf9", encoding="latin-1", lines=1)
    assert at_commit("empty") == file_of(new, "HEAD", "empty", 0, content="", encoding="utf-8", lines=1)
    assert at_commit("bin") == file_of(new, "HEAD", "bin", 1, is_binary=True, content=None)
    assert at_commit("to") == file_of(new, "HEAD", "to", 5, is_symlink=True, content="a.txt", encoding="utf-8", lines=1)


@pytest.mark.rule("REF-81")
def test_a_file_over_the_ceiling_and_an_answer_over_the_budget_are_refused_with_both_numbers(mirror: Path) -> None:
    commit_files(mirror, {"over": b"x" * 512_001, "at": b"x" * 512_000, "escaped": b"\x01aaa" * 30_000})
    assert at_commit("over") == {"ok": False, "error": "file_too_large", "size": 512_001, "max": 512_000}
    for path in ("at", "escaped"):
        answer = at_commit(path)
        assert (answer["error"], answer["max"]) == ("answer_too_large", BUDGET)
        assert answer["bytes"] > BUDGET


@pytest.mark.rule("REF-22", "REF-23")
def test_a_file_that_is_not_there_is_not_found_in_the_commit_that_was_read(mirror: Path) -> None:
    old = commit_files(mirror, {"dir/a": b"1", "sub": submodule()})
    commit_files(mirror, {"later": b"1"})
    for path in ("later", "dir", "sub", "dir/a/b"):
        assert at_commit(path, commit="main~1") == {"ok": False, "error": "not_found", "ref": "main~1", "resolved_commit": old}
