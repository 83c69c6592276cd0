"""From a ref to a commit. The oracle is git: `git rev-parse --verify --quiet --end-of-options NAME^{commit}`."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import Engine
from structlog.testing import capture_logs

from shared.database import repositories
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from shared.errors import Refused, SyncMayExplain
from tests.examples import examples
from tests.git_repositories import case_repository, commit_files, git, git_line, loose_object, new_repository
from workers.mirror import resolve_ref as resolve_ref_module
from workers.mirror.open_mirror import open_mirror
from workers.mirror.resolve_ref import BASIC_REF_PATTERN, default_ref, resolve_ref

ONE = "ec5de004485ac0b664a5aab150cf2b9a126bbf40"
TWO = "3467cddc8d75b76b688005ecda1848cd14d83998"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("registry")
    made = open_engine(f"sqlite:///{folder / 'r.sqlite3'}")
    migrate(made, folder)
    repositories.add(made, "case", "https://h/case", "trunk")
    repositories.add(made, "unsynced", "https://h/case", None)
    yield made
    made.dispose()


@pytest.fixture(scope="module")
def mirrors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of mirrors with case 14 as `case`."""
    folder = tmp_path_factory.mktemp("mirrors")
    case_repository("14", folder).rename(folder / "case.git")
    return folder


def look_up(mirrors: Path, engine: Engine, ref: str | None, name: str = "case") -> str:
    """The commit, or the refusal's code."""
    try:
        return resolve_ref(open_mirror(mirrors, name), engine, name, ref, "f.txt").commit_id
    except Refused as refused:
        return refused.code.value


@pytest.mark.rule("REF-9", "REF-10", "REF-12", "REF-13", "REF-36", "REF-39", "REF-40", "GRF-9", "GRF-37", "TREE-6", "TREE-12")
@pytest.mark.parametrize(
    ("ref", "commit"),
    [
        (None, TWO), ("", TWO), (" ", TWO), ("trunk", TWO), ("refs/heads/trunk", TWO), ("HEAD", TWO), (" trunk\n", TWO),
        ("v1.0", ONE), ("outer", ONE), ("light", ONE), ("feature/caching", TWO), ("20240817", TWO), ("deadbeef", TWO),
        ("refs/heads/twin", TWO), ("refs/tags/twin", ONE), ("twin", ONE), ("heads/twin", TWO),
        ("trunk~1", ONE), ("trunk^", ONE), (ONE, ONE), (ONE[:7], ONE), ("refs/pull/7/head", ONE),
        ("main", "ref_not_mirrored"), ("nosuch", "ref_not_mirrored"), ("trunk~9", "ref_not_mirrored"), ("treetag", "ref_not_mirrored"),
        ("main..main", "ref_not_mirrored"), ("trunk..trunk", "ref_not_mirrored"), ("1" * 40, "ref_not_mirrored"),
    ],
)  # fmt: skip
def test_a_ref_of_the_case_resolves_as_git_does(mirrors: Path, engine: Engine, ref: str | None, commit: str) -> None:
    assert look_up(mirrors, engine, ref) == commit


@pytest.mark.rule("REF-11", "REF-12", "REF-20", "GRF-35", "TREE-9", "TREE-10")
@pytest.mark.parametrize("ref", ["HEAD:f.txt", ":/one", "trunk@{0}", "-main", "--help", "-h", "--output=stolen.txt", "main --",
        "main:notes.txt", "_a", "~1",
                                 "^main", "/a", ".a", "@", "a b", "a\nb", "\u05e9", "a\0", "\ud800", "a" * 152, "x" * 4_096, "tr*nk",
                                 "a\\b", "main^{tree}"])  # fmt: skip
def test_a_ref_that_fails_the_basic_pattern_is_refused_before_git_or_the_registry_is_asked(
    mirrors: Path, monkeypatch: pytest.MonkeyPatch, ref: str
) -> None:
    monkeypatch.setattr(resolve_ref_module, "_look_up", None)
    with pytest.raises(Refused) as refusal:
        resolve_ref(open_mirror(mirrors, "case"), None, "case", ref, "f.txt")  # type: ignore[arg-type]
    assert not isinstance(refusal.value, SyncMayExplain)  # REF-29: no sync explains it
    answer = dict(refusal.value.answer())
    assert answer.pop("message")
    assert answer == {"ok": False, "error": "invalid_ref", "repo": "case", "path": "f.txt", "ref": ref}


@pytest.mark.rule("REF-12", "GRF-35")
def test_a_well_formed_ref_has_at_most_151_characters(mirrors: Path, engine: Engine) -> None:
    assert look_up(mirrors, engine, "a" * 151) == "ref_not_mirrored"
    assert look_up(mirrors, engine, "a" * 152) == "invalid_ref"


@pytest.mark.rule("REF-4", "REF-14", "REF-21", "GRF-34", "TREE-11")
@pytest.mark.parametrize(("path", "named"), [("docs/a.md", {"path": "docs/a.md"}), (None, {})])
def test_a_ref_that_is_not_there_is_not_mirrored_and_never_said_not_to_exist(
    mirrors: Path, engine: Engine, path: str | None, named: dict[str, str]
) -> None:
    with pytest.raises(SyncMayExplain) as refusal:
        resolve_ref(open_mirror(mirrors, "case"), engine, "case", "feature/new-parser", path)
    answer = dict(refusal.value.answer())
    message = str(answer.pop("message"))
    assert answer == {"ok": False, "error": "ref_not_mirrored", "repo": "case", **named, "ref": "feature/new-parser"}
    assert "mirror" in message
    assert "not exist" not in message


def short_hash_twins(repository: Path, commits: list[str]) -> None:
    """For each object a blob whose first four digits are the same: git takes such an abbreviation where only one of them is a commit."""
    wanted = {oid[:4] for oid in commits}
    number = 0
    while wanted:
        body = b"twin %d" % number
        oid = hashlib.sha1(b"blob %d\0" % len(body) + body, usedforsecurity=False).hexdigest()
        if oid[:4] in wanted:
            git(repository, "hash-object", "-w", "--stdin", stdin=body)
            wanted.remove(oid[:4])
        number += 1


NAMES = ["a", "b/c", "a.b", "a-b", "bb", "c/a", "1234", "abcd", "v1.0", "x-3-gdeadbee", "heads/a", "tags/a", "HEADS", "config2", "head"]


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mirror with tags, branches and pull refs of the same names, packed and loose, and objects that share short hashes."""
    folder = tmp_path_factory.mktemp("crowded")
    mirror = case_repository("14", folder).rename(folder / "crowded.git")
    tagged = git_line(mirror, "rev-parse", "v1.0")
    short_hash_twins(mirror, [ONE, TWO, tagged])
    commits = [commit_files(mirror, {"n": b"%d" % number}, "refs/heads/line", f"commit {number}") for number in range(6)]
    for number, name in enumerate(NAMES):
        git(mirror, "update-ref", f"refs/heads/{name}", commits[number % 6])
        git(mirror, "update-ref", f"refs/pull/{number}/head", commits[(number + 3) % 6])
        if number % 2:
            git(mirror, "update-ref", f"refs/tags/{name}", commits[(number + 1) % 6])
        if number == 8:
            git(mirror, "pack-refs", "--all")
    git(mirror, "update-ref", "refs/tags/a", ONE)
    git(mirror, "update-ref", f"refs/heads/{ONE}", TWO)
    git(mirror, "update-ref", "refs/heads/refs/heads/a", TWO)
    git(mirror, "symbolic-ref", "refs/heads/dangling", "refs/heads/nowhere")
    git(mirror, "merge-base", commits[0], commits[1])
    merge = git_line(mirror, "commit-tree", f"{commits[0]}^{{tree}}", "-p", commits[0], "-p", ONE, "-m", "merge")
    git(mirror, "update-ref", "refs/heads/merge", merge)
    (mirror / "FETCH_HEAD").write_text(f"{TWO}\t\tbranch 'trunk' of h\n", encoding="ascii")
    return folder


WORDS = [*NAMES, "HEAD", "FETCH_HEAD", "ORIG_HEAD", "config", "description", "packed-refs", "objects", "info/exclude", "refs", "heads",
        "tags", "trunk",
         "line", "merge", "treetag", "outer", "dangling", "refs/heads/", "refs/tags/", "refs/", "heads/", "tags/", "pull/1/head",
         "refs/pull/2/head",
         "main-worktree/HEAD", ONE, TWO, ONE[:4], ONE[:7], TWO[:4], TWO[:7].upper(), ONE.upper(), ONE[:39], "1" * 40, "-g" + ONE[:7],
         "-1-g" + TWO[:7],
         ".lock", "..", "...", "/", "//", "."]  # fmt: skip
STEPS = ["", "^", "~", "^0", "^1", "^2", "^3", "~1", "~2", "~0", "~007", "~99999999999999999999", "^-", "^~", "~^1~"]


@pytest.mark.rule("REF-1", "REF-13", "REF-36", "REF-39", "TREE-12", "GRF-36")
@examples(120)
@example("main..main")
@example("config")
@example("packed-refs")
@example("FETCH_HEAD")
@example("refs//heads//trunk")
@example("main-worktree/HEAD")
@example(ONE[:4])
@example(TWO[:4] + "^")
@example("x-g" + ONE[:7])
@given(
    st.builds(
        lambda words, step, more: "".join(words) + step + more,
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        st.sampled_from(STEPS),
        st.sampled_from(STEPS),
    )
    | st.from_regex(r"[a-zA-Z0-9][a-zA-Z0-9._/^~-]{0,20}", fullmatch=True)
    | st.from_regex(r"[0-9a-f]{4,8}", fullmatch=True)
)
def test_for_every_well_formed_name_the_verdict_and_the_commit_are_gits(crowded: Path, engine: Engine, name: str) -> None:
    if BASIC_REF_PATTERN.fullmatch(name) is None:
        return
    command = ["git", "-C", str(crowded / "crowded.git"), "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
    judged = subprocess.run(command, capture_output=True, check=False)
    verdict = {0: judged.stdout.decode().strip(), 1: "ref_not_mirrored"}.get(judged.returncode, "read_failed")
    assert look_up(crowded, engine, name, "crowded") == verdict


@pytest.fixture
def lone(tmp_path: Path) -> Path:
    """A folder with the one mirror `lone.git`, its objects loose."""
    commit_files(new_repository(tmp_path / "lone.git"), {"f.txt": b"v1\n"})
    return tmp_path


def rewrite(file: Path, data: bytes) -> None:
    file.chmod(0o644)
    file.write_bytes(data)


def head_object(mirror: Path) -> Path:
    return loose_object(mirror, git_line(mirror, "rev-parse", "HEAD"))


@pytest.mark.rule("REF-39", "GRF-37")
@pytest.mark.parametrize("ref", [None, "main", "refs/heads/main", "HEAD"])
def test_a_ref_whose_object_is_missing_is_not_mirrored(lone: Path, engine: Engine, ref: str | None) -> None:
    head_object(lone / "lone.git").unlink()
    assert look_up(lone, engine, ref, "lone") == "ref_not_mirrored"


@pytest.mark.rule("REF-14", "REF-27", "REF-37", "REF-38", "REF-42", "GRF-36", "TREE-12", "TREE-14")
@pytest.mark.parametrize(
    "damage",
    [
        lambda mirror: rewrite(head_object(mirror), b""),
        lambda mirror: rewrite(head_object(mirror), b"no object at all"),
        lambda mirror: (git(mirror, "pack-refs", "--all"), (mirror / "packed-refs").write_text("no refs at all\n", encoding="ascii")),
        lambda mirror: shutil.rmtree(mirror / "objects"),
        shutil.rmtree,
    ],
    ids=["empty object", "damaged object", "damaged refs", "no objects", "deleted"],
)
@pytest.mark.parametrize("ref", [None, "main"])
def test_a_mirror_that_breaks_while_it_is_read_is_read_failed_and_gits_words_are_logged(
    lone: Path, engine: Engine, damage: Callable[[Path], object], ref: str | None
) -> None:
    mirror = open_mirror(lone, "lone")
    damage(lone / "lone.git")
    with capture_logs() as logs, pytest.raises(SyncMayExplain) as refusal:
        resolve_ref(mirror, engine, "lone", ref, "f.txt")
    assert refusal.value.answer()["error"] == "read_failed"
    assert str(lone) not in str(refusal.value.answer())
    assert [(log["log_level"], bool(log["stderr"])) for log in logs if log["event"] == "git_error"] == [("warning", True)]


@pytest.mark.rule("REF-14", "REF-24", "REF-27", "TREE-13")
def test_a_repository_that_this_host_does_not_hold_is_not_mirrored(tmp_path: Path) -> None:
    (tmp_path / "file.git").write_text("a file", encoding="ascii")
    for name in ("nosuch", "file"):
        with pytest.raises(SyncMayExplain) as refusal:
            open_mirror(tmp_path, name)
        answer = dict(refusal.value.answer())
        assert (answer["error"], answer["repo"]) == ("repo_not_mirrored", name)
        assert str(tmp_path) not in str(answer)


@pytest.mark.rule("REF-38")
def test_a_folder_that_is_no_repository_is_read_failed_even_inside_another_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", ".")
    commit_files(new_repository(tmp_path / "worktree.git"), {"a": b""})
    shutil.rmtree(tmp_path / "worktree.git" / "refs")
    (tmp_path / "empty.git").mkdir()
    for name in ("empty", "worktree"):
        with pytest.raises(SyncMayExplain) as refusal:
            open_mirror(tmp_path, name)
        assert refusal.value.answer()["error"] == "read_failed"


@pytest.mark.rule("REF-9", "GRF-8", "TREE-7")
def test_the_default_is_the_registrys_branch_or_head_where_it_knows_none(engine: Engine, tmp_path: Path) -> None:
    unreadable = open_engine(f"sqlite:///{tmp_path / 'no tables.sqlite3'}")
    assert default_ref(engine, "case") == "refs/heads/trunk"
    assert default_ref(engine, "unsynced") == "HEAD"
    assert default_ref(engine, "nosuch") == "HEAD"
    assert default_ref(unreadable, "case") == "HEAD"
    unreadable.dispose()


@pytest.mark.rule("REF-9", "REF-22")
def test_a_default_branch_that_the_mirror_lacks_is_not_mirrored_and_is_named(lone: Path, engine: Engine) -> None:
    repositories.add(engine, "lone", "https://h/lone", "gone")
    with pytest.raises(SyncMayExplain) as refusal:
        resolve_ref(open_mirror(lone, "lone"), engine, "lone", None, "f.txt")
    answer = refusal.value.answer()
    assert (answer["error"], answer["ref"]) == ("ref_not_mirrored", "refs/heads/gone")


@pytest.mark.rule("REF-36")
def test_an_empty_repository_and_a_head_that_names_no_branch_are_not_mirrored(tmp_path: Path, engine: Engine) -> None:
    new_repository(tmp_path / "empty.git")
    commit_files(new_repository(tmp_path / "unborn.git"), {"a": b""})
    git(tmp_path / "unborn.git", "symbolic-ref", "HEAD", "refs/heads/nowhere")
    assert [look_up(tmp_path, engine, ref, name) for name in ("empty", "unborn") for ref in (None, "HEAD")] == ["ref_not_mirrored"] * 4


@pytest.mark.rule("REF-9")
@pytest.mark.parametrize(
    "branch", ["\u05e2\u05e0\u05e3", "a\u00a0b", "-dash", "a{b}", "#1", "it's", 'say-"x"', "a@b", "caf\u00e9", "x" * 200, "a,b;c|d"]
)
def test_a_default_branch_may_hold_any_character_that_git_takes(tmp_path: Path, branch: str) -> None:
    own = open_engine(f"sqlite:///{tmp_path / 'r.sqlite3'}")
    migrate(own, tmp_path)
    repositories.add(own, "odd", "https://h/odd", branch)
    commit = commit_files(new_repository(tmp_path / "odd.git"), {"f": b""}, f"refs/heads/{branch}")
    found = resolve_ref(open_mirror(tmp_path, "odd"), own, "odd", None, None)
    own.dispose()
    assert (found.ref, found.commit_id) == (f"refs/heads/{branch}", commit)


@pytest.mark.rule("REF-9")
def test_the_default_branch_is_a_full_name_and_never_guessed(tmp_path: Path, engine: Engine) -> None:
    mirror = new_repository(tmp_path / "case.git")
    commit = commit_files(mirror, {"f": b""}, "refs/heads/refs/heads/trunk")
    git(mirror, "update-ref", "refs/tags/refs/heads/trunk", commit)
    assert look_up(tmp_path, engine, None) == "ref_not_mirrored"
