"""`codekeeper_get_repo_file` at its ceilings, through the front door of each form."""

import json

import pytest

from tests.end_to_end.repositories import HEBREW_LINE, SHAPES
from tests.end_to_end.services import Service

TOOL = "codekeeper_get_repo_file"
BUDGET = 256_000


@pytest.mark.rule("GRF-2", "GRF-22", "GRF-23", "GRF-24", "GRF-26", "GRF-28", "GRF-31", "REF-84", "REF-86", "LIN-8")
def test_each_status_has_its_fields_and_no_others(service: Service) -> None:
    commit = service.call(TOOL, repo="shapes", path="abc.txt").json["file"]["resolved_commit"]
    base = {"ref": "refs/heads/main", "resolved_commit": commit}
    expected = {
        "abc.txt": ("ok", {"size": 6, "lines": 4, "encoding": "utf-8"}, "a\nb\nc\n"),
        "bom.txt": ("ok", {"size": 7, "lines": 2, "encoding": "utf-8-sig"}, "a\r\nb"),
        "cp1255.txt": ("ok", {"size": 4, "lines": 1, "encoding": "latin-1"}, "ùìåí"),
        "empty.txt": ("ok", {"size": 0, "lines": 1, "encoding": "utf-8"}, ""),
    }
    for path, (status, fields, content) in expected.items():
        answer = service.call(TOOL, repo="shapes", path=path).json
        assert answer == {"ok": True, "status": status, "file": {"path": path, **base, **fields}, "content": content}
    binary = service.call(TOOL, repo="shapes", path="binary.bin").json
    assert binary == {"ok": True, "status": "binary", "file": {"path": "binary.bin", **base, "size": 16}}


@pytest.mark.rule("GRF-17", "GRF-18", "GRF-19", "GRF-20", "GRF-30", "REF-81", "REF-83", "LIN-39", "LIN-40")
def test_the_ceiling_is_that_of_the_mode_and_is_named(service: Service) -> None:
    over = service.call(TOOL, repo="shapes", path="over-ceiling.txt").json
    assert (over["ok"], over["status"], over["file"]["size"], over["max"]) == (True, "too_large", 512_002, 512_000)
    assert "content" not in over
    part = service.call(TOOL, repo="shapes", path="over-ceiling.txt", lines=[256_000, 256_001]).json
    assert (part["status"], part["content"]) == ("ok", "z\nz")
    huge = service.call(TOOL, repo="shapes", path="over-range-ceiling.txt", lines=[1, 2]).json
    assert (huge["status"], huge["max"]) == ("too_large", 10 * 1024 * 1024)
    exactly = service.call(TOOL, repo="shapes", path="at-ceiling.txt").json
    assert exactly["error"] == "answer_too_large"  # read, and then too long to send


@pytest.mark.rule("GRF-57", "GRF-58", "PLT-92", "PLT-95")
def test_a_whole_file_that_does_not_fit_is_refused_with_a_way_on(service: Service) -> None:
    answer = service.call(TOOL, repo="shapes", path="hebrew.txt").json
    text = SHAPES["hebrew.txt"]
    assert isinstance(text, bytes)
    sent = {"ok": True, "status": "ok", "file": answer["file"], "content": text.decode()}
    assert answer["bytes"] == len(json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode())
    assert (answer["error"], answer["max"]) == ("answer_too_large", BUDGET)
    assert "lines" in answer["hint"]


@pytest.mark.rule("LIN-11", "LIN-12", "LIN-28", "LIN-29", "LIN-32", "LIN-33", "GRF-27")
@pytest.mark.parametrize("path", ["hebrew.txt", "controls.txt", "over-ceiling.txt"])
def test_going_on_from_each_cut_gives_the_file_and_every_answer_is_as_long_as_it_can_be(service: Service, path: str) -> None:
    source = SHAPES[path]
    assert isinstance(source, bytes)
    text, pieces, start = source.decode(), [], 1
    lines = text.split("\n")
    while start <= len(lines):
        reply = service.call(TOOL, repo="shapes", path=path, lines=[start, len(lines)])
        answer = reply.json
        shown = answer["range"]
        pieces.append(answer["content"])
        assert len(reply.text.encode()) <= BUDGET
        if shown["end"] < len(lines):
            assert (shown["truncated"], shown["truncation_reason"]) == (True, "byte_budget")
            one_more = {**answer, "content": "\n".join(lines[start - 1 : shown["end"] + 1]), "range": {**shown, "end": shown["end"] + 1}}
            assert len(json.dumps(one_more, ensure_ascii=False, separators=(",", ":")).encode()) > BUDGET
        start = shown["end"] + 1
    assert "\n".join(pieces) == text
    assert len(pieces) > 1


@pytest.mark.rule("LIN-31")
def test_a_line_that_cannot_fit_is_refused_only_when_it_comes_first(service: Service) -> None:
    alone = service.call(TOOL, repo="shapes", path="one-long-line.txt", lines=[1, 2]).json
    assert (alone["error"], alone["max"]) == ("answer_too_large", BUDGET)
    assert alone["bytes"] > BUDGET
    assert "search" in alone["hint"]
    assert service.call(TOOL, repo="shapes", path="one-long-line.txt", lines=[2, 2]).json["content"] == "short"


@pytest.mark.rule("LIN-30", "LIN-34", "LIN-26")
def test_an_end_beyond_the_file_is_clamped_and_the_budget_names_itself(service: Service) -> None:
    clamped = service.call(TOOL, repo="shapes", path="abc.txt", lines=[3, 10**18]).json
    assert (clamped["content"], clamped["range"]) == ("c\n", {"start": 3, "end": 4, "total_lines": 4, "truncated": True})
    both = service.call(TOOL, repo="shapes", path="hebrew.txt", lines=[1, 10**18]).json
    assert both["range"]["truncation_reason"] == "byte_budget"
    assert both["content"].startswith(HEBREW_LINE)


@pytest.mark.rule("GRF-72")
def test_a_link_answers_its_target_and_a_submodule_is_not_found(service: Service) -> None:
    answer = service.call(TOOL, repo="shapes", path="link").json
    assert (answer["content"], answer["file"]["type"], answer["file"]["size"]) == ("abc.txt", "symlink", 7)
    assert service.call(TOOL, repo="shapes", path="link", lines=[1, 1]).json["content"] == "abc.txt"
    assert service.call(TOOL, repo="shapes", path="vendor/sub").json["error"] == "not_found"
    assert service.call(TOOL, repo="shapes", path="link/abc.txt").json["error"] == "not_found"


@pytest.mark.rule("LIN-20", "LIN-21", "LIN-22", "LIN-23", "LIN-24", "GRF-10")
def test_a_range_that_is_none_is_refused_before_the_mirror_is_asked(service: Service) -> None:
    for lines in ([5, 3], [0, 2], [-1, 2], [1, -2], [], [3], [1, 2, 3]):
        reply = service.call(TOOL, repo="nowhere", path="a.txt", lines=lines, ref="x" * 5_000)
        assert (reply.json, reply.is_error) == ({"ok": False, "error": "invalid_line_range"}, False)


@pytest.mark.rule("LIN-35", "LIN-36", "LIN-37", "GRF-5", "PLT-141")
@pytest.mark.parametrize("lines", [[True, 5], ["3", "40"], [1.0, 5], [1.5, 5], "1", {"start": 1}, 7])
def test_members_of_a_range_are_strict_integers(service: Service, lines: object) -> None:
    reply = service.call(TOOL, repo="shapes", path="abc.txt", lines=lines)
    assert reply.is_error
    assert reply.json["error"] == "invalid_arguments"
    assert all(problem["where"].startswith("lines") and problem["what"] for problem in reply.json["problems"])
    assert "40" not in reply.text


@pytest.mark.rule("LIN-38")
def test_null_means_no_range_and_a_list_in_a_string_is_a_list(service: Service) -> None:
    assert "range" not in service.call(TOOL, repo="shapes", path="abc.txt", lines=None).json
    assert service.call(TOOL, repo="shapes", path="abc.txt", lines="[2, 3]").json["content"] == "b\nc"


@pytest.mark.rule("REF-15", "REF-16", "REF-17", "REF-18", "REF-19", "REF-31", "REF-32", "GRF-10", "GRF-12", "GRF-13", "GRF-33", "TREE-8")
def test_lengths_are_refused_with_both_numbers_and_in_the_contracts_order(service: Service) -> None:
    too_long = {"ok": False, "error": "ref_too_long", "max_chars": 4096, "actual_chars": 4097}
    ref = "r" * 4_097
    assert service.call(TOOL, repo="not a name!", path="../x", ref=ref).json == too_long
    assert service.call("codekeeper_list_repo_tree", repo="nowhere", ref=ref).json == too_long
    assert service.call(TOOL, repo="shapes", path="a", ref="r" * 4_096).json["error"] == "invalid_ref"
    assert service.call(TOOL, repo="shapes", path=".env", ref=ref).json["error"] == "path_denied"
    path_too_long = {"ok": False, "error": "path_too_long", "max_chars": 4096, "actual_chars": 5000}
    assert service.call(TOOL, repo="shapes", path="p" * 5_000, ref=ref).json == path_too_long
    assert service.call("codekeeper_list_repo_tree", repo="shapes", path="p" * 5_000).json == path_too_long
    assert service.call(TOOL, repo="shapes", path="p" * 4_096).json["error"] == "not_found"


@pytest.mark.rule("REF-25")
@pytest.mark.parametrize("path", ["a\0b", "/abc.txt", "abc.txt/", "a//b", "../abc.txt", "src/../../x"])
def test_a_malformed_path_is_invalid_input_and_not_echoed(service: Service, path: str) -> None:
    reply = service.call(TOOL, repo="shapes", path=path)
    assert reply.json["error"] == "invalid_input"
    assert reply.json["message"].startswith("path:")
    assert path not in reply.text


@pytest.mark.rule("REF-26", "TREE-4")
def test_a_blank_repository_is_missing(service: Service) -> None:
    for repo in ("", "  "):
        for tool, more in ((TOOL, {"path": "a"}), ("codekeeper_list_repo_tree", {})):
            assert service.call(tool, repo=repo, **more).json == {"ok": False, "error": "missing_repo"}
