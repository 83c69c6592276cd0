"""A search in what a sync made for it: the same answers as in the mirror, and the mirror's own where that doesn't hold."""

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from tests.examples import examples
from tests.fake_git import REAL_GIT, FakeGit
from tests.git_repositories import commit_files, new_repository
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import places, search
from workers import resources
from workers.mirror import trigrams

WORDS = ["needle", "Needle", "NEEDLE", "get_db(", "שלום", "漢字", "straße", "a.c", "pin", "needles"]


def contents() -> dict[str | bytes, bytes]:
    chance = random.Random(7)  # noqa: S311 - the same files every time
    files: dict[str | bytes, bytes] = {
        f"{chance.choice(['', 'docs/', 'src/a/', 'node_modules/p/'])}{number:02}.{chance.choice(['py', 'md'])}": "\n".join(
            " ".join(chance.choices(WORDS, k=3)) for _ in range(chance.randint(1, 30))
        ).encode()
        for number in range(60)
    }
    return files | {".env": b"needle\n", "keys/id_rsa": b"needle\n", "binary": b"needle\0\n", "only.txt": b"one lonely word\n"}


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("where")
    resources.secret_paths.cache_clear()
    with pytest.MonkeyPatch.context() as patched, running_service(folder / "data", patched) as running:
        patched.setattr(trigrams, "MIN_FILES", 1)
        remote = new_repository(folder / "remote.git")
        commit_files(remote, contents())
        running.add("case", remote)
        running.sync("case")
        yield running
    resources.secret_paths.cache_clear()


@pytest.fixture
def service(synced: Service, tmp_path: Path) -> Iterator[Service]:
    """The same service; what a test does to the folder of searches is undone."""
    kept = tmp_path / "kept"
    shutil.copytree(folder(synced), kept)
    yield synced
    shutil.rmtree(folder(synced))
    shutil.copytree(kept, folder(synced))


def folder(service: Service) -> Path:
    return service.data_dir / "search" / "case"


def copy_of(service: Service) -> Path:
    (copy,) = folder(service).glob("*.git")
    return copy


def searched(fake_git: FakeGit) -> list[Path]:
    """The git directory of each search so far."""
    return [Path(call["argv"][1]) for call in fake_git.calls() if "grep" in call["argv"]]


def in_the_mirror(service: Service, query: str, **arguments: Any) -> dict[str, Any]:
    """The answer while there is nothing else to search in."""
    away = folder(service).with_name("away")
    folder(service).rename(away)
    try:
        return search(query, **arguments)
    finally:
        away.rename(folder(service))


def test_a_search_looks_into_the_files_that_may_match_and_answers_as_the_mirror_would(service: Service, fake_git: FakeGit) -> None:
    answer = search("lonely", context_lines=1)
    assert places(answer) == [("only.txt", 1)]
    assert all(copy_of(service) in looked.parents for looked in searched(fake_git)), "a tree of candidates lies in the copy"
    assert in_the_mirror(service, "lonely", context_lines=1) == answer
    assert searched(fake_git)[-1] == service.mirror("case")
    (folder(service) / "trigrams.sqlite3").unlink()
    assert search("lonely", context_lines=1) == answer
    assert searched(fake_git)[-1] == copy_of(service)
    assert not list(copy_of(service).glob("narrowed/*"))


QUERIES = st.one_of(
    st.tuples(st.sampled_from([*WORDS, "lonely", "nothing"]), st.just(False)),
    st.tuples(st.sampled_from(["need.*pin", "ne+dle", "get_db\\(", "^a.c", "(שלום|漢字)", "[a-z]+ß", "needle$"]), st.just(True)),
)


@examples(30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=QUERIES,
    case_sensitive=st.booleans(),
    file_pattern=st.sampled_from([None, "docs", "*.py", ":(exclude)src", "nothing/*"]),
    include_vendored=st.booleans(),
    max_results=st.sampled_from([1, 5, 100]),
)
def test_any_answer_is_the_mirrors(synced: Service, query: tuple[str, bool], **arguments: Any) -> None:
    text, regex = query
    answer = search(text, regex=regex, **arguments)
    assert answer["ok"]
    assert answer == in_the_mirror(synced, text, regex=regex, **arguments)


@pytest.mark.rule("SRC-30", "SRC-32")
@pytest.mark.parametrize("words", ["exit 128", "echo 'error: unable to read' >&2; exit 0", "echo 'fatal: loose object' >&2; exit 128"])
def test_a_copy_that_git_finds_fault_with_is_left_and_the_mirror_answers(service: Service, fake_git: FakeGit, words: str) -> None:
    right = in_the_mirror(service, "pin", max_results=3)
    copy = copy_of(service)
    fake_git.instead_of(("grep",), f'case "$*" in *{folder(service)}*) {words};; esac; exec {REAL_GIT} "$@"')
    with capture_logs() as logged:
        assert search("pin", max_results=3) == right
    assert not copy.exists()
    assert [entry["event"] for entry in logged] == ["search_copy_damaged"]
    assert search("pin", max_results=3) == right
    assert searched(fake_git)[-1] == service.mirror("case")


def test_damage_in_a_copy_shows_in_no_answer(service: Service) -> None:
    right = in_the_mirror(service, "needle")
    (folder(service) / "trigrams.sqlite3").unlink()
    for pack in copy_of(service).glob("objects/pack/*.pack"):
        data = bytearray(pack.read_bytes())
        data[data.index(b"needle")] ^= 1
        pack.chmod(0o644)
        pack.write_bytes(data)
    assert search("needle") == right


def test_a_callers_bad_query_is_not_held_against_the_copy(service: Service) -> None:
    copy = copy_of(service)
    with capture_logs() as logged:
        assert search("need(le", regex=True)["error"] == "invalid_regex"
        assert search("needle", file_pattern=":(nosuch)x")["error"] == "invalid_file_pattern"
    assert copy.exists()
    assert logged == []


def test_a_filter_that_can_not_be_read_rules_nothing_out(service: Service) -> None:
    right = search("lonely")
    (folder(service) / "trigrams.sqlite3").write_bytes(b"no database" * 1_000)
    assert search("lonely") == right
    with sqlite3.connect(folder(service) / "other.sqlite3") as other:
        other.execute("CREATE TABLE other (x)")
    (folder(service) / "other.sqlite3").rename(folder(service) / "trigrams.sqlite3")
    assert search("lonely") == right


@pytest.mark.rule("SRC-44")
def test_a_branch_that_moved_since_the_copy_was_made_is_searched_in_the_mirror(service: Service, fake_git: FakeGit) -> None:
    before = json.dumps(search("lonely"))
    moved = commit_files(service.mirror("case"), {"new.txt": b"lonely too\n"}, message="moved")
    assert moved not in copy_of(service).name
    assert places(search("lonely")) == [("new.txt", 1)]
    assert searched(fake_git)[-1] == service.mirror("case")
    service.sync("case")  # back to what the remote has
    assert json.dumps(search("lonely")) == before
