"""One file of one commit: found literally, measured before it is loaded. The cases' contents and git are the oracles."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.errors import SyncMayExplain
from tests.git_repositories import Entry, case_repository, commit_files, git, git_line, link, loose_object, new_repository, submodule
from workers.mirror.open_mirror import open_mirror
from workers.mirror.read_blob import find_blob, load_blob
from workers.mirror.resolve_ref import Resolved


def resolved(mirrors: Path, name: str = "case") -> tuple[object, Resolved]:
    mirror = open_mirror(mirrors, name)
    return mirror, Resolved("HEAD", mirror.revparse_single("HEAD^{commit}"))  # type: ignore[arg-type]


def read(mirrors: Path, path: str, name: str = "case") -> bytes:
    mirror, commit = resolved(mirrors, name)
    entry = find_blob(mirror, name, commit, path)  # type: ignore[arg-type]
    data = load_blob(mirror, name, entry)  # type: ignore[arg-type]
    assert entry.size == len(data)
    return data


def refusal(mirrors: Path, path: str, name: str = "case") -> dict[str, object]:
    with pytest.raises(SyncMayExplain) as refused:
        read(mirrors, path, name)
    return dict(refused.value.answer())


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of mirrors: the cases 04, 05 and 13 under their numbers."""
    folder = tmp_path_factory.mktemp("cases")
    for number in ("04", "05", "13"):
        case_repository(number, folder).rename(folder / f"{number}.git")
    return folder


@pytest.mark.rule("REF-25")
@pytest.mark.parametrize(
    "path", ["app/[id]/page.tsx", "app/i/page.tsx", "app/(auth)/page.tsx", "app/[...slug]/page.tsx", "docs/*.md", "docs/a.md", ":!notes.md"]
)
def test_a_path_that_looks_like_a_pattern_names_itself(cases: Path, path: str) -> None:
    assert read(cases, path, "04").decode() == f'export const needle = "{path}";\n'


@pytest.mark.rule("REF-25")
@pytest.mark.parametrize(
    ("path", "content"),
    [(" lead and trail ", "seven\n"), ('docs/a "quoted" name.md', "three\n"), ("docs/back\\slash.md", "five\n"),
    ("docs/caf\u00e9-cafe\u0301.md", "eight\n"),
     ("docs/caf\u00e9.md", "one\n"), ("docs/tab\there.md", "four\n"), ("docs/two\nlines.md", "six\n"),
     ("docs/\u05de\u05d3\u05e8\u05d9\u05da.md", "two\n")],
)  # fmt: skip
def test_a_path_of_any_characters_is_read_as_it_is(cases: Path, path: str, content: str) -> None:
    assert read(cases, path, "05").decode() == content


@pytest.mark.rule("REF-25")
def test_a_path_like_an_option_is_a_path(cases: Path) -> None:
    assert read(cases, "-rf", "13") == b"alpha\n--output=stolen.txt\n-e beta\n"


@pytest.mark.rule("REF-14", "REF-22", "REF-23", "REF-27", "REF-41", "TREE-42")
@pytest.mark.parametrize(
    ("name", "path"),
    [("04", "app/[id]"), ("04", "app"), ("04", "app/[d]/page.tsx"), ("04", "docs/?.md"), ("04", "notes.md"), ("04", ":(literal)docs/a.md"),
     ("05", "docs/latin-caf\ufffd.txt"), ("05", "lead and trail"), ("05", "docs/cafe\u0301.md"), ("05", "DOCS/caf\u00e9.md"),
     ("13", ".git/config"), ("13", "config"),
     ("13", "notes.txt/x"), ("13", "./notes.txt"), ("13", "x/../notes.txt"), ("13", "HEAD"), ("13", "notes.txt\n")],
)  # fmt: skip
def test_a_path_that_no_file_of_the_commit_has_is_not_found_with_what_was_read(cases: Path, name: str, path: str) -> None:
    commit = git_line(cases / f"{name}.git", "rev-parse", "HEAD")
    assert refusal(cases, path, name) == {"ok": False, "error": "not_found", "ref": "HEAD", "resolved_commit": commit}


@pytest.mark.rule("GRF-72", "TREE-32")
def test_a_link_is_its_target_and_is_never_followed_and_a_submodule_is_not_found(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "case.git")
    links = {
        "to file": "a.txt",
        "to folder": "d",
        "absolute": "/etc/passwd",
        "outside": "../../secret",
        "dangling": "nowhere",
        "loop": "loop",
    }
    commit_files(
        repository,
        {
            "a.txt": b"a\n",
            "d/b.txt": b"b\n",
            "sub": submodule(),
            "run": Entry("100755", b"#!/bin/sh\n"),
            **{path: link(to) for path, to in links.items()},
        },
    )
    mirror, commit = resolved(tmp_path)
    for path, target in links.items():
        assert find_blob(mirror, "case", commit, path).is_link  # type: ignore[arg-type]
        assert read(tmp_path, path).decode() == target
    assert not find_blob(mirror, "case", commit, "run").is_link  # type: ignore[arg-type]
    assert read(tmp_path, "run") == b"#!/bin/sh\n"
    for path in ("sub", "sub/x", "to folder/b.txt", "loop/loop", "d"):
        assert refusal(tmp_path, path)["error"] == "not_found"


def test_a_submodule_is_not_found_even_when_its_commit_is_in_the_mirror(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "case.git")
    inner = commit_files(repository, {"a.txt": b"a\n"}, "refs/heads/inner")
    commit_files(repository, {"sub": submodule(inner)})
    assert refusal(tmp_path, "sub")["error"] == "not_found"
    assert refusal(tmp_path, "sub/a.txt")["error"] == "not_found"


def test_a_file_below_1500_folders_is_read(tmp_path: Path) -> None:
    path = "d/" * 1_500 + "f"
    commit_files(new_repository(tmp_path / "case.git"), {path: b"deep\n"})
    assert read(tmp_path, path) == b"deep\n"
    assert refusal(tmp_path, "d/" * 1_499 + "d")["error"] == "not_found"


def rewrite(file: Path, data: bytes) -> None:
    file.chmod(0o644)
    file.write_bytes(data)


@pytest.mark.rule("REF-14", "REF-33", "REF-41")
@pytest.mark.parametrize("spec", ["HEAD:d/f.txt", "HEAD:d", "HEAD^{tree}"])
@pytest.mark.parametrize(
    "damage",
    [Path.unlink, lambda file: rewrite(file, b""), lambda file: rewrite(file, b"no object at all")],
    ids=["missing", "empty", "damaged"],
)
def test_an_object_on_the_way_that_is_missing_or_damaged_is_read_failed(
    tmp_path: Path, spec: str, damage: Callable[[Path], object]
) -> None:
    repository = new_repository(tmp_path / "case.git")
    commit_files(repository, {"d/f.txt": b"text\n"})
    damage(loose_object(repository, git_line(repository, "rev-parse", spec)))
    answer = refusal(tmp_path, "d/f.txt")
    assert answer["error"] == "read_failed"
    assert str(tmp_path) not in str(answer)


def test_a_blob_whose_bytes_are_not_those_of_its_id_is_read_failed(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "case.git")
    commit_files(repository, {"f.txt": b"text\n", "other.txt": b"lies\n"})
    ids = [git_line(repository, "rev-parse", f"HEAD:{name}") for name in ("f.txt", "other.txt")]
    rewrite(loose_object(repository, ids[0]), loose_object(repository, ids[1]).read_bytes())
    assert refusal(tmp_path, "f.txt")["error"] == "read_failed"


def test_a_mirror_deleted_between_two_steps_is_read_failed(tmp_path: Path) -> None:
    commit_files(new_repository(tmp_path / "case.git"), {"d/f.txt": b"text\n"})
    mirror, commit = resolved(tmp_path)
    shutil.rmtree(tmp_path / "case.git")
    with pytest.raises(SyncMayExplain) as refused:
        find_blob(mirror, "case", commit, "d/f.txt")  # type: ignore[arg-type]
    assert refused.value.answer()["error"] == "read_failed"


@pytest.mark.rule("REF-81", "GRF-24")
def test_a_size_is_known_from_a_pack_without_loading_the_blob(tmp_path: Path) -> None:
    repository = new_repository(tmp_path / "case.git")
    commit_files(repository, {"big": b"x" * 3_000_000, "next": b"x" * 2_999_999 + b"y"})
    git(repository, "repack", "-adfq")
    mirror, commit = resolved(tmp_path)
    assert find_blob(mirror, "case", commit, "big").size == 3_000_000  # type: ignore[arg-type]
    assert find_blob(mirror, "case", commit, "next").size == 3_000_000  # type: ignore[arg-type]
