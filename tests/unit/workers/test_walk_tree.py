"""Every file of a commit, against `git ls-tree -r -z`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import ErrorCode, Refused, SyncMayExplain
from tests.examples import examples
from tests.git_repositories import (
    Entry,
    case_repository,
    commit_files,
    git,
    git_line,
    link,
    loose_object,
    new_repository,
    submodule,
    write_tree,
)
from workers.mirror.open_mirror import open_mirror
from workers.mirror.walk_tree import TreeFile, walk_tree


def walked(mirrors: Path, name: str, tree: str) -> list[TreeFile]:
    mirror = open_mirror(mirrors, name)
    return list(walk_tree(mirror, name, mirror.revparse_single(tree + "^{tree}").id))


def as_git_lists(repository: Path, tree: str) -> list[tuple[bytes, str, bool]]:
    lines = git(repository, "ls-tree", "-r", "-z", tree).split(b"\0")[:-1]
    return [(name, head.split()[2].decode(), head.split()[0] == b"160000") for head, _, name in (line.partition(b"\t") for line in lines)]


@pytest.fixture(scope="module")
def mirrors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirrors")
    new_repository(folder / "r.git")
    return folder


# The order of a tree treats a folder's name as if it ended in `/`, so neighbours of `/` matter most.
names = st.text(alphabet=st.sampled_from('ab.-/0\xe9 \n"\\'), min_size=1, max_size=8).map(lambda text: text.encode("latin-1"))
files = st.dictionaries(names, st.sampled_from([b"x", b"y", link("a"), Entry("100755", b"x"), submodule()]), min_size=1, max_size=12)


def without_conflicts(tree: dict[bytes, bytes | Entry]) -> dict[bytes, bytes | Entry]:
    """Only names that git takes, and none that is a folder of another."""
    kept: dict[bytes, bytes | Entry] = {}
    for path, entry in tree.items():
        parts = path.split(b"/")
        folders = {b"/".join(parts[:count]) for count in range(1, len(parts))}
        if not {b"", b".", b".."} & set(parts) and not folders & kept.keys() and not any(other.startswith(path + b"/") for other in kept):
            kept[path] = entry
    return kept


@pytest.mark.rule("TREE-17", "TREE-22")
@examples(40)
@given(files.map(without_conflicts).filter(bool))
def test_names_order_and_ids_are_those_of_git_ls_tree(mirrors: Path, tree: dict[bytes, bytes | Entry]) -> None:
    oid = write_tree(mirrors / "r.git", tree)
    assert [(file.path, str(file.id), file.is_submodule) for file in walked(mirrors, "r", oid)] == as_git_lists(mirrors / "r.git", oid)


@pytest.mark.rule("TREE-42")
def test_a_name_that_is_not_utf8_is_shown_with_replacement_characters(tmp_path: Path) -> None:
    case_repository("05", tmp_path).rename(tmp_path / "case.git")
    shown = [file.shown for file in walked(tmp_path, "case", "HEAD")]
    assert shown == [
        " lead and trail ", 'docs/a "quoted" name.md', "docs/back\\slash.md", "docs/caf\u00e9-cafe\u0301.md", "docs/caf\u00e9.md",
        "docs/latin-caf\ufffd.txt",
        "docs/tab\there.md", "docs/two\nlines.md", "docs/\u05de\u05d3\u05e8\u05d9\u05da.md",
    ]  # fmt: skip


def test_1500_folders_deep_are_walked_without_recursion(mirrors: Path) -> None:
    oid = write_tree(mirrors / "r.git", {"d/" * 1_500 + "f": b"x", "d/" * 750 + "e": b"x", "z": b"x"})
    assert [file.path.count(b"/") for file in walked(mirrors, "r", oid)] == [1_500, 750, 0]


def test_a_tree_without_files_has_none(mirrors: Path) -> None:
    assert walked(mirrors, "r", git_line(mirrors / "r.git", "mktree")) == []


@pytest.mark.rule("TREE-14")
@pytest.mark.parametrize(
    "damage", [Path.unlink, lambda file: (file.chmod(0o644), file.write_bytes(b"no object at all"))], ids=["missing", "damaged"]
)
@pytest.mark.parametrize("spec", ["HEAD:a/b", "HEAD:c"])
def test_a_folder_that_is_missing_or_damaged_is_read_failed(tmp_path: Path, damage: Callable[[Path], object], spec: str) -> None:
    repository = new_repository(tmp_path / "case.git")
    commit_files(repository, {"a/b/f": b"x", "c/g": b"y"})
    damage(loose_object(repository, git_line(repository, "rev-parse", spec)))
    with pytest.raises(SyncMayExplain) as refused:
        walked(tmp_path, "case", "HEAD")
    assert refused.value.answer()["error"] == "read_failed"
    assert str(tmp_path) not in str(refused.value.answer())


def test_a_tree_that_repeats_itself_without_end_is_refused_at_the_ceiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty trees of two entries each hold 2**40 files."""
    monkeypatch.setattr("workers.mirror.walk_tree.TREE_ENTRIES_MAX", 20_000)
    repository = new_repository(tmp_path / "bomb.git")
    blob = git_line(repository, "hash-object", "-w", "--stdin", stdin=b"x")
    tree = git_line(repository, "mktree", stdin=f"100644 blob {blob}\ta\n100644 blob {blob}\tb\n".encode())
    for _ in range(40):
        tree = git_line(repository, "mktree", stdin=f"040000 tree {tree}\ta\n040000 tree {tree}\tb\n".encode())
    mirror = open_mirror(tmp_path, "bomb")
    files = walk_tree(mirror, "bomb", mirror.revparse_single(tree).id)
    with pytest.raises(Refused) as refusal:
        sum(1 for _ in files)
    assert refusal.value.code is ErrorCode.RESOURCE_LIMIT
