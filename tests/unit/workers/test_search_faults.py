"""A search whose git fails, hangs, is killed or skips something: never a number that looks exact and isn't."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from shared.database import repositories
from tests.fake_git import REAL_GIT, FakeGit
from tests.git_repositories import commit_files, git_line, loose_object, new_repository
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import places, search
from workers.mirror.git_process import GitOutOfMemory
from workers.search import passes, where
from workers.search import search as search_module
from workers.search.context import contexts

MISSING = "error: 'x': unable to read 1234"
FILES: dict[str | bytes, bytes] = {"one.txt": b"one needle needle\n", "three.txt": b"needle three\n", "two.txt": b"two needle\n"}


pytestmark = pytest.mark.usefixtures("service")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with running_service(tmp_path / "data", monkeypatch) as running:
        commit_files(new_repository(running.mirror("case")), dict(FILES))
        running.add("case", "https://h/case", "main")
        yield running


@pytest.fixture
def commit(service: Service) -> str:
    return git_line(service.mirror("case"), "rev-parse", "main")


def lose(service: Service, path: str) -> None:
    mirror = service.mirror("case")
    loose_object(mirror, git_line(mirror, "rev-parse", f"main:{path}")).unlink()


def damage(service: Service, path: str) -> None:
    mirror = service.mirror("case")
    blob = loose_object(mirror, git_line(mirror, "rev-parse", f"main:{path}"))
    blob.chmod(0o600)
    blob.write_bytes(b"no object at all")


def lower_bound(answer: dict[str, object], reason: str, count: int, at_least: int) -> None:
    assert (answer["ok"], answer["count"], answer["total_at_least"]) == (True, count, at_least)
    assert (answer["truncated"], answer["truncation_reason"]) == (True, reason)
    assert "total" not in answer


@pytest.mark.rule("SRC-23", "SRC-32", "SRC-33")
def test_a_missing_object_makes_the_number_a_lower_bound(service: Service) -> None:
    lose(service, "two.txt")
    with structlog.testing.capture_logs() as logs:
        answer = search("needle")
    lower_bound(answer, "count_failed", 2, 2)
    assert places(answer) == [("one.txt", 1), ("three.txt", 1)]
    assert [(line["event"], line["repo"]) for line in logs] == [("search_incomplete", "case")]


@pytest.mark.rule("SRC-33")
def test_a_missing_object_that_held_the_only_match_is_no_proof_of_its_absence(service: Service) -> None:
    lose(service, "two.txt")
    lower_bound(search("two needle"), "count_failed", 0, 0)


@pytest.mark.rule("SRC-33")
def test_a_missing_object_that_only_the_count_meets_is_noticed(service: Service, fake_git: FakeGit) -> None:
    count_only = f'case "$*" in *" --count "*) echo "{MISSING}" >&2;; esac; exec {REAL_GIT} "$@"'
    fake_git.instead_of(("grep",), count_only)
    lower_bound(search("needle", max_results=1), "count_failed", 1, 3)
    commit_files(service.mirror("case"), {"a.txt": b"needle\n" * 500})
    lower_bound(search("needle", max_results=1), "count_failed", 1, 500)


@pytest.mark.rule("SRC-32")
def test_a_complaint_that_is_one_endless_line_is_noticed(fake_git: FakeGit) -> None:
    fake_git.instead_of(("grep",), f'head -c 300000 /dev/zero | tr "\\0" x >&2; exec {REAL_GIT} "$@"')
    lower_bound(search("needle"), "count_failed", 3, 3)


@pytest.mark.rule("SRC-30")
def test_a_damaged_object_leaves_what_was_collected_before_it(service: Service) -> None:
    damage(service, "three.txt")
    answer = search("needle")
    lower_bound(answer, "search_failed", 1, 1)
    assert answer["results"] == [{"path": "one.txt", "line": 1, "snippet": "one needle needle"}]


@pytest.mark.rule("SRC-31", "REF-35")
def test_a_search_that_fails_midway_while_a_sync_runs_serves_nothing(service: Service) -> None:
    damage(service, "three.txt")
    assert repositories.lock(service.engine, "case", "a sync")
    answer = search("needle")
    assert (answer["error"], answer["retry_after"], answer["repo"]) == ("sync_in_progress", 30, "case")
    assert "results" not in answer
    assert repositories.unlock(service.engine, "case", "a sync", {})
    assert search("needle")["truncation_reason"] == "search_failed"


@pytest.mark.rule("SRC-63", "SRC-32")
def test_a_missing_object_while_a_sync_runs_is_served_as_a_lower_bound(service: Service) -> None:
    lose(service, "two.txt")
    assert repositories.lock(service.engine, "case", "a sync")
    lower_bound(search("needle"), "count_failed", 2, 2)


@pytest.mark.rule("SRC-34")
def test_a_failure_before_any_hit_is_an_error_or_the_syncs(service: Service) -> None:
    damage(service, "one.txt")
    with structlog.testing.capture_logs() as logs:
        answer = search("needle")
    assert (answer["error"], answer["repo"]) == ("search_failed", "case")
    assert str(service.data_dir) not in str(answer)
    assert [line["event"] for line in logs] == ["search_failed"]
    assert repositories.lock(service.engine, "case", "a sync")
    assert search("needle")["error"] == "sync_in_progress"


@pytest.mark.rule("SRC-34")
def test_a_caller_whose_query_is_fine_is_not_blamed_for_the_repository(service: Service) -> None:
    damage(service, "one.txt")
    assert search("need.e", regex=True, file_pattern="*.txt")["error"] == "search_failed"
    assert search("needle", file_pattern=":(foo)")["error"] == "invalid_file_pattern"


def test_a_callers_bad_query_stands_in_no_log() -> None:
    with structlog.testing.capture_logs() as logs:
        assert search("confidential(", regex=True)["error"] == "invalid_regex"
        assert search("needle", file_pattern=":(confidential)")["error"] == "invalid_file_pattern"
    assert logs == []


@pytest.mark.rule("SRC-30", "SRC-31")
@pytest.mark.parametrize("end", ["kill -9 $$", "kill -11 $$", "exit 3", "exit 128"])
def test_a_git_that_ends_badly_in_the_middle_leaves_what_it_printed_whole(
    service: Service, fake_git: FakeGit, commit: str, end: str
) -> None:
    fake_git.instead_of(("grep",), f"printf '{commit}:one.txt\\0001\\000whole\\n{commit}:two.txt\\0001\\000ha'; {end}")
    answer = search("needle")
    lower_bound(answer, "search_failed", 1, 1)
    assert answer["results"] == [{"path": "one.txt", "line": 1, "snippet": "whole"}]
    assert repositories.lock(service.engine, "case", "a sync")
    assert search("needle")["error"] == "sync_in_progress"


@pytest.mark.rule("SRC-30")
def test_a_count_that_fails_leaves_the_page_and_no_total(fake_git: FakeGit) -> None:
    fake_git.instead_of(("grep",), f'case "$*" in *" --count "*) exit 128;; esac; exec {REAL_GIT} "$@"')
    lower_bound(search("needle", max_results=1), "search_failed", 1, 1)


def test_a_git_that_meets_its_memory_before_any_hit_ends_the_call_as_that(fake_git: FakeGit) -> None:
    fake_git.instead_of(("grep",), "echo 'fatal: Out of memory, malloc failed' >&2; exit 128")
    with pytest.raises(GitOutOfMemory):
        search("needle")


@pytest.mark.parametrize("printed", ["what is this", "%s:a\\000one\\000x\\n", "other:a\\0001\\000x\\n"])
def test_output_that_is_no_search_result_is_a_failure(fake_git: FakeGit, commit: str, printed: str) -> None:
    fake_git.instead_of(("grep",), f"printf '{printed}' {commit}; exit 128")
    assert search("needle")["error"] == "search_failed"


@pytest.mark.rule("SRC-23", "SRC-46")
def test_a_results_pass_that_takes_too_long_ends_with_what_it_has(fake_git: FakeGit, commit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, "GIT_GREP_TIMEOUT_S", 2)
    fake_git.instead_of(("grep",), f"printf '{commit}:one.txt\\0001\\000x\\n'; exec sleep 1000")
    lower_bound(search("needle"), "timeout", 1, 1)
    assert len(fake_git.calls()) == 1
    fake_git.instead_of(("grep",), "exec sleep 1000")
    lower_bound(search("needle"), "timeout", 0, 0)


@pytest.mark.rule("SRC-23", "SRC-27")
def test_a_count_that_takes_too_long_ends_with_what_it_counted(fake_git: FakeGit, commit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, "GIT_GREP_TIMEOUT_S", 2)
    slow = f"printf '{commit}:a\\00017\\n{commit}:b\\0009'; exec sleep 1000"
    fake_git.instead_of(("grep",), f'case "$*" in *" --count "*) {slow};; esac; exec {REAL_GIT} "$@"')
    lower_bound(search("needle", max_results=1), "timeout", 1, 17)


@pytest.mark.rule("SRC-23", "SRC-27")
@pytest.mark.parametrize(("ceiling", "least"), [("COUNTED_LINES_MAX", 100), ("COUNTED_FILES_MAX", 200)])
def test_a_count_that_meets_its_ceiling_says_so(service: Service, monkeypatch: pytest.MonkeyPatch, ceiling: str, least: int) -> None:
    commit_files(service.mirror("case"), {f"{number:03}.txt": b"needle\n" * 100 for number in range(3)})
    monkeypatch.setattr(passes, ceiling, 2)
    answer = search("needle", max_results=1)
    assert (answer["count"], answer["truncation_reason"]) == (1, "count_limit")
    assert least <= answer["total_at_least"] <= 300
    assert "total" not in answer


@pytest.mark.rule("SRC-46")
def test_a_git_that_prints_without_end_is_stopped(fake_git: FakeGit, commit: str) -> None:
    endless = f"i=0; while :; do i=$((i+1)); printf '{commit}:f%d\\0001\\000x\\n' $i; done"
    fake_git.instead_of(("grep",), f'case "$*" in *" --count "*) exec {REAL_GIT} "$@";; esac; {endless}')
    answer = search("needle", max_results=2)
    assert answer["count"] == 2
    assert len(fake_git.calls()) == 2


def test_context_that_can_not_be_read_in_time_cuts_the_page_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "contexts", lambda files, found, lines, _until: contexts(files, found, lines, 0.0))
    answer = search("needle", context_lines=1)
    assert (answer["count"], answer["total"], answer["truncated"], answer["truncation_reason"]) == (0, 3, True, "timeout")


@pytest.mark.rule("SRC-30", "SRC-31", "SRC-34")
def test_context_that_can_not_be_read_at_all_is_a_search_that_failed(service: Service, fake_git: FakeGit, commit: str) -> None:
    lose(service, "two.txt")
    found = "".join(f"{commit}:{path}\\0001\\000x\\n" for path in ("one.txt", "two.txt", "three.txt"))
    fake_git.instead_of(("grep",), f"printf '{found}'")
    answer = search("needle", context_lines=1)
    lower_bound(answer, "search_failed", 1, 3)
    assert places(answer) == [("one.txt", 1)]
    fake_git.instead_of(("grep",), f"printf '{commit}:two.txt\\0001\\000x\\n'")
    assert search("needle", context_lines=1)["error"] == "search_failed"
    assert repositories.lock(service.engine, "case", "a sync")
    assert search("needle", context_lines=1)["error"] == "sync_in_progress"
