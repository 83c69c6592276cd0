"""The two sources of files: a folder that nothing leads out of, and one commit of a mirror."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.errors import ErrorCode, Refused
from tests.git_repositories import commit_files, link, new_repository, submodule
from tests.service import Service, running_service
from tests.unit.workers.context.calls import delivered, plan, reason
from workers import resources
from workers.context import ConflictingConfiguration, MirrorCommit, Security, Status, WorkTree
from workers.context.source import Unavailable

FULL = {"full": True}


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch) as running:
        yield running
    resources.secret_paths.cache_clear()


def mirrored(service: Service, files: dict[str, Any]) -> str:
    commit = commit_files(new_repository(service.mirror("case")), files)
    service.add("case", "https://h/case", "main")
    return commit


def refused(source: WorkTree | MirrorCommit, path: str, limit: int = 100) -> tuple[str, object, int]:
    with pytest.raises(Unavailable) as none:
        source.read(path, limit)
    return none.value.reason, none.value.fields.get("target"), none.value.bytes_read


@pytest.mark.rule("RCC-21", "RCC-40")
def test_nothing_outside_the_root_is_read_and_a_link_is_named_with_its_target(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "a" / "b").mkdir(parents=True)
    outside.mkdir()
    (outside / "x.py").write_bytes(b"outside")
    (root / "a" / "b" / "c.py").write_bytes(b"inside\r\n")
    (root / "file").symlink_to(outside / "x.py")
    (root / "inner").symlink_to("a/b/c.py")
    (root / "folder").symlink_to("../outside")
    (root / "nowhere").symlink_to("gone")
    os.mkfifo(root / "pipe")
    tree = WorkTree(root)
    assert tree.read("a/b/c.py", 8).data == b"inside\r\n"
    assert refused(tree, "file") == ("symbolic-link", str(outside / "x.py"), 0)
    assert refused(tree, "inner") == ("symbolic-link", "a/b/c.py", 0)
    assert refused(tree, "folder/x.py") == ("symbolic-link", "../outside", 0)
    assert refused(tree, "nowhere") == ("symbolic-link", "gone", 0)
    for path in ("a", "a/b", "a/x.py", "a/b/c.py/d", "pipe", "x" * 300, "gone/x.py", "../outside/x.py", "a/../../outside/x.py", ""):
        assert refused(tree, path) == ("not-found", None, 0)
    found = plan(tree, {"path": "folder/x.py", **FULL})
    assert found.audit["requests"] == [{"path": "folder/x.py", "status": "unavailable", "reason": "symbolic-link", "target": "../outside"}]


def test_a_root_that_is_itself_a_link_is_followed_once_and_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.py").write_bytes(b"a")
    (tmp_path / "link").symlink_to("root")
    assert WorkTree(str(tmp_path / "link")).read("a.py", 1).data == b"a"
    tree = WorkTree(tmp_path / "root")
    (tmp_path / "root").rename(tmp_path / "away")
    assert refused(tree, "a.py") == ("unreadable", None, 0)
    (tmp_path / "away").rename(tmp_path / "root")
    with pytest.raises(NotADirectoryError):
        WorkTree(tmp_path / "root" / "a.py")
    with pytest.raises(FileNotFoundError):
        WorkTree(tmp_path / "gone")


@pytest.mark.rule("RCC-43")
@pytest.mark.parametrize("root", ["https://h.example/r.git", "ssh://git@h/r", "git@github.com:a/b.git", "file:///srv/r", "GIT+ssh://h/r"])
def test_a_remote_source_is_a_conflict_that_is_named_before_anything_is_looked_for(root: str) -> None:
    with pytest.raises(ConflictingConfiguration, match=r"^remote source: "):
        WorkTree(root)


@pytest.mark.rule("RCC-27")
def test_at_most_one_byte_more_than_may_be_read_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"0123456789abcdef" * (3 * 65_536)
    (tmp_path / "a").write_bytes(data)
    tree, asked = WorkTree(tmp_path), []
    real = os.read

    def counted(file: int, size: int) -> bytes:
        asked.append(size)
        return real(file, size)

    monkeypatch.setattr("workers.folder.os.read", counted)
    assert tree.read("a", len(data)).data == data
    assert refused(tree, "a", len(data) - 1) == ("resource-too-large", None, 0)
    # A file that grows after it was measured.
    monkeypatch.setattr("workers.folder.os.fstat", lambda file: os.stat_result([0o100644, *[0] * 9]))
    asked.clear()
    assert refused(tree, "a", 10) == ("resource-too-large", None, 11)
    assert asked == [11]
    found = plan(tree, {"path": "a", **FULL}, maxReadBytes=10)
    assert (reason(found), found.audit["bytesRead"]) == ("resource-too-large", 11)


@pytest.mark.rule("RCC-40")
def test_gits_own_folder_is_excluded(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_bytes(b"url = https://h/\n")
    for path in (".git/config", ".GIT/config", "sub/.git"):
        found = plan(tmp_path, {"path": path, **FULL})
        assert (reason(found), found.security, found.audit["attempts"]) == ("security-excluded", Security.EXCLUDED, 0)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_file_that_may_not_be_read_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "a").chmod(0)
    assert refused(WorkTree(tmp_path), "a") == ("unreadable", None, 0)


@pytest.mark.rule("RCC-44")
def test_each_call_on_a_work_tree_reads_again(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path)
    for content in ("a = 1\n", "b = 2\n"):
        (tmp_path / "a.py").write_text(content, encoding="utf-8")
        assert delivered(plan(tree, {"path": "a.py", **FULL})) == [{"path": "a.py", "full": content}]


@pytest.mark.rule("RCC-44", "RCC-46")
def test_all_files_of_a_call_are_of_the_commit_that_the_audit_names(service: Service) -> None:
    first = mirrored(service, {"a.py": b"a = 1\n", "b.py": b"b = 1\n"})
    source = MirrorCommit("case")
    commit_files(service.mirror("case"), {"a.py": b"a = 2\n"})
    found = plan(source, {"path": "a.py", **FULL}, {"path": "b.py", **FULL})
    assert [one["full"] for one in delivered(found)] == ["a = 1\n", "b = 1\n"]
    assert (found.audit["repo"], found.audit["ref"], found.audit["commit"]) == ("case", "refs/heads/main", first)
    again = plan(MirrorCommit("case", first), {"path": "a.py", **FULL}, {"path": "b.py", **FULL})
    assert [one["full"] for one in delivered(again)] == ["a = 1\n", "b = 1\n"]


@pytest.mark.rule("RCC-23", "RCC-46")
def test_the_same_description_on_the_same_commit_gives_the_same_bytes_with_and_without_what_is_kept(service: Service) -> None:
    commit = mirrored(
        service, {"a.py": b"A = 1\ndef f(): return g(A)\ndef g(x): return x\n", "key.txt": b"-----BEGIN RSA PRIVATE KEY-----\n"}
    )
    symbols = {"path": "a.py", "symbols": ["f"], "includeDependencies": True}
    kept = service.data_dir / "cache"
    assert not kept.exists()
    first = plan(MirrorCommit("case", commit), symbols)
    assert {file.name.split(".")[1].split("-")[0] for file in kept.glob("*/*")} == {"code", "secrets"}
    assert first.status is Status.COMPLETE
    assert plan(MirrorCommit("case", commit), symbols) == first
    for _ in range(2):
        assert reason(plan(MirrorCommit("case", commit), {"path": "key.txt", **FULL})) == "security-excluded"


@pytest.mark.rule("RCC-27", "RCC-46")
def test_links_submodules_and_what_is_too_large_are_unavailable_in_a_mirror(service: Service) -> None:
    mirrored(service, {"link": link("../etc/passwd"), "long": link("x" * 5_000), "sub": submodule(), "d/a.py": b"x" * 101})
    source = MirrorCommit("case")
    assert refused(source, "link") == ("symbolic-link", "../etc/passwd", 0)
    assert refused(source, "long") == ("symbolic-link", None, 0)
    for path in ("sub", "d", "gone", "link/x"):
        assert refused(source, path) == ("not-found", None, 0)
    assert refused(source, "d/a.py") == ("resource-too-large", None, 0)
    assert source.read("d/a.py", 101).data == b"x" * 101


def test_where_a_link_points_is_not_said_when_it_looks_like_a_secret(service: Service) -> None:
    token = "ghp_" + "aB3" * 12
    mirrored(service, {"link": link(f"../{token}")})
    found = plan(MirrorCommit("case"), {"path": "link", **FULL})
    assert (reason(found), found.security) == ("security-excluded", Security.EXCLUDED)
    assert token not in str(found)


def test_a_mirror_that_cant_be_read_refuses_the_call(service: Service) -> None:
    mirrored(service, {"a.py": b"a = 1\n"})
    source = MirrorCommit("case")
    for repo, ref, code in (
        ("gone", None, ErrorCode.REPO_NOT_MIRRORED),
        ("a/b", None, ErrorCode.INVALID_INPUT),
        ("case", "gone", ErrorCode.REF_NOT_MIRRORED),
    ):
        with pytest.raises(Refused) as refusal:
            MirrorCommit(repo, ref)
        assert refusal.value.code is code
    for file in (service.mirror("case") / "objects").glob("??/*"):
        file.unlink()
    with pytest.raises(Refused) as refusal:
        plan(source, {"path": "a.py", **FULL})
    assert refusal.value.code is ErrorCode.READ_FAILED
