"""A file's history as a function: what git lists and shows is the oracle."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from shared.wire.file_routes import FileHistoryParameters
from tests.fake_git import FakeGit
from tests.git_repositories import commit_files, git, git_line, loose_object, new_repository, write_tree
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import BUDGET
from tests.unit.workers.route_answers import at_commit, history
from workers import resources
from workers.mirror import commits_of_file

RECORD = "tformat:%H%x00%h%x00%an%x00%ae%x00%at%x00%aI%x00%s%x00%b%x01"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch) as running:
        yield running
    resources.secret_paths.cache_clear()


@pytest.fixture
def mirror(service: Service) -> Path:
    """The mirror of `case`, empty, whose branch is `main`."""
    made = new_repository(service.mirror("case"))
    service.add("case", "https://h/case", "main")
    return made


def commit_of(mirror: Path, files: dict[str | bytes, Any], message: str, seconds: int, *parents: str, zone: str = "+0000") -> str:
    """A commit of exactly `files`, written and committed at `seconds`; no ref leads to it."""
    dates = {"GIT_AUTHOR_DATE": f"{seconds} {zone}", "GIT_COMMITTER_DATE": f"{seconds} {zone}"}
    on = [word for parent in parents for word in ("-p", parent)]
    return git(mirror, "commit-tree", write_tree(mirror, files), *on, "-m", message, **dates).decode().strip()


def raw_commit(mirror: Path, author: bytes, message: bytes) -> None:
    """Let `main` be a commit whose object holds these bytes."""
    tree = write_tree(mirror, {"f": b"1"}).encode()
    raw = b"tree %b\nauthor %b +0000\ncommitter a <a@x> 1 +0000\n\n%b" % (tree, author, message)
    git(mirror, "update-ref", "refs/heads/main", git_line(mirror, "hash-object", "-w", "-t", "commit", "--stdin", stdin=raw))


def by_git(mirror: Path, file: str, ref: str = "HEAD") -> list[dict[str, Any]]:
    """The records of a file's commits as git's own log has them."""
    printed = git(mirror, "log", f"--format={RECORD}", ref, "--", f":(literal){file}").decode()
    records = []
    for line in filter(None, printed.split("\x01\n")):
        commit, short, author, email, seconds, date, subject, body = line.split("\0")
        records.append(
            {
                "hash": commit, "short_hash": short, "timestamp": int(seconds), "date": date.replace("Z", "+00:00"), "author": author,
                "author_email": email, "message": subject, "body": body.rstrip("\n"), "truncated": False,
            }
        )  # fmt: skip
    return records


@pytest.mark.rule("REF-92", "REF-96")
def test_a_history_is_what_git_logs_newest_first_with_merges_and_offsets(mirror: Path) -> None:
    base = commit_of(mirror, {"f": b"0", "other": b""}, "the first\n\nwith a body\n\nof two paragraphs", 1_000_000_000)
    left = right = base
    for number in range(1, 12):
        content = {"f": b"left %d" % (number * number % 3), "other": b"%d" % number}
        left = commit_of(mirror, {**content}, f"left {number}\nsecond line", 1_000_000_000 + 60 * number, left, zone="-0330")
        right = commit_of(mirror, {"f": b"right %d" % (number // 2)}, f"\u05e9 {number}", 1_000_000_030 + 60 * number, right)
    head = commit_of(mirror, {"f": b"merged", "other": b"1"}, "a merge", 1_000_001_000, left, right)
    git(mirror, "update-ref", "refs/heads/main", head)
    git(mirror, "tag", "v1", left)
    for file, ref in (("f", "HEAD"), ("other", "HEAD"), ("f", "v1"), ("f", right), ("f", f"{head}~2")):
        expected = by_git(mirror, file, ref)
        assert len(expected) > 3
        assert history(file, ref=ref, limit=100) == {
            "success": True, "repo": "case", "file_path": file, "ref": ref, "resolved_commit": git_line(mirror, "rev-parse", f"{ref}^{{}}"),
            "commits": expected, "total_returned": len(expected), "skip": 0, "limit": 100, "has_more": False,
        }  # fmt: skip
    assert history("f", ref=" ")["ref"] == "HEAD"


@pytest.mark.rule("REF-96")
def test_pages_of_any_length_put_together_are_the_whole_history(mirror: Path) -> None:
    for number in range(23):
        commit_files(mirror, {"f": b"%d" % number}, message=f"change {number}")
    whole = [record["hash"] for record in by_git(mirror, "f")]
    assert [record["hash"] for record in history("f")["commits"]] == whole[:20]  # the default
    for limit in (1, 7, 22, 23, 24, 100):
        pieces, skip, more = [], 0, True
        while more:
            answer = history("f", limit=limit, skip=skip)
            assert answer["total_returned"] == len(answer["commits"]) <= limit
            pieces += [record["hash"] for record in answer["commits"]]
            skip += answer["total_returned"]
            more = answer["has_more"]
        assert pieces == whole
    past = history("f", skip=23)
    assert (past["commits"], past["total_returned"], past["has_more"]) == ([], 0, False)
    assert history("g", skip=1)["error"] == "not_found"


@pytest.mark.rule("REF-96")
@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ({}, (20, 0)), ({"limit": "7", "skip": "3"}, (7, 3)), ({"limit": "0", "skip": "-1"}, (1, 0)), ({"limit": "-5"}, (1, 0)),
        ({"limit": "101"}, (100, 0)), ({"limit": "1" + "0" * 400, "skip": "1" + "0" * 400}, (100, 10**9)),
    ],
)  # fmt: skip
def test_limit_and_skip_are_clamped(sent: dict[str, str], taken: tuple[int, int]) -> None:
    parameters = FileHistoryParameters.model_validate(sent)
    assert (parameters.limit, parameters.skip, parameters.ref) == (*taken, "HEAD")


@pytest.mark.parametrize("number", ["", "many", "1.5", "0x10", None, ["1", "2"]])
def test_what_is_no_whole_number_is_refused_and_not_replaced(number: Any) -> None:
    for name in ("limit", "skip"):
        with pytest.raises(ValidationError) as refused:
            FileHistoryParameters.model_validate({name: number})
        assert [problem["loc"] for problem in refused.value.errors()] == [(name,)]


def test_a_renamed_file_has_two_histories(mirror: Path) -> None:
    for files, message in (({"old": b"text\n" * 50}, "made"), ({"new": b"text\n" * 50}, "renamed"), ({"new": b"text\n" * 51}, "grown")):
        commit_files(mirror, {**files}, message=message)
    assert [commit["message"] for commit in history("new")["commits"]] == ["grown", "renamed"]
    assert [commit["message"] for commit in history("old")["commits"]] == ["renamed", "made"]  # its removal and its beginning


@pytest.mark.rule("REF-72", "REF-73", "REF-79")
def test_a_folder_has_no_history_so_that_nothing_is_told_of_secret_files_below_it(mirror: Path) -> None:
    commit_files(mirror, {"conf/.env": b"1", "f": b"1"}, message="the password is hunter2")
    assert history("conf")["error"] == "not_found"
    for path in ("conf/.env", "CONF/.ENV", ".envdir/file", "f/../.env", "id_rsa"):
        assert history(path) == {"ok": False, "error": "path_denied"}
        assert at_commit(path) == {"ok": False, "error": "path_denied"}
    commit_files(mirror, {"conf": b"a file now", "f": b"1"}, message="a file")
    commit_files(mirror, {"conf/a": b"1", "f": b"1"}, message="a folder again")
    commit_files(mirror, {"conf/a": b"2", "f": b"1"}, message="below it")
    assert [commit["message"] for commit in history("conf")["commits"]] == ["a folder again", "a file"]


@pytest.mark.rule("REF-25")
def test_a_path_is_literal_and_never_an_option_a_pattern_or_another_path(mirror: Path, service: Service) -> None:
    names = ("-rf", "--output=stolen", ":(top)f", ":", "*", "[f]", "a b", "\u05e9.txt", "two\nlines", "a\\b", "f")
    for number in range(len(names)):
        commit_files(mirror, dict.fromkeys(names[: number + 1], b"1"), message=f"adds {number}")
    before = sorted(service.data_dir.rglob("*"))
    for number, name in enumerate(names):
        assert [commit["message"] for commit in history(name)["commits"]] == [f"adds {number}"]
    for name in ("./f", "x/../f", "F", "?", ".git/config", "config", ":(exclude)f", "f/f"):
        assert history(name)["error"] == "not_found"
        assert at_commit(name)["error"] == "not_found"
    assert sorted(service.data_dir.rglob("*")) == before


@pytest.mark.rule("REF-20", "REF-31", "REF-32", "REF-33", "REF-92")
@pytest.mark.parametrize(
    ("repo", "file", "ref", "error"),
    [
        (" ", "", "x" * 4_097, "missing_repo"),
        ("a/b", " ", "x" * 4_097, "missing_file"),
        ("a/b", ".env/" + "x" * 4_097, "x" * 4_097, "path_too_long"),
        ("a/b", "/.env", "x" * 4_097, "path_denied"),
        ("a/b", "/a", "x" * 4_097, "ref_too_long"),
        ("a/b", "/a", "-x", "invalid_repo_name"),
        ("nosuch", "/a", "-x", "invalid_file_path"),
        ("nosuch", "../a", "-x", "invalid_file_path"),
        ("nosuch", "a\udcff", "-x", "invalid_file_path"),
        ("nosuch", "a", "-x", "repo_not_mirrored"),
        ("case", "a", "-x", "invalid_ref"),
        ("case", "a", "main:f", "invalid_ref"),
        ("case", "a", "nosuch", "ref_not_mirrored"),
        ("case", "a", "0" * 40, "ref_not_mirrored"),
        ("case", "a", "main", "not_found"),
    ],
)
def test_the_first_check_that_fails_decides_on_both_routes(mirror: Path, repo: str, file: str, ref: str, error: str) -> None:
    commit_files(mirror, {"f": b"1"})
    assert history(file, repo, ref=ref)["error"] == error
    assert at_commit(file, repo, commit=ref)["error"] == error


@pytest.mark.rule("REF-28", "REF-29", "REF-30")
def test_a_running_sync_explains_what_was_not_found_on_both_routes(mirror: Path, service: Service) -> None:
    commit_files(mirror, {"f": b"1"})
    service.write("case", sync_owner="a sync", sync_expires_at=4_000_000_000.0)
    for answer in (history("nope"), at_commit("nope"), history("f", ref="nosuch"), at_commit("f", commit="nosuch")):
        assert (answer["error"], answer["retry_after"]) == ("sync_in_progress", 30)
    for answer in (history("f", ref="-x"), at_commit("f", commit="-x")):
        assert answer["error"] == "invalid_ref"
    assert history("f")["success"]


def test_a_page_that_would_not_fit_ends_on_a_commit_and_the_next_one_goes_on(mirror: Path) -> None:
    for number in range(60):
        commit_files(mirror, {"f": b"%d" % number}, message=f"{number}\n\n" + "\u05e9" * 9_000)
    whole = by_git(mirror, "f")
    answer = history("f", limit=60)
    count = answer["total_returned"]
    assert answer["has_more"]
    assert answer["commits"] == whole[:count]
    one_more = {**answer, "commits": whole[: count + 1], "total_returned": count + 1}
    assert len(json.dumps(one_more, ensure_ascii=False, separators=(",", ":")).encode()) > BUDGET
    assert history("f", limit=60, skip=count)["commits"][0] == whole[count]


def test_texts_beyond_their_ceilings_are_cut_and_say_so_and_one_commit_always_fits(mirror: Path) -> None:
    who = b"a" + b"\x02" * 200_000 + b"z"
    raw_commit(mirror, b"%b <%b> 1" % (who, who), b"\x01" * 300_000 + b"\n\n" + b"\x01" * 300_000)
    (commit,) = history("f")["commits"]
    assert commit["truncated"]
    assert [len(commit[name]) for name in ("author", "author_email", "message", "body")] == [1_000, 1_000, 1_000, 10_000]


def test_a_day_that_no_calendar_has_is_null_and_bytes_that_are_not_utf8_are_latin_1(mirror: Path) -> None:
    raw_commit(mirror, b"J\xf6rg <j@x> 99999999999999", b"\xfcber\n")
    (commit,) = history("f")["commits"]
    assert (commit["timestamp"], commit["date"], commit["author"], commit["message"]) == (99_999_999_999_999, None, "J\xf6rg", "\xfcber")


def test_git_that_does_not_end_in_time_is_a_timeout_and_one_that_fails_a_failed_read(
    mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_files(mirror, {"f": b"1"})
    fake = FakeGit(tmp_path / "bin", monkeypatch)
    fake.instead_of(("rev-list",), "exit 128")
    assert history("f")["error"] == "read_failed"
    monkeypatch.setattr(commits_of_file, "GIT_HISTORY_TIMEOUT_S", 1)
    fake.instead_of(("rev-list",), "sleep 1000")
    assert history("f")["error"] == "timeout"


@pytest.mark.rule("REF-37")
def test_a_commit_that_is_lost_on_the_way_is_a_failed_read(mirror: Path) -> None:
    first = commit_files(mirror, {"f": b"1"})
    commit_files(mirror, {"f": b"2"})
    loose_object(mirror, first).unlink()
    assert history("f")["error"] == "read_failed"
