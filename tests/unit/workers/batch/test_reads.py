"""What a batch reads, when and how often: one commit of each repository, one read of each group, nothing after its time."""

import json
import threading
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from structlog.testing import capture_logs

from tests.git_repositories import commit_files, git_line, new_repository
from tests.service import Service
from tests.unit.workers.batch.repositories import FILES, PAGES, batch_service, expected
from tests.unit.workers.reading_calls import Sent, ask_batch, ask_single, queries
from workers.batch import batch
from workers.batch.answers import Answers
from workers.files.load import LoadedFile
from workers.mirror import mirrors, resolve_ref, snapshot
from workers.mirror.git_process import GitFailed
from workers.mirror.mirrors import Opened
from workers.sections import page
from workers.tasks import read_batch


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with batch_service(tmp_path / "data", monkeypatch) as running:
        yield running


class Loads:
    """The loads of groups, each noted as repository, path and ceiling; `before` is run first."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[tuple[str, str, int]] = []
        self.threads: set[int] = set()
        self.before: Callable[[str], object] = lambda _path: None
        self._load = batch.load_file
        monkeypatch.setattr(batch, "load_file", self)

    def __call__(self, opened: Opened, path: str, ceiling: int) -> LoadedFile:
        self.before(path)
        self.seen.append((opened.repo, path, ceiling))
        self.threads.add(threading.get_ident())
        return self._load(opened, path, ceiling)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Loads:
    return Loads(monkeypatch)


def section(path: str, **more: Any) -> Sent:
    return {"kind": "section", "path": path, **more}


def file(path: str, repo: str = "code", **more: Any) -> Sent:
    return {"kind": "file", "repo": repo, "path": path, **more}


def answer_of(items: list[Any], waited_s: float = 0) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(ask_batch(items, waited_s=waited_s))
    return answer


def results(items: list[Any]) -> list[dict[str, Any]]:
    return [item["result"] for item in answer_of(items)["items"]]


def commit_of(service: Service, repo: str) -> str:
    return git_line(service.mirror(repo), "rev-parse", "main")


@pytest.mark.rule("BAT-33", "BAT-34", "BAT-35")
def test_a_sync_that_lands_in_the_middle_does_not_split_a_batch(service: Service, loads: Loads) -> None:
    items = [section("page"), file("a.txt"), section("in/page"), file("dir/b.txt"), file("new.txt"), section("page", section="K11")]
    before = expected(items, {name: commit_of(service, name) for name in ("md", "code")})

    def fetch(path: str) -> None:
        if path in {"a.txt", "in/page.md"}:  # in the first look into each repository but one, and between two looks into the other
            commit_files(service.mirror("code"), {"a.txt": path.encode(), "new.txt": b""})
            commit_files(service.mirror("md"), {"page.md": path.encode(), "in/page.md": b"# New\n"})

    loads.before = fetch
    assert ask_batch(items) == before
    loads.before = lambda _path: None
    after = expected(items, {name: commit_of(service, name) for name in ("md", "code")})
    assert after != before
    assert ask_batch(items) == after


@pytest.mark.rule("BAT-32")
def test_each_question_is_asked_once_for_each_repository(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: list[str] = []
    real = mirrors.resolve_ref

    def noting(mirror: Any, engine: Any, repo: str, *rest: Any) -> Any:
        resolved.append(repo)
        return real(mirror, engine, repo, *rest)

    monkeypatch.setattr(mirrors, "resolve_ref", noting)
    with queries(service.engine) as asked:
        answer_of([file("a.txt"), file("dir/b.txt"), file("a.txt", "md"), file("empty.txt")])
    assert sorted(resolved) == ["code", "md"]
    assert len(asked) == 3  # each default branch, and whether `md`, where a file is missing, is being synced
    with queries(service.engine) as asked:
        answer_of([file("no"), file("nor"), file("not", lines=[1, 2]), section("page"), section("in/page"), file("a.txt")])
    assert len(asked) == 4  # two default branches, one sync, and once what is served as documentation


@pytest.mark.rule("BAT-41", "BAT-42", "BAT-44", "BAT-45", "BAT-47", "BAT-21", "BAT-7")
def test_a_group_is_read_once_and_parsed_once(service: Service, loads: Loads, monkeypatch: pytest.MonkeyPatch) -> None:
    parses: list[str] = []
    real = page.parsed
    monkeypatch.setattr(page, "parsed", lambda suffix, blob_id, text: (parses.append(blob_id), real(suffix, blob_id, text))[1])
    items = [
        section("page", section="K11"), file("page.md", "md"), file("page.md", "md", lines=[1, 2]), section("./page.md", repo="md"),
        section("lines"), section("page", section="no such"), file("page.md", "md", lines=[1, 2]), section("lines", section="a"),
        file("page.md", "md", lines=[1, 3]), file("page.md"),
    ]  # fmt: skip
    assert ask_batch(items) == expected(items, {name: commit_of(service, name) for name in ("md", "code")})
    assert loads.seen == [
        ("md", "page.md", 512_000), ("md", "page.md", 10_485_760), ("md", "lines.md", 512_000), ("md", "page.md", 10_485_760),
        ("code", "page.md", 512_000),
    ]  # fmt: skip
    # The single calls behind `expected` parse too: three sections of one page, two of the other, whose refusal is parsed once as well.
    assert sorted(Counter(parses).values()) == [2 + 1, 3 + 1]
    assert loads.threads == {threading.get_ident()}


@pytest.mark.rule("BAT-44", "BAT-46", "PLT-73")
@pytest.mark.usefixtures("service")
def test_a_section_is_never_parsed_from_what_was_read_under_the_ceiling_of_a_range(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(page, "parsed", never)
    part, whole = file("large.md", "md", lines=[1, 2]), section("large", repo="md")
    for items in ([part, whole], [whole, part]):
        by_kind = {item["request"]["kind"]: item["result"] for item in answer_of(items)["items"]}
        assert by_kind["file"]["status"] == "ok"
        assert by_kind["section"] == json.loads(ask_single(whole))
        assert by_kind["section"]["error"] == "unreadable_too_large"


def fail_to_fix(monkeypatch: pytest.MonkeyPatch, *, times: int, exit_code: int | None = None) -> None:
    """Git doesn't end in time, or says that the repository is broken, the first `times` times that a ref is resolved."""
    real, left = resolve_ref._look_up, [None] * times

    def look_up(mirror: Any, repo: str, ref: str, **options: Any) -> Any:
        if left:
            left.pop()
            return resolve_ref._ask_git(mirror, repo, ref, KeyError(ref))
        return real(mirror, repo, ref, **options)

    def run_git(command: str, *_: Any, **__: Any) -> bytes:
        raise GitFailed(command, exit_code, "fatal", how=None if exit_code else "it did not end in time")

    monkeypatch.setattr(resolve_ref, "_look_up", look_up)
    monkeypatch.setattr(resolve_ref, "run_git", run_git)


@pytest.mark.rule("BAT-37", "REF-44")
def test_a_commit_that_can_not_be_fixed_for_the_moment_is_one_warning_and_each_item_resolves_its_own(
    service: Service, loads: Loads, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit_of(service, "code")
    fail_to_fix(monkeypatch, times=1)
    loads.before = lambda path: commit_files(service.mirror("code"), FILES | {"new.txt": b""}) if path == "dir/b.txt" else None
    with capture_logs() as logs:
        items = answer_of([file("a.txt"), file("dir/b.txt"), file("new.txt"), file("a.txt")])["items"]
    warnings = [(entry["log_level"], entry["repo"]) for entry in logs if entry["event"] == "commit_not_fixed"]
    assert warnings == [("warning", "code")]
    assert all(item["result"]["ok"] for item in items)
    seen = [item["resolved_commit"] for item in items]  # the fourth shares the first one's read
    assert seen == [first, first, commit_of(service, "code"), first]
    assert seen == [item["result"]["file"]["resolved_commit"] for item in items]


@pytest.mark.rule("BAT-39", "REF-45")
def test_a_broken_mirror_is_logged_by_the_look_into_it_and_by_no_item(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_to_fix(monkeypatch, times=99, exit_code=128)
    with capture_logs() as logs:
        answers = results([file(path) for path in ("a.txt", "dir/b.txt", "empty.txt")])
    assert [answer["error"] for answer in answers] == ["read_failed"] * 3
    assert [entry["event"] for entry in logs] == ["git_error", "read_failed"]
    assert service.mirror("code").is_dir()


@pytest.mark.rule("BAT-38", "BAT-91", "REF-43")
def test_what_is_not_there_is_answered_under_its_own_name_and_not_logged(service: Service) -> None:
    with capture_logs() as logs:
        answers = results([file("a.txt", "gone"), file("a.txt", "headless"), section("page", repo="gone"), file("b.txt", "headless")])
    assert [answer["error"] for answer in answers] == ["repo_not_mirrored", "ref_not_mirrored", "repo_not_mirrored", "ref_not_mirrored"]
    assert [answer.get("path") for answer in answers] == [None, "a.txt", "page.md", "b.txt"]
    assert logs == []
    assert not (service.mirrors / "gone.git").exists()


@pytest.mark.rule("BAT-10", "BAT-32")
def test_while_a_sync_runs_what_is_missing_is_sync_in_progress_as_in_the_single_tools(service: Service) -> None:
    for repo in ("code", "gone", "broken"):
        service.write(repo, sync_owner="sync", sync_expires_at=2**40)
    items = [file("no"), file("a.txt"), file("a.txt", "gone"), file("a.txt", "broken"), section("page", repo="gone")]
    assert [item.get("error") for item in results(items)] == ["sync_in_progress", None, *["sync_in_progress"] * 3]
    assert results(items) == [json.loads(ask_single(item)) for item in items]


@pytest.mark.rule("BAT-36")
def test_a_read_that_failed_after_a_commit_was_reached_says_which(service: Service, loads: Loads) -> None:
    def lose(path: str) -> None:
        oid = git_line(service.mirror("code"), "rev-parse", f"main:{path}")
        (service.mirror("code") / "objects" / oid[:2] / oid[2:]).unlink()

    loads.before = lose
    (item,) = answer_of([file("a.txt")])["items"]
    assert (item["result"]["error"], item["resolved_commit"]) == ("read_failed", commit_of(service, "code"))


@pytest.mark.rule("BAT-75", "BAT-76", "BAT-77", "BAT-78")
def test_a_batch_that_waited_for_its_time_reads_nothing_and_still_refuses(service: Service, loads: Loads) -> None:
    late = answer_of([file("a.txt"), file("a.txt")], waited_s=10)
    assert late == {"ok": True, "count": 0, "items": [], "unread": [0, 1], "unread_reason": "timeout"}
    refused = answer_of([file(""), "malformed", section("page", repo="no"), section("page"), file("")], waited_s=10)
    assert [item["result"]["error"] for item in refused["items"]] == ["missing_path", "invalid_item", "repo_not_allowed"]
    assert (refused["unread"], refused["unread_reason"]) == ([3, 4], "timeout")
    assert loads.seen == []
    assert answer_of([file("a.txt")], waited_s=5)["count"] == 1
    assert service.mirror("code").is_dir()


@pytest.mark.rule("BAT-75", "BAT-77", "BAT-78", "BAT-79")
def test_a_read_that_began_in_time_ends_and_none_begins_after_it(service: Service, loads: Loads, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=read_batch.time.time())
    monkeypatch.setattr(read_batch, "time", SimpleNamespace(time=lambda: clock.now))

    def slow(_path: str) -> None:
        clock.now += 6

    loads.before = slow
    items = [file("a.txt"), file("dir/b.txt"), file("a.txt"), file("empty.txt"), file("a.txt")]
    answer = answer_of(items)
    assert [item["result"]["status"] for item in answer["items"]] == ["ok"] * 3  # the second began after 6 s, and the third was read
    assert (answer["unread"], answer["unread_reason"]) == ([3, 4], "timeout")
    assert service.mirror("code").is_dir()


@pytest.mark.rule("BAT-53", "BAT-58")
def test_ten_sections_and_then_their_files_in_reverse_never_hold_more_than_the_budget(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{number}.md": b"# a\n" + b"x" * 90_000 for number in range(10)}
    commit_files(service.mirror("md"), PAGES | files)
    held: list[int] = []

    class Watched(Answers):
        def offer(self, index: int, answer: bytes) -> None:
            super().offer(index, answer)
            held.append(self.held_bytes)

    monkeypatch.setattr(read_batch, "Answers", Watched)
    items = [section(str(number)) for number in range(10)] + [file(f"{number}.md", "md") for number in reversed(range(10))]
    answer = answer_of(items)
    assert (answer["count"], answer["unread"], answer["unread_reason"]) == (12, [*range(12, 20)], "byte_budget")
    assert 180_000 < max(held) <= 255_876


def peak_of(ask: Callable[[], bytes]) -> int:
    """Bytes of Python's allocations at their most, above what there was."""
    ask()  # what is kept between calls is kept by now
    tracemalloc.start()
    ask()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.rule("BAT-42", "BAT-61", "BAT-62", "PLT-74")
def test_a_batch_over_many_pages_takes_what_its_dearest_read_takes_beside_the_answer(service: Service) -> None:
    body = "".join(f"## Part {number}\n\n{'text ' * 80}\n" for number in range(1_200)).encode()
    commit_files(service.mirror("md"), {f"{number}.md": b"# %d\n" % number + body for number in range(5)})
    items = [section(str(number % 5), section=f"Part {number}") for number in range(20)]
    single = max(peak_of(lambda item=item: ask_single(item)) for item in items[:5])  # type: ignore[misc]
    assert single > 5 * 256_000
    assert peak_of(lambda: ask_batch(items)) < single + 2 * 256_000


@pytest.mark.rule("BAT-11")
@pytest.mark.parametrize(
    ("failure", "error"),
    [(RuntimeError("hunter2"), "internal_error"), (MemoryError(), "resource_limit"), (SoftTimeLimitExceeded(), "resource_limit")],
)
def test_a_read_that_fails_on_our_side_costs_its_own_items_and_is_not_tried_again(
    service: Service, loads: Loads, failure: Exception, error: str
) -> None:
    def fail(path: str) -> None:
        if path == "a.txt":
            tried.append(path)
            raise failure

    tried: list[str] = []
    loads.before = fail
    answers = results([file("a.txt"), file("dir/b.txt"), file("a.txt")])
    assert [answer.get("error") for answer in answers] == [error, None, error]
    assert (answers[0]["call_id"], len(tried)) == ("1", 1)
    assert "hunter2" not in str(answers)
    assert service.mirror("code").is_dir()


@pytest.mark.rule("BAT-12")
def test_a_snapshot_takes_no_ref(service: Service) -> None:
    with pytest.raises(ValueError, match="default branches"):
        snapshot.Snapshot(service.mirrors, service.engine).open("code", "main", None)


def test_a_commit_that_went_away_with_its_mirror_is_read_failed(service: Service, loads: Loads) -> None:
    def clone_anew(path: str) -> None:
        if path == "dir/b.txt":
            service.mirror("code").rename(service.mirrors / "old")
            commit_files(new_repository(service.mirror("code")), {"other.txt": b""})

    loads.before = clone_anew
    answers = results([file("a.txt"), file("dir/b.txt"), file("empty.txt")])
    assert [answer.get("error") for answer in answers] == [None, "read_failed", "read_failed"]
