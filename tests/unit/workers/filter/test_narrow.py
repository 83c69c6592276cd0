"""Answers with and without the filter are the same bytes: for generated queries over files made to mislead it, and when it is broken."""

import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.git_repositories import commit_files, git, git_line, link, new_repository, submodule
from tests.service import Service, running_service
from workers.filter import trigram_index
from workers.filter.candidate_tree import write_tree
from workers.filter.narrow import narrowed
from workers.filter.required import FOLDS_TO_ASCII
from workers.filter.trigram_index import IndexedFile, candidates
from workers.mirror import search_copies, trigrams
from workers.mirror.search_folder import SearchFolder, search_folder

WORDS = [
    "get_response", "GetResponse", "GET", "ask", "as\u212a", "\u017fet", "set", "SET", "İi", "ıx", "file", "fıle", "FİLE", "stra\u00dfe",
    "STRASSE", "caf\u00e9", "CAF\u00c9", "שלום", "שלומך", "漢字", "漢語", "a.b", "a*b", "x|y", "(group)", "[set]", "{1,2}", "\\d", "tail\r",
    "µm", "μm", "ǅ", "ǆ",
]  # fmt: skip
PLAIN = [word for word in WORDS if not set(word) & set(FOLDS_TO_ASCII)]
"""Words that leave a file open to being ruled out."""
PIECES = ["a", "S", "k", "i", "é", "É", "ש", "漢", ".", "-", "_", "(", "\u212a", "\u017f", "İ", "ı"]


def contents() -> dict[str | bytes, bytes]:
    chance = random.Random(5)  # noqa: S311 - the same files every time
    files: dict[str | bytes, bytes] = {}
    for number in range(120):
        words = WORDS if number % 8 == 0 else PLAIN
        lines = [" ".join(chance.choices(words, k=4)) for _ in range(chance.randint(1, 3))]
        folder = chance.choice(["", "docs/", "docs/deep/", "src/", "src/docs/", "a-b/", "a/"])
        files[f"{folder}{number}.{chance.choice(['py', 'md', 'HTML'])}"] = "\n".join(lines).encode() + b"\n"
    return files | {
        "binary": b"get_response\0\n",
        "late-nul": b"x\n" * 5000 + b"\0\nget_response\n",
        "not-utf8": b"get_response \xff\xe9 caf\xe9\n",
        b"name-\xff": b"get_response\n",
        "a.b/c": b"set\n",
        "empty": b"",
        "no-line-end": b"get_response",
        "large": b"y\n" * 600_000 + b"get_response\n",
    }


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("narrow")
    with pytest.MonkeyPatch.context() as patched, running_service(folder / "data", patched) as running:
        patched.setattr(trigrams, "MIN_FILES", 1)
        remote = new_repository(folder / "remote.git")
        commit_files(remote, {**contents(), "link": link("a"), "sub": submodule()})
        running.add("repo", remote)
        running.sync()
        yield running


def commit_of(service: Service) -> str:
    return str(service.record().last_synced_sha)


def folder_of(service: Service) -> Path:
    return service.data_dir / "search" / "repo"


def grep(git_dir: Path, tree: str, *arguments: str) -> tuple[int, bytes]:
    """Git's exit code and its words, without the tree's name before each path."""
    command = ["git", "--git-dir", str(git_dir), "grep", "-I", "-n", "-z", *arguments[:3], "-e", arguments[3], tree, "--", *arguments[4:]]
    done = subprocess.run(command, capture_output=True, check=False, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
    return done.returncode, done.stdout.replace(f"{tree}:".encode(), b"")


def both_ways(
    service: Service, query: str, pathspecs: list[str], *, regex: bool, case_sensitive: bool
) -> tuple[tuple[int, bytes], tuple[int, bytes], bool]:
    """What git says of the mirror, what it says of what is left of it, and whether anything was ruled out."""
    commit = commit_of(service)
    flags = ("-E" if regex else "-F", "--no-ignore-case" if case_sensitive else "-i", "--threads=1")
    with (
        search_folder(service.data_dir / "search", service.mirror(), "repo", commit) as folder,
        narrowed(folder, commit, query, regex=regex, case_sensitive=case_sensitive) as (git_dir, tree),
    ):
        assert folder.is_copy
        with_filter = grep(git_dir, tree, *flags, query, *pathspecs)
    return grep(service.mirror(), commit, *flags, query, *pathspecs), with_filter, tree != commit


LITERALS = st.one_of(
    st.sampled_from(WORDS).flatmap(lambda word: st.sampled_from([word, word.lower(), word.upper(), word[1:], word[:-1]])),
    st.lists(st.sampled_from(PIECES), min_size=2, max_size=6).map("".join),
    st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)).map(" ".join),
).filter(lambda text: len(text) > 1 and text.strip() != "" and "\n" not in text)
ATOMS = st.one_of(
    st.sampled_from([".", "[a-z]", "[^x]", "[]x]", "[[:alpha:]]", r"\w", r"\.", r"\b", r"\<", "(set|ask)", "(a(b)?)", "^", "$", "|"]),
    st.sampled_from(["get", "response", "set", "ask", "file", "é", "ש", "漢", "_", "s", "K"]),
)
EXPRESSIONS = st.lists(st.tuples(ATOMS, st.sampled_from(["", "", "", "*", "+", "?", "{0,2}", "{2}", "+?"])), min_size=1, max_size=5).map(
    lambda parts: "".join(atom + repeat for atom, repeat in parts)
)
PATHSPECS = st.sampled_from(
    [[], ["docs"], ["*.md"], ["docs/*.py"], ["docs/**/*.md"], [":(icase)*.html"], [":(exclude)docs"], [":(exclude,icase,glob)**/src/**"],
     ["a"], ["a.b"], ["name-*"], [":(glob)*"], [":(bad)x"], ["docs/", ":(exclude)*.py"]]
)  # fmt: skip


@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=LITERALS, pathspecs=PATHSPECS, case_sensitive=st.booleans())
def test_literals_find_the_same_with_the_filter(service: Service, query: str, pathspecs: list[str], case_sensitive: bool) -> None:
    plain, filtered, _ = both_ways(service, query, pathspecs, regex=False, case_sensitive=case_sensitive)
    assert filtered == plain


@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=EXPRESSIONS, pathspecs=PATHSPECS, case_sensitive=st.booleans())
def test_expressions_find_the_same_with_the_filter(service: Service, query: str, pathspecs: list[str], case_sensitive: bool) -> None:
    plain, filtered, _ = both_ways(service, query, pathspecs, regex=True, case_sensitive=case_sensitive)
    assert filtered == plain


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("case_sensitive", [True, False])
def test_each_word_finds_the_same_with_the_filter(service: Service, word: str, case_sensitive: bool) -> None:
    plain, filtered, narrower = both_ways(service, word, [], regex=False, case_sensitive=case_sensitive)
    assert filtered == plain
    assert narrower or len(word.encode()) < 3 or not case_sensitive


def test_files_are_ruled_out_and_links_are_no_files(service: Service) -> None:
    found = candidates(folder_of(service) / "trigrams.sqlite3", commit_of(service), [b"get", b"_re"])
    assert found is not None
    paths = {file.path for file in found}
    holds = {path.encode() if isinstance(path, str) else path for path, content in contents().items() if b"get_re" in content.lower()}
    assert holds <= paths
    assert not {b"empty", b"link", b"sub"} & paths
    assert len(paths) < len(contents())


def test_nothing_is_left_behind_by_a_search(service: Service) -> None:
    both_ways(service, "get_response", [], regex=False, case_sensitive=False)
    copy = folder_of(service) / f"{commit_of(service)}.git"
    assert list((copy / "narrowed").iterdir()) == []


def test_a_broken_absent_or_older_index_rules_nothing_out(service: Service, tmp_path: Path) -> None:
    commit = commit_of(service)
    copies = tmp_path / "search"
    shutil.copytree(folder_of(service), copies)
    folder = SearchFolder(copies / f"{commit}.git", is_copy=True)
    index = copies / "trigrams.sqlite3"

    def is_narrowed(commit: str) -> bool:
        with narrowed(folder, commit, "get_response", regex=False, case_sensitive=False) as (_, tree):
            return tree != commit

    assert is_narrowed(commit)
    assert not is_narrowed("1" * 40)
    for broken in (b"no database", index.read_bytes()[:4096], b""):
        for left in copies.glob("trigrams.sqlite3*"):
            left.unlink()
        index.write_bytes(broken)
        assert not is_narrowed(commit)
    index.unlink()
    assert not is_narrowed(commit)


def test_a_mirror_that_stands_in_for_the_copy_is_searched_whole(service: Service) -> None:
    commit = commit_of(service)
    folder = SearchFolder(service.mirror(), is_copy=False)
    with narrowed(folder, commit, "get_response", regex=False, case_sensitive=False) as narrow:
        assert narrow == (service.mirror(), commit)


def test_too_many_candidates_are_none(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trigram_index, "MAX_CANDIDATES", 1)
    assert candidates(folder_of(service) / "trigrams.sqlite3", commit_of(service), [b"get"]) is None


def test_a_tree_of_all_files_is_the_commits_own(tmp_path: Path) -> None:
    files = {path: content for path, content in contents().items() if path != "large"}
    remote = new_repository(tmp_path / "remote.git")
    commit = commit_files(remote, files)
    listed = git(remote, "ls-tree", "-r", "-z", commit).split(b"\0")[:-1]
    parts = [entry.partition(b"\t") for entry in listed]
    indexed = [IndexedFile(path, about.split()[0], bytes.fromhex(about.split()[2].decode())) for about, _, path in reversed(parts)]
    narrow = tmp_path / "narrow"
    assert write_tree(narrow, remote, commit, indexed) == git_line(remote, "rev-parse", f"{commit}^{{tree}}")
    (index,) = (narrow / "objects" / "pack").glob("*.idx")
    git(tmp_path, "verify-pack", str(index))


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with running_service(tmp_path / "own", monkeypatch) as running:
        monkeypatch.setattr(trigrams, "MIN_FILES", 2)
        yield running


def test_a_new_commit_costs_its_changed_blobs(own: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(remote, {"a": b"one thing\n", "b": b"another\n"})
    own.add("repo", remote)
    own.sync()
    added: list[bytes] = []
    real = trigrams.TrigramKeeper._load

    def load(keeper: trigrams.TrigramKeeper, mirror: object, oid: bytes) -> bytes | None:
        added.append(oid)
        return real(keeper, mirror, oid)  # type: ignore[arg-type]

    monkeypatch.setattr(trigrams.TrigramKeeper, "_load", load)
    commit_files(remote, {"a": b"one thing\n", "b": b"another\n", "c/d": b"third thing\n", "e": b"third thing\n"})
    own.sync()
    assert len(added) == 1
    found = candidates(folder_of(own) / "trigrams.sqlite3", commit_of(own), [b"thi", b"ing"])
    assert {file.path for file in found or []} == {b"a", b"c/d", b"e"}


def test_blobs_that_there_was_no_time_for_are_candidates_until_the_next_sync(
    own: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(remote, {"a": b"one thing\n", "b": b"another\n"})
    own.add("repo", remote)
    with monkeypatch.context() as patched:
        patched.setattr(trigrams, "TRIGRAMS_TIMEOUT_S", 0)
        own.sync()
    index = folder_of(own) / "trigrams.sqlite3"
    assert {file.path for file in candidates(index, commit_of(own), [b"xyz"]) or []} == {b"a", b"b"}
    own.sync(force=False)
    assert candidates(index, commit_of(own), [b"xyz"]) == []


def test_an_index_of_past_commits_mostly_begins_afresh(tmp_path: Path) -> None:
    index = tmp_path / "trigrams.sqlite3"

    def update(commit: str, count: int) -> None:
        files = [IndexedFile(b"%d" % number, b"100644", number.to_bytes(20, "big")) for number in range(count)]
        trigram_index.update(index, commit, files, lambda oid: b"text" + oid, until=time.monotonic() + 100, tick=lambda: None)

    update("1", 1100)
    update("2", 10)
    with trigram_index._opened(index, write=False) as connection:
        assert connection.execute("SELECT count(*) FROM blob").fetchone() == (10,)
    found = candidates(index, "2", [b"tex"])
    assert found is not None
    assert len(found) == 10
    assert candidates(index, "1", [b"tex"]) is None


def test_a_damaged_index_is_removed_by_one_sync_and_made_by_the_next(own: Service, tmp_path: Path) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(remote, {"a": b"one thing\n", "b": b"another\n"})
    own.add("repo", remote)
    own.sync()
    index = folder_of(own) / "trigrams.sqlite3"
    index.write_bytes(b"no database" * 1000)
    assert own.sync(force=False).sync_status == "ok"
    assert not index.exists()
    assert own.sync(force=False).sync_status == "ok"
    assert candidates(index, commit_of(own), [b"xyz"]) == []


def test_a_repository_of_few_files_has_no_index(own: Service, tmp_path: Path) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(remote, {"a": b"one thing\n"})
    own.add("repo", remote)
    own.sync()
    assert not (folder_of(own) / "trigrams.sqlite3").exists()


def test_a_disk_that_is_nearly_full_gets_no_trigrams(own: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(remote, {"a": b"one thing\n", "b": b"another\n"})
    own.add("repo", remote)
    own.sync()
    index = folder_of(own) / "trigrams.sqlite3"
    index.unlink()
    with monkeypatch.context() as patched:
        patched.setattr(search_copies, "_FREE_BYTES_LEFT", 1 << 60)
        own.sync(force=False)
        assert not index.exists()
    own.sync(force=False)
    assert candidates(index, commit_of(own), [b"xyz"]) == []
