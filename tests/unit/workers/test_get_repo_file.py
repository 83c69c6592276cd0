"""`codekeeper_get_repo_file` as a function: the order of its checks, its ceilings, and every shape of its answers."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql

from shared.database import repositories
from shared.database.engine import writing
from tests.git_repositories import case_repository, commit_files, git_line, link, loose_object, new_repository, submodule
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import BUDGET, as_sent, list_tree, queries, read_file
from workers import resources

LONG_REF = "x" * 4_097
MAX_RANGE = 10 * 1024 * 1024
BOM = b"\xef\xbb\xbf"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch) as running:
        yield running
    resources.secret_paths.cache_clear()


def serve(service: Service, files: dict[str, Any], branch: str = "main") -> str:
    """Mirror `files` as `case`; the id of the commit."""
    commit = commit_files(new_repository(service.mirror("case")), files, f"refs/heads/{branch}")  # type: ignore[arg-type]
    service.add("case", "https://h/case", branch)
    return commit


def served_case(service: Service, number: str, branch: str | None = None) -> str:
    service.mirrors.mkdir(parents=True)
    case_repository(number, service.data_dir).rename(service.mirror("case"))
    service.add("case", "https://h/case", branch)
    return git_line(service.mirror("case"), "rev-parse", "HEAD")


@pytest.mark.rule("REF-19", "REF-26", "REF-31", "REF-32", "REF-33", "REF-68", "REF-74", "GRF-10", "GRF-12", "GRF-13", "LIN-24", "TREE-8")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"repo": "", "path": "", "lines": [0], "ref": LONG_REF}, "missing_repo"),
        ({"repo": " \t", "path": ".env"}, "missing_repo"),
        ({"path": "", "lines": [0], "ref": LONG_REF}, "missing_path"),
        ({"path": " \n", "repo": "a/b"}, "missing_path"),
        ({"path": ".env", "lines": [0, 1], "ref": LONG_REF, "repo": "a/b"}, "invalid_line_range"),
        ({"path": "x" * 4_097, "lines": [2, 1], "ref": LONG_REF}, "invalid_line_range"),
        ({"path": ".env/" + "x" * 4_097, "ref": LONG_REF, "repo": "a/b"}, "path_too_long"),
        ({"path": "/.env", "ref": LONG_REF, "repo": "a/b"}, "path_denied"),
        ({"path": "nowhere/ID_RSA_keys/a.txt", "repo": "nosuch"}, "path_denied"),
        ({"path": "..", "ref": LONG_REF}, "path_denied"),
        ({"path": "/a", "ref": LONG_REF, "repo": "a/b"}, "ref_too_long"),
        ({"path": "a", "ref": LONG_REF, "repo": "nosuch"}, "ref_too_long"),
        ({"path": "a", "ref": "-x", "repo": "a/b"}, "invalid_input"),
        ({"path": "/a", "ref": "-x", "repo": "nosuch"}, "invalid_input"),
        ({"path": "../a.txt", "ref": "-x"}, "invalid_input"),
        ({"path": "nowhere", "ref": "-x", "repo": "nosuch"}, "repo_not_mirrored"),
        ({"path": "nowhere", "ref": "-x"}, "invalid_ref"),
        ({"path": "nowhere", "ref": "nosuch"}, "ref_not_mirrored"),
        ({"path": "nowhere", "lines": [9, 9]}, "not_found"),
        ({"path": "a.txt", "lines": [9, 9]}, "range_out_of_bounds"),
    ],
)
def test_the_first_check_that_fails_decides(service: Service, arguments: dict[str, Any], error: str) -> None:
    serve(service, {"a.txt": b"a\n"})
    answer = read_file(**arguments)
    assert (answer["ok"], answer["error"]) == (False, error)


@pytest.mark.rule("REF-33")
@pytest.mark.usefixtures("service")
def test_a_malformed_repository_name_is_named_before_a_malformed_path() -> None:
    assert read_file("/a", repo="a/b")["message"].startswith("repo:")
    assert read_file("/a", repo="case")["message"].startswith("path:")


@pytest.mark.rule("GRF-13", "GRF-32", "GRF-33", "REF-14", "REF-16", "REF-18", "REF-22", "REF-23", "REF-26", "LIN-25", "PLT-126")
def test_a_refusal_carries_its_fields_and_no_more(service: Service) -> None:
    commit = serve(service, {"a.txt": b"a\n"})
    assert read_file("a.txt", repo="") == {"ok": False, "error": "missing_repo"}
    assert read_file("") == {"ok": False, "error": "missing_path"}
    assert read_file("a.txt", lines=[]) == {"ok": False, "error": "invalid_line_range"}
    assert read_file("id_rsa") == {"ok": False, "error": "path_denied"}
    assert read_file("x" * 4_097) == {"ok": False, "error": "path_too_long", "max_chars": 4_096, "actual_chars": 4_097}
    assert read_file("a.txt", ref="x" * 70_000) == {"ok": False, "error": "ref_too_long", "max_chars": 4_096, "actual_chars": 70_000}
    assert read_file("b.txt") == {"ok": False, "error": "not_found", "ref": "refs/heads/main", "resolved_commit": commit}
    assert read_file("b.txt", ref="HEAD") == {"ok": False, "error": "not_found", "ref": "HEAD", "resolved_commit": commit}
    assert read_file("a.txt", lines=[3, 9]) == {"ok": False, "error": "range_out_of_bounds", "total_lines": 2}
    for ref, error in (("-x", "invalid_ref"), ("nosuch", "ref_not_mirrored")):
        answer = read_file("a.txt", ref=ref)
        assert answer.pop("message")
        assert answer == {"ok": False, "error": error, "repo": "case", "path": "a.txt", "ref": ref}


@pytest.mark.rule("REF-12", "REF-20", "REF-25", "REF-26", "REF-33", "REF-36", "PLT-122")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"path": "notes.txt", "ref": "--output=stolen.txt"}, "invalid_ref"), ({"path": "notes.txt", "ref": "main --"}, "invalid_ref"),
        ({"path": "notes.txt", "ref": "main:notes.txt"}, "invalid_ref"), ({"path": "notes.txt", "ref": "main..main"}, "ref_not_mirrored"),
        ({"path": "../notes.txt"}, "invalid_input"), ({"path": "/notes.txt"}, "invalid_input"), ({"path": ""}, "missing_path"),
        ({"path": " "}, "missing_path"), ({"path": ".git/config"}, "not_found"), ({"path": "config"}, "not_found"),
        ({"repo": "--help", "path": "notes.txt"}, "invalid_input"), ({"path": "-rf"}, None),
    ],
)  # fmt: skip
def test_values_that_look_like_options_are_values_and_nothing_is_written(
    service: Service, arguments: dict[str, Any], error: str | None
) -> None:
    served_case(service, "13")
    before = sorted(service.data_dir.rglob("*"))
    answer = read_file(**arguments)
    assert answer.get("error") == error
    assert str(service.data_dir) not in str(answer)
    assert sorted(service.data_dir.rglob("*")) == before


@pytest.mark.rule("LIN-5", "LIN-8", "LIN-27", "GRF-8", "GRF-9", "GRF-23", "GRF-24", "GRF-25", "GRF-26", "GRF-27", "REF-9")
def test_a_read_answers_exactly_these_fields(service: Service) -> None:
    commit = serve(service, {"a.txt": b"a\nb\nc\n"})
    file = {"path": "a.txt", "ref": "refs/heads/main", "resolved_commit": commit, "size": 6, "lines": 4, "encoding": "utf-8"}
    assert read_file("a.txt") == {"ok": True, "status": "ok", "file": file, "content": "a\nb\nc\n"}
    assert read_file("a.txt", lines=[2, 3], ref="main") == {
        "ok": True, "status": "ok", "file": file | {"ref": "main"}, "content": "b\nc",
        "range": {"start": 2, "end": 3, "total_lines": 4, "truncated": False},
    }  # fmt: skip


@pytest.mark.rule(
    "LIN-2", "LIN-3", "LIN-4", "LIN-7", "LIN-20", "LIN-21", "LIN-22", "LIN-23", "LIN-25", "LIN-26", "LIN-27", "LIN-30", "LIN-38"
)
@pytest.mark.parametrize(
    ("lines", "content", "shown"),
    [
        ([1, 4], "a\nb\nc\n", (1, 4, False)), ([1, 3], "a\nb\nc", (1, 3, False)), ([4, 4], "", (4, 4, False)),
        ([2, 9], "b\nc\n", (2, 4, True)),
        ([3, 99], "c\n", (3, 4, True)), ([4, 10**18], "", (4, 4, True)), ([1, 1], "a", (1, 1, False)),
        ([5, 5], None, "range_out_of_bounds"),
        ([5, 3], None, "invalid_line_range"), ([0, 2], None, "invalid_line_range"), ([0, 0], None, "invalid_line_range"),
        ([-1, 2], None, "invalid_line_range"), ([1, -2], None, "invalid_line_range"), ([1, 0], None, "invalid_line_range"),
        ([-3, -1], None, "invalid_line_range"), ([2], None, "invalid_line_range"), ([1, 2, 3], None, "invalid_line_range"),
        ([], None, "invalid_line_range"), ([10**30, 10**30], None, "range_out_of_bounds"),
    ],
)  # fmt: skip
def test_a_range_of_the_contracts_four_lines(service: Service, lines: list[int], content: str | None, shown: Any) -> None:
    serve(service, {"a.txt": b"a\nb\nc\n"})
    answer = read_file("a.txt", lines=lines)
    if content is None:
        assert (answer["error"], answer.get("total_lines", 4)) == (shown, 4)
        return
    start, end, truncated = shown
    assert answer["content"] == content
    assert answer["range"] == {"start": start, "end": end, "total_lines": 4, "truncated": truncated}
    assert answer["file"]["lines"] == 4


@pytest.mark.rule("LIN-1", "LIN-5", "LIN-7", "LIN-9", "LIN-13", "LIN-14", "LIN-25", "LIN-26", "GRF-25")
def test_only_a_newline_ends_a_line(service: Service) -> None:
    served_case(service, "02")
    report, log = read_file("report.py"), read_file("progress.log")
    assert (report["file"]["lines"], report["file"]["size"], report["file"]["encoding"]) == (7, 126, "utf-8")
    assert (log["file"]["lines"], log["file"]["size"], log["content"]) == (3, 26, "start\n50%\r100% NEEDLE\n\vend")
    expected = {
        2: "\f", 4: '    text = "a\u2028b"', 5: '    sep = "x\x1cy\x85z"  # NEEDLE, FS and NEL before it', 7: "last = 7",
    }  # fmt: skip
    for line, content in expected.items():
        answer = read_file("report.py", lines=[line, line])
        assert (answer["content"], answer["range"]) == (content, {"start": line, "end": line, "total_lines": 7, "truncated": False})
    assert read_file("report.py", lines=[7, 8])["range"] == {"start": 7, "end": 7, "total_lines": 7, "truncated": True}
    assert read_file("report.py", lines=[8, 8]) == {"ok": False, "error": "range_out_of_bounds", "total_lines": 7}
    assert read_file("progress.log", lines=[2, 2])["content"] == "50%\r100% NEEDLE"
    assert read_file("progress.log", lines=[3, 3])["content"] == "\vend"


@pytest.mark.rule("REF-84", "REF-85", "REF-86", "LIN-4", "LIN-9", "LIN-10", "LIN-11", "LIN-16", "LIN-18", "GRF-24", "GRF-25", "GRF-26")
@pytest.mark.parametrize(
    ("data", "size", "lines", "labelled"),
    [
        (BOM + b"a\r\nb", 7, 2, ("utf-8-sig", "a\r\nb")),
        ("\u05e9\u05dc\u05d5\u05dd".encode("cp1255"), 4, 1, ("latin-1", "\u00f9\u00ec\u00e5\u00ed")),
        (b"", 0, 1, ("utf-8", "")),
        (BOM, 3, 1, ("utf-8-sig", "")),
        (BOM + b"\xff\n", 5, 2, ("latin-1", "\xef\xbb\xbf\xff\n")),
        ("\u05e9\r\n\U0001f600\n".encode(), 9, 3, ("utf-8", "\u05e9\r\n\U0001f600\n")),
    ],
)
def test_text_comes_back_as_it_is_but_for_the_mark_and_its_size_counts_every_byte(
    service: Service, data: bytes, size: int, lines: int, labelled: tuple[str, str]
) -> None:
    encoding, content = labelled
    serve(service, {"f": data})
    answer = read_file("f")
    assert (answer["file"]["size"], answer["file"]["lines"], answer["file"]["encoding"], answer["content"]) == (
        size,
        lines,
        encoding,
        content,
    )
    ranged = read_file("f", lines=[1, lines])
    assert (ranged["content"], ranged["file"], ranged["range"]["total_lines"]) == (content, answer["file"], lines)
    assert "\n".join(read_file("f", lines=[line, line])["content"] for line in range(1, lines + 1)) == content


@pytest.mark.rule(
    "REF-81",
    "REF-83",
    "REF-90",
    "LIN-39",
    "LIN-40",
    "GRF-17",
    "GRF-18",
    "GRF-19",
    "GRF-20",
    "GRF-22",
    "GRF-28",
    "GRF-29",
    "GRF-30",
    "GRF-31",
)
def test_a_file_is_judged_by_the_ceiling_of_its_mode_before_it_is_looked_into(service: Service) -> None:
    sizes = {"whole": 512_000, "whole+1": 512_001, "range": MAX_RANGE, "range+1": MAX_RANGE + 1}
    commit = serve(service, {name: b"\0" * size for name, size in sizes.items()})
    for name, size in sizes.items():
        file = {"path": name, "ref": "refs/heads/main", "resolved_commit": commit, "size": size}
        binary = {"ok": True, "status": "binary", "file": file}
        assert read_file(name) == (binary if size <= 512_000 else {"ok": True, "status": "too_large", "file": file, "max": 512_000})
        assert read_file(name, lines=[1, 1]) == (
            binary if size <= MAX_RANGE else {"ok": True, "status": "too_large", "file": file, "max": MAX_RANGE}
        )


@pytest.mark.rule("LIN-39", "GRF-18", "GRF-19")
def test_a_mark_counts_against_the_ceiling_and_a_text_at_the_ceiling_is_read_in_ranges(service: Service) -> None:
    serve(service, {"f": b"x\n" * (MAX_RANGE // 2), "marked": BOM + b"x" * 511_998})
    last = MAX_RANGE // 2 + 1
    answer = read_file("f", lines=[last - 1, last])
    assert (answer["content"], answer["file"]["lines"]) == ("x\n", last)
    assert read_file("marked")["status"] == "too_large"


@pytest.mark.rule("GRF-58", "LIN-32", "LIN-40")
def test_a_full_read_is_never_cut_and_one_byte_over_the_budget_is_refused_with_the_number_that_was_compared(service: Service) -> None:
    commit = serve(service, {"f": b""})
    file = {"path": "f", "ref": "refs/heads/main", "resolved_commit": commit, "size": 100_000, "lines": 1, "encoding": "utf-8"}
    room = BUDGET - len(as_sent({"ok": True, "status": "ok", "file": file, "content": ""}))
    for over in (0, 1):
        data = ("\u05e9" * 50 + "x" * (room - 100 + over)).encode()
        file |= {"size": len(data), "resolved_commit": commit_files(service.mirror("case"), {"f": data})}  # six digits as before
        whole = {"ok": True, "status": "ok", "file": file, "content": data.decode()}
        answer = read_file("f")
        if not over:
            assert answer == whole
            continue
        assert answer.pop("hint")
        assert answer == {"ok": False, "error": "answer_too_large", "bytes": len(as_sent(whole)), "max": BUDGET, "file": file}
        assert answer["bytes"] == BUDGET + 1


ALPHABETS = {"ascii": "ab c", "control": "\x01\x02a", "hebrew": "\u05e9\u05dc", "cjk": "\u4e2d\u6587", "emoji": "\U0001f600\U0001f680",
             "escaped": '"\\\r', "mixed": "a\x01\u05e9\u4e2d\U0001f600'\x7f\u2028"}  # fmt: skip


def text_of(alphabet: str, seed: int, longest: int) -> str:
    """600 KB of the alphabet in lines of any length, a third of them empty; a tenth of them is drawn."""
    draw = random.Random(seed)  # noqa: S311
    lines: list[str] = []
    size = 0
    while size < 60_000:
        lines.append("".join(draw.choices(alphabet, k=draw.choice([0, draw.randrange(longest), draw.randrange(longest)]))))
        size += len(lines[-1].encode()) * (3 if "\x01" in alphabet else 1) + 2
    # Binary detection looks at the head, which these tests are not about.
    return "x" * 9_000 + "\n" + "\n".join(lines * 10)


@pytest.mark.rule("LIN-28", "LIN-29", "LIN-30", "LIN-32", "LIN-33", "LIN-34")
@pytest.mark.parametrize("longest", [2, 90, 20_000])
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_a_range_over_the_budget_ends_as_late_as_it_can_and_goes_on_without_a_gap(service: Service, alphabet: str, longest: int) -> None:
    text = text_of(ALPHABETS[alphabet], longest, longest)
    parts = text.split("\n")
    serve(service, {"f": text.encode()})
    start, got = 1, []
    while start <= len(parts):
        answer = read_file("f", lines=[start, len(parts) + 5])
        shown = answer["range"]
        assert answer["content"] == "\n".join(parts[start - 1 : shown["end"]])
        assert (shown["start"], shown["total_lines"], shown["truncated"]) == (start, len(parts), True)
        if shown["end"] < len(parts):
            assert shown["truncation_reason"] == "byte_budget"
            one_more = {"content": "\n".join(parts[start - 1 : shown["end"] + 1]), "range": shown | {"end": shown["end"] + 1}}
            if shown["end"] + 1 == len(parts):
                del one_more["range"]["truncation_reason"]  # type: ignore[attr-defined]
            assert len(as_sent(answer | one_more)) > BUDGET
        else:
            assert "truncation_reason" not in shown
        got.append(answer["content"])
        start = shown["end"] + 1
    assert "\n".join(got) == text
    assert len(got) > 1


@pytest.mark.rule("LIN-31")
def test_a_line_that_does_not_fit_alone_is_refused_only_where_a_range_starts_with_it(service: Service) -> None:
    commit = serve(service, {"f": b"first\n" + b"y" * 300_000 + b"\nlast"})
    assert read_file("f", lines=[1, 3])["range"] == {
        "start": 1,
        "end": 1,
        "total_lines": 3,
        "truncated": True,
        "truncation_reason": "byte_budget",
    }
    for lines in ([2, 2], [2, 3], [2, 99]):
        answer = read_file("f", lines=lines)
        assert "search" in answer.pop("hint")
        assert answer.pop("bytes") > BUDGET
        file = {"path": "f", "ref": "refs/heads/main", "resolved_commit": commit, "size": 300_011, "lines": 3, "encoding": "utf-8"}
        assert answer == {"ok": False, "error": "answer_too_large", "max": BUDGET, "file": file}
    assert read_file("f", lines=[3, 3])["content"] == "last"


@pytest.mark.rule("LIN-31", "LIN-32")
def test_a_line_of_exactly_the_budget_fits_alone_and_a_refusal_names_more_bytes_than_the_budget(service: Service) -> None:
    commit = serve(service, {"f": b""})
    file = {"path": "f", "ref": "refs/heads/main", "resolved_commit": commit, "size": 255_000, "lines": 2, "encoding": "utf-8"}
    empty = {"ok": True, "status": "ok", "file": file, "content": "", "range": {"start": 1, "end": 1, "total_lines": 2, "truncated": False}}
    room = BUDGET - len(as_sent(empty))
    commit_files(service.mirror("case"), {"f": b"z" * room + b"\n"})
    assert len(as_sent(read_file("f", lines=[1, 1]))) == BUDGET
    refused = read_file("f", lines=[1, 2])  # one line of it would fit, but not with the reason why the range ended there
    assert refused["error"] == "answer_too_large"
    assert refused["bytes"] > refused["max"] == BUDGET
    commit_files(service.mirror("case"), {"f": b"z" * (room + 1) + b"\n"})
    assert read_file("f", lines=[1, 1])["bytes"] == BUDGET + 1


@pytest.mark.rule("GRF-72")
def test_a_link_answers_its_target_text_and_a_submodule_or_folder_is_not_found(service: Service) -> None:
    commit = serve(service, {"a.txt": b"text\n", "l": link("a.txt"), "two\nlines": link("x\ny"), "sub": submodule(), "d/f": b""})
    file = {"path": "l", "ref": "refs/heads/main", "resolved_commit": commit, "size": 5, "type": "symlink", "lines": 1, "encoding": "utf-8"}
    assert read_file("l") == {"ok": True, "status": "ok", "file": file, "content": "a.txt"}
    assert read_file("two\nlines", lines=[2, 2])["content"] == "y"
    assert [read_file(path)["error"] for path in ("sub", "d", "sub/x", "l/x")] == ["not_found"] * 4
    assert "type" not in read_file("a.txt")["file"]


@pytest.mark.rule("REF-9", "REF-10", "REF-13", "REF-22", "REF-23", "GRF-8", "GRF-9", "TREE-6")
def test_the_ref_that_was_sent_or_the_default_is_what_the_answer_names(service: Service) -> None:
    two = served_case(service, "14", "trunk")
    one = git_line(service.mirror("case"), "rev-parse", "HEAD~1")
    for ref, shown in (
        (None, "refs/heads/trunk"),
        ("", "refs/heads/trunk"),
        (" ", "refs/heads/trunk"),
        ("trunk", "trunk"),
        ("HEAD", "HEAD"),
    ):
        answer = read_file("f.txt", ref=ref)
        assert (answer["content"], answer["file"]["ref"], answer["file"]["resolved_commit"]) == ("v2\n", shown, two)
    for ref in ("v1.0", "outer", "light", "twin", "trunk~1", one, one[:7], "refs/pull/7/head"):
        answer = read_file("f.txt", ref=ref)
        assert (answer["content"], answer["file"]["ref"], answer["file"]["resolved_commit"]) == ("v1\n", ref, one)
    assert read_file("docs/a.md", ref="v1.0") == {"ok": False, "error": "not_found", "ref": "v1.0", "resolved_commit": one}


FAILURES: list[tuple[dict[str, Any], str]] = [
    ({"path": "a.txt", "ref": "nosuch"}, "ref_not_mirrored"),
    ({"path": "nowhere"}, "not_found"),
    ({"path": "a.txt", "repo": "absent"}, "repo_not_mirrored"),
    ({"path": "a.txt", "repo": "broken"}, "read_failed"),
    ({"path": "lost.txt"}, "read_failed"),
]
NO_FAILURES_OF_THE_MIRROR: list[tuple[dict[str, Any], str | None]] = [
    ({"path": "a.txt", "ref": "-x"}, "invalid_ref"), ({"path": "a.txt", "ref": LONG_REF}, "ref_too_long"),
    ({"path": "/a"}, "invalid_input"),
    ({"path": ".env"}, "path_denied"), ({"path": ""}, "missing_path"), ({"path": "a.txt", "lines": [9, 9]}, "range_out_of_bounds"),
    ({"path": "a.txt", "lines": [2, 1]}, "invalid_line_range"), ({"path": "a.txt"}, None), ({"path": "a.txt", "ref": "main"}, None),
]  # fmt: skip


@pytest.fixture
def three(service: Service) -> Service:
    """`case` with an object lost, `broken` that is no repository, and `absent` that is only registered; each has a row."""
    serve(service, {"a.txt": b"a\n", "lost.txt": b"lost\n"})
    loose_object(service.mirror("case"), git_line(service.mirror("case"), "rev-parse", "HEAD:lost.txt")).unlink()
    service.mirror("broken").mkdir()
    for name in ("broken", "absent"):
        service.add(name, f"https://h/{name}")
    return service


def hold_locks(service: Service) -> None:
    for name in ("case", "broken", "absent"):
        assert repositories.lock(service.engine, name, "a sync")


@pytest.mark.rule("REF-14", "REF-24", "REF-27", "REF-34", "REF-38", "GRF-36", "TREE-13")
@pytest.mark.parametrize(("arguments", "error"), FAILURES)
def test_a_failed_read_is_called_by_its_own_name_while_no_sync_runs(three: Service, arguments: dict[str, Any], error: str) -> None:
    answer = read_file(**arguments)
    assert answer["error"] == error
    assert str(three.data_dir) not in str(answer)
    hold_locks(three)
    three.write("case", sync_expires_at=1)  # a lock that was not renewed is no sync
    three.write("broken", sync_expires_at=1)
    three.write("absent", sync_expires_at=1)
    assert read_file(**arguments) == answer


@pytest.mark.rule("REF-28", "REF-34", "GRF-14", "PLT-117", "PLT-118", "PLT-119")
@pytest.mark.parametrize(("arguments", "error"), FAILURES)
def test_a_read_that_fails_while_a_sync_runs_asks_to_wait(three: Service, arguments: dict[str, Any], error: str) -> None:
    hold_locks(three)
    answer = read_file(**arguments)
    assert answer.pop("message"), error
    assert answer == {"ok": False, "error": "sync_in_progress", "retry_after": 30, "repo": arguments.get("repo", "case")}


@pytest.mark.rule("REF-29", "GRF-15", "PLT-119", "TREE-15")
@pytest.mark.parametrize(("arguments", "error"), NO_FAILURES_OF_THE_MIRROR)
def test_what_does_not_depend_on_a_sync_is_answered_while_one_runs(three: Service, arguments: dict[str, Any], error: str | None) -> None:
    hold_locks(three)
    assert read_file(**arguments).get("error") == error


@pytest.mark.rule("REF-34")
def test_an_error_while_asking_for_the_sync_counts_as_no_sync(three: Service) -> None:
    hold_locks(three)
    with writing(three.engine) as connection:
        connection.execute(sql("ALTER TABLE repositories RENAME TO gone"))
    assert read_file("nowhere")["error"] == "not_found"
    assert read_file("a.txt")["file"]["ref"] == "HEAD"


@pytest.mark.rule("REF-30", "GRF-16")
def test_a_read_that_succeeds_never_asks_whether_a_sync_runs(three: Service) -> None:
    for arguments, most in (({"ref": "main"}, 0), ({"ref": "main", "lines": [1, 2]}, 0), ({}, 1)):  # the one is the default branch
        with queries(three.engine) as seen:
            assert read_file("a.txt", **arguments)["ok"]  # type: ignore[arg-type]
        assert len(seen) == most
    with queries(three.engine) as seen:
        assert list_tree(ref="main")["ok"]
    assert seen == []


@pytest.mark.rule("REF-2", "REF-3", "REF-4", "GRF-7", "TREE-5", "PLT-111")
def test_no_ref_makes_a_read_contact_the_remote_or_change_the_mirror(service: Service, tmp_path: Path) -> None:
    remote = new_repository(tmp_path / "remote.git")
    commit_files(remote, {"a.txt": b"a\n"})
    service.mirrors.mkdir(parents=True)
    shutil.copytree(remote, service.mirror("case"))
    service.add("case", remote, "main")
    with (service.mirror("case") / "config").open("a", encoding="ascii") as config:
        config.write(
            f'[remote "origin"]\n\turl = {remote}\n\tfetch = +refs/*:refs/*\n'
            "\tmirror = true\n\tpromisor = true\n\tpartialclonefilter = blob:none\n"
        )
    new = commit_files(remote, {"a.txt": b"b\n"}, "refs/heads/new")
    before = {path: path.read_bytes() for path in service.mirror("case").rglob("*") if path.is_file()}
    for ref in ("new", "refs/heads/new", "origin/new", new, new[:7], "HEAD~0", "FETCH_HEAD"):
        assert read_file("a.txt", ref=ref).get("error") == (None if ref == "HEAD~0" else "ref_not_mirrored")
        assert list_tree(ref=ref).get("error") == (None if ref == "HEAD~0" else "ref_not_mirrored")
    assert {path: path.read_bytes() for path in service.mirror("case").rglob("*") if path.is_file()} == before


@pytest.mark.rule("REF-74", "REF-75", "REF-79", "REF-85")
def test_what_is_blocked_is_decided_by_the_path_alone(service: Service) -> None:
    served_case(service, "16")
    mirror = service.mirror("case")
    for path in ("client.ts", "credential_store.py", "docs/secrets-guide.md", "env.sample", "signing-howto.txt"):
        answer = read_file(path)
        assert answer["status"] == "ok"
        assert answer["content"].rstrip("\n") == git_line(mirror, "show", f"HEAD:{path}")
    for path in (
        ".env.sample",
        "keys/id_rsa_reader.py",
        "secrets.py",
        "deploy/.envoy/readme.txt",
        "nowhere/ID_RSA_keys/a.txt",
        "nowhere/.ENV",
    ):
        assert read_file(path) == {"ok": False, "error": "path_denied"}


@pytest.mark.rule("REF-76")
def test_the_operators_patterns_block_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch, DENYLIST_EXTRA=" *.TFSTATE , ") as service:
        serve(service, {"prod.tfstate": b"x", "a.txt": b"a", ".env": b"x"})
        assert read_file("prod.tfstate") == {"ok": False, "error": "path_denied"}
        assert read_file(".env") == {"ok": False, "error": "path_denied"}
        assert list_tree()["paths"] == ["a.txt"]
    resources.secret_paths.cache_clear()


@pytest.mark.rule("REF-25")
def test_a_ref_or_path_that_is_not_valid_unicode_is_refused_and_the_answer_is_valid_json(service: Service) -> None:
    serve(service, {"a.txt": b"a\n"})
    assert read_file("a\ud800")["error"] == "invalid_input"
    assert read_file("a.txt", ref="m\udfff") | {"message": ""} == {
        "ok": False, "error": "invalid_ref", "repo": "case", "path": "a.txt", "ref": "m\udfff", "message": "",
    }  # fmt: skip
    assert read_file("a.txt", repo="\ud800")["error"] == "invalid_input"
