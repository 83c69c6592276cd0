"""The registry of repositories with the sync's lock in it, and the line index, on both databases."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, event, update

from shared.database import line_index, repositories
from shared.database.engine import writing
from shared.database.line_index import Changes
from shared.database.tables import REPOSITORIES, REPOSITORY_FILES


def test_a_name_is_registered_once_and_the_list_is_by_name(engine: Engine) -> None:
    assert repositories.add(engine, "b", "https://h/b", "trunk")
    assert repositories.add(engine, "a", "https://h/a", None)
    assert not repositories.add(engine, "b", "https://h/other", None)
    assert [found.name for found in repositories.all_repositories(engine)] == ["a", "b"]
    assert [found.name for found in repositories.all_repositories(engine, 1)] == ["a"]
    found = repositories.find(engine, "b")
    assert found is not None
    assert (found.address, found.pinned_branch, found.default_branch, found.sync_status) == ("https://h/b", "trunk", "trunk", "never")
    assert repositories.find(engine, "c") is None


def test_of_threads_that_register_one_name_exactly_one_does(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(lambda n: repositories.add(engine, "case", f"https://h/{n}", None), range(8))) == [False] * 7 + [True]


@pytest.mark.rule("REF-34", "PLT-117")
def test_the_lock_passes_from_owner_to_owner_and_only_its_owner_can_use_it(engine: Engine) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    found = {"sync_status": "ok", "last_synced_sha": "1" * 40, "total_files": 3, "last_sync_time": 1_700_000_000}
    steps: list[tuple[object, bool, str | None]] = [
        (lambda: repositories.lock(engine, "nosuch", "A"), False, None),
        (lambda: repositories.renew_lock(engine, "case", "A", None, None), False, None),
        (lambda: repositories.lock(engine, "case", "A"), True, "A"),
        (lambda: repositories.lock(engine, "case", "A"), False, "A"),
        (lambda: repositories.lock(engine, "case", "B"), False, "A"),
        (lambda: repositories.renew_lock(engine, "case", "B", "Receiving", 5), False, "A"),
        (lambda: repositories.renew_lock(engine, "case", "A", "Receiving", 5), True, "A"),
        (lambda: repositories.unlock(engine, "case", "B", found), False, "A"),
        (lambda: repositories.remove(engine, "case", "B"), False, "A"),
        (lambda: repositories.unlock(engine, "case", "A", found), True, None),
        (lambda: repositories.remove(engine, "case", "A"), False, None),
        (lambda: repositories.lock(engine, "case", "B"), True, "B"),
    ]
    for number, (step, result, owner) in enumerate(steps):
        assert step() is result, number  # type: ignore[operator]
        now = repositories.find(engine, "case")
        assert now is not None
        assert (now.sync_owner, now.syncing) == (owner, owner is not None), number
    now = repositories.find(engine, "case")
    assert now is not None
    assert now.record() == {
        "repo_name": "case", "repo_url": "https://h/case", "default_branch": None, "last_sync_time": "2023-11-14T22:13:20Z",
        "last_synced_sha": "1" * 40, "total_files": 3, "sync_status": "running",
    }  # fmt: skip
    assert now.last_sync_id == "A"
    assert repositories.remove(engine, "case", "B")
    assert repositories.find(engine, "case") is None


@pytest.mark.rule("REF-34")
def test_a_lock_that_was_not_renewed_falls_by_itself_and_can_be_taken(engine: Engine) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    assert repositories.lock(engine, "case", "A")
    with writing(engine) as connection:
        connection.execute(update(REPOSITORIES).values(sync_expires_at=int(time.time()) - 1))
    now = repositories.find(engine, "case")
    assert now is not None
    assert not now.syncing
    assert now.record()["sync_status"] == "never"
    assert repositories.lock(engine, "case", "B")
    assert not repositories.unlock(engine, "case", "A", {"sync_status": "ok"})


def test_of_eight_threads_exactly_one_takes_the_lock(engine: Engine) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    together = threading.Barrier(8)

    def take(owner: int) -> bool:
        together.wait(10)
        return repositories.lock(engine, "case", str(owner))

    # The pool of connections is smaller than the threads: those that wait for one must not fail.
    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(take, range(8))) == [False] * 7 + [True]


def test_the_record_of_a_failed_sync_says_why(engine: Engine) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    repositories.lock(engine, "case", "A")
    repositories.unlock(engine, "case", "A", {"sync_status": "failed", "sync_error": "no such host"})
    now = repositories.find(engine, "case")
    assert now is not None
    assert (now.record()["sync_status"], now.record()["sync_error"]) == ("failed", "no such host")


@pytest.mark.rule("TREE-34", "TREE-36", "TREE-38")
def test_line_counts_of_a_page_come_from_one_query_with_the_commit_they_were_taken_at(engine: Engine) -> None:
    for name in ("case", "other"):
        repositories.add(engine, name, f"https://h/{name}", None)
    case, other = repositories.find(engine, "case"), repositories.find(engine, "other")
    assert case is not None
    assert other is not None
    with writing(engine) as connection:
        connection.execute(update(REPOSITORIES).where(REPOSITORIES.c.id == case.id).values(last_synced_sha="2" * 40))
        line_index.apply_changes(connection, case.id, Changes([], [("a", "b1", 3), ("b", "b2", None), ("\u05e9", "b3", 0)]))
        line_index.apply_changes(connection, other.id, Changes([], [("a", "b1", 99), ("c", "b4", 4)]))
    queries: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda _c, _cur, statement, *_: queries.append(statement))
    assert line_index.lines_of(engine, "case", ["a", "b", "c", "\u05e9"]) == ({"a": 3, "\u05e9": 0}, "2" * 40)
    assert len([statement for statement in queries if statement.startswith("SELECT")]) == 1
    assert line_index.lines_of(engine, "case", ["x"]) == ({}, None)
    assert line_index.lines_of(engine, "case", []) == ({}, None)
    assert line_index.known_blobs(engine, case.id) == {"a": ("b1", 3), "b": ("b2", None), "\u05e9": ("b3", 0)}


@pytest.mark.rule("TREE-35")
def test_the_index_holds_one_row_a_path_and_goes_with_its_repository(engine: Engine) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    case = repositories.find(engine, "case")
    assert case is not None
    many = [(f"f{number}", "b", number) for number in range(1_201)]
    with writing(engine) as connection:
        line_index.apply_changes(connection, case.id, Changes([], many))
        line_index.apply_changes(connection, case.id, Changes([path for path, _, _ in many[1:]], [("f1", "c", 7)]))
    assert line_index.known_blobs(engine, case.id) == {"f0": ("b", 0), "f1": ("c", 7)}
    assert [column.name for column in REPOSITORY_FILES.primary_key.columns] == ["repository_id", "path"]
    repositories.lock(engine, "case", "A")
    assert repositories.remove(engine, "case", "A")
    assert line_index.known_blobs(engine, case.id) == {}
