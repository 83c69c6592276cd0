"""Finding, listing and reading notes, on both databases."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gateway.tools.registry import TOOLS
from shared.wire.call import Call
from shared.wire.note_lists import SearchNotesArguments
from tests.git_repositories import commit_files, new_repository
from tests.service import Service
from tests.store.saving import at, write
from tests.store.tools import Tools, caller
from workers.store.boards import create_board
from workers.store.write_files import create_file
from workers.store.write_notes import (
    NoteChange,
    archive_note,
    create_board_note,
    create_file_note,
    create_repo_note,
    replace_in_note,
    update_note,
)
from workers.tasks.find_notes import search_notes

NOBODYS = "0" * 24
HEAVY = {"code", "content", "raw_data", "raw_content"}


def board_note(content: str, title: str | None = None, board: str | None = None, user: str = "dana") -> dict[str, Any]:
    """A note on a board of its own unless one is named."""
    on = write(user, create_board, f"board {time.monotonic_ns()}") if board is None else board
    return write(user, create_board_note, on, content, title=title)


def found(tools: Tools, query: str, *, user: str = "dana", **arguments: Any) -> set[str]:
    """Ids of the notes that are found, none of them cut off."""
    answer = tools.ok("search_notes", user, query=query, limit=100, **arguments)
    assert "truncated" not in answer
    assert answer["count"] == len(answer["results"])
    return {hit["id"] for hit in answer["results"]}


@pytest.mark.rule("SCN-15", "SCN-16", "SCN-17", "SCN-18", "SCN-19", "SCN-20", "SCN-21", "SCN-35", "PLT-19", "PLT-20", "PLT-27")
def test_a_literal_part_of_the_title_is_found_and_of_the_body_when_asked_for(tools: Tools) -> None:
    titled = board_note("body", "Run authenticate  checks (now)")["id"]
    untitled = board_note("first line\r\n  Authenticate here")["id"]
    entity, ampersand = board_note("a &amp; b")["id"], board_note("a & b")["id"]
    dotted, lettered = board_note("see a.b")["id"], board_note("see axb 100%_\\ [a-z]*")["id"]
    board_note("authenticate a.b &amp;", "authenticate", user="moshe")
    for query, in_titles, in_bodies in (
        ("auth", {titled}, {untitled}),
        ("thent", {titled}, {untitled}),
        ("AUTHENTICATE", {titled}, {untitled}),
        (" authenticate \n checks ", {titled}, set()),
        ("authenticate  here", {}, set()),
        ("(now", {titled}, set()),
        ("&amp;", {}, {entity}),
        ("&", {}, {entity, ampersand}),
        ("a.b", {}, {dotted}),
        ("100%_\\ [a-z]*", {}, {lettered}),
        ("%", {}, {lettered}),
        ("line\r\n  auth", {}, {untitled}),
        ("line auth", {}, set()),
        ("\n\t first line ", {}, {untitled}),
        ("zzz", {}, set()),
    ):
        assert found(tools, query) == set(in_titles), query
        assert found(tools, query, search_content=True) == set(in_titles) | in_bodies, query


ANY_TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=12)
FOLDING = st.text("aAßẞſsSİiıΣσςﬁ ", min_size=1, max_size=6)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(body="STRASSE", query="ß")
@example(body="a\u2028 b", query="\u2028")
@given(body=ANY_TEXT | FOLDING, query=ANY_TEXT | FOLDING)
@pytest.mark.rule("SCN-15", "SCN-20")
def test_what_is_found_is_what_python_finds_in_case_folded_text(tools: Tools, body: str, query: str) -> None:
    if not body.strip() or not query.strip():
        return
    user = f"user {time.monotonic_ns()}"
    note = board_note(body, user=user)["id"]
    part = body[len(body) // 3 : len(body) // 3 + 2]
    for needle in filter(str.strip, (query, part)):
        expected = {note} if needle.strip().casefold() in body.casefold() else set()
        assert found(tools, needle, user=user, search_content=True) == expected


@pytest.mark.rule("SCN-22", "PLT-28", "PLT-89")
def test_queries_that_no_note_can_have_are_refused_without_an_echo(tools: Tools) -> None:
    for query, refusal in (
        ("", {"error": "query_too_short"}),
        (" \n\t ", {"error": "query_too_short"}),
        ("\0", {"error": "invalid_query"}),
        ("a\0b", {"error": "invalid_query"}),
        (" \0 ", {"error": "invalid_query"}),
        ("\ud800", {"error": "invalid_query"}),
        ("x" * 4_097, {"error": "query_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        (" " * 4_097, {"error": "query_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
    ):
        for flags in ({}, {"search_content": True, "include_archived": True}):
            answer = tools.call("search_notes", query=query, **flags)
            answer.pop("message", None)
            assert answer == {"ok": False, **refusal}
    assert found(tools, "x" * 4_096, search_content=True) == set()


@pytest.mark.rule("SCN-27", "SCN-28", "SCN-29", "SCN-30", "SCN-31", "SCN-34", "SCN-36", "PLT-22", "PLT-23", "PLT-24", "PLT-26")
def test_the_archive_is_searched_when_asked_for_and_read_by_id_alone(tools: Tools) -> None:
    board = write("dana", create_board, "plans")
    kept, moved = (board_note("deploy", title, board)["id"] for title in ("Deploy list", "Deploy plan"))
    assert [note["id"] for note in tools.ok("list_board_notes", board_id=board)["notes"]] == [kept, moved]
    write("dana", archive_note, moved)
    for flags in ({"search_content": content, "include_archived": archive} for content in (False, True) for archive in (False, True)):
        answer = tools.ok("search_notes", query="deploy", **flags)
        assert (answer["searched_content"], answer["searched_archive"]) == (flags["search_content"], flags["include_archived"])
        assert {hit["id"] for hit in answer["results"]} == ({kept, moved} if flags["include_archived"] else {kept})
        nothing = tools.ok("search_notes", query="zzz", **flags)
        assert nothing == {
            "ok": True, "query": "zzz", "count": 0, "searched_content": flags["search_content"],
            "searched_archive": flags["include_archived"], "results": [],
        }  # fmt: skip
    (hit,) = (hit for hit in answer["results"] if hit["id"] == moved)
    assert hit["target"] == "archive"
    assert not {"board_id", "board_name", "file_name", "repo", "path"} & set(hit)
    (hit,) = (hit for hit in answer["results"] if hit["id"] == kept)
    assert list(hit) == ["id", "title", "target", "board_id", "board_name", "line", "color", "created_at", "updated_at"]
    assert [note["id"] for note in tools.ok("list_board_notes", board_id=board)["notes"]] == [kept]
    note = tools.ok("get_note", note_id=moved)["note"]
    assert (note["target"], note["content"], note["title"]) == ("archive", "deploy", "Deploy plan")


@pytest.mark.rule("SCN-32", "PLT-25")
def test_a_flag_is_decoded_by_the_schema_and_nothing_but_true_counts_behind_it(tools: Tools) -> None:
    board = write("dana", create_board, "plans")
    archived = board_note("deploy", board=board)["id"]
    write("dana", archive_note, archived)
    for sent, means in (("false", False), ("true", True), ("0", False), (1, True), (True, True)):
        assert found(tools, "deploy", search_content=sent, include_archived=sent) == ({archived} if means else set())
    refused = "invalid_arguments"
    with pytest.raises(Exception, match=refused):
        tools.call("search_notes", query="deploy", include_archived="perhaps")
    now = time.time()
    call = Call(id="1", caller=caller("dana"), entered=now, deadline=now + 20, arguments={})
    for sent in ("false", "true", 1, "yes"):
        direct = SearchNotesArguments.model_construct(query="deploy", search_content=sent, include_archived=sent, limit=20)
        assert b'"searched_content":false,"searched_archive":false' in search_notes(direct, call)


@pytest.mark.rule("SCN-12", "SCN-24", "SCN-33", "PLT-7", "PLT-26")
def test_hits_are_newest_first_without_a_body_and_cut_with_a_flag(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    write("dana", create_file, "a.py", "one\ntwo")
    ids = []
    for second in (5, 9, 9, 1):
        with at(1_700_000_000 + second, monkeypatch):
            ids.append(write("dana", create_file_note, "a.py", "word " * 4_000, line=2, color="red")["id"])
    with at(1_700_000_007, monkeypatch):
        write("dana", update_note, ids[3], NoteChange(is_minimized=True))
    newest = [ids[2], ids[1], ids[3], ids[0]]
    for limit in (1, 3, 4, 100):
        answer = tools.ok("search_notes", query="word", search_content=True, limit=limit)
        assert [hit["id"] for hit in answer["results"]] == newest[:limit]
        assert answer.get("truncated", False) is (limit < 4)
        assert len(str(answer)) < 2_000
    hit = answer["results"][2]
    assert hit == {
        "id": ids[3], "title": None, "target": "file", "file_name": "a.py", "line": 2, "color": "red",
        "created_at": "2023-11-14T22:13:21+00:00", "updated_at": "2023-11-14T22:13:27+00:00",
    }  # fmt: skip
    assert tools.ok("search_notes", query="word", search_content=True, limit=0)["count"] == 1


@pytest.mark.rule("PLT-7", "SCN-34")
def test_the_notes_of_a_place_are_listed_oldest_first_without_their_bodies(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    write("dana", create_file, "a.py", "one\ntwo")
    write("moshe", create_file, "a.py", "one\ntwo")
    board = write("dana", create_board, "plans")
    on_file, on_board = [], []
    for second in (9, 5, 5):
        with at(1_700_000_000 + second, monkeypatch):
            on_file.append(write("dana", create_file_note, "a.py", "x", line=second % 2 + 1, anchor_text="two")["id"])
            on_board.append(write("dana", create_board_note, board, "x")["id"])
            write("moshe", create_file_note, "a.py", "his")
    oldest = [1, 2, 0]
    answer = tools.ok("list_notes", file_name="a.py")
    assert list(answer) == ["ok", "file_name", "count", "notes"]
    assert [note["id"] for note in answer["notes"]] == [on_file[number] for number in oldest]
    assert not HEAVY & set(answer["notes"][0])
    answer = tools.ok("list_board_notes", board_id=board)
    assert list(answer) == ["ok", "board_id", "board_name", "count", "notes"]
    assert [note["id"] for note in answer["notes"]] == [on_board[number] for number in oldest]
    monkeypatch.setattr("workers.tasks.find_notes.LIST_NOTES_MAX", 2)
    for tool, arguments in (("list_notes", {"file_name": "a.py"}), ("list_board_notes", {"board_id": board})):
        cut = tools.ok(tool, **arguments)
        assert (cut["count"], len(cut["notes"]), cut["truncated"]) == (2, 2, True)
    for absent in ("b.py", "a\0", "\ud800"):
        assert tools.ok("list_notes", file_name=absent) == {"ok": True, "file_name": absent, "count": 0, "notes": []}
    assert tools.call("list_notes", file_name=" ")["error"] == "missing_file_name"
    for user in ("dana", "moshe", "nobody"):
        for board_id, code in (("x", "invalid_board_id"), ("", "invalid_board_id"), (NOBODYS, "board_not_found")):
            assert tools.call("list_board_notes", user, board_id=board_id)["error"] == code
    assert tools.call("list_board_notes", "moshe", board_id=board) == {"ok": False, "error": "board_not_found"}


def test_the_first_list_of_boards_makes_the_default_one_and_each_is_counted(tools: Tools) -> None:
    first = tools.ok("list_boards")
    assert first == tools.ok("list_boards")
    (default,) = first["boards"]
    assert (first["count"], default["is_default"], default["note_count"]) == (1, True, 0)
    plans = write("dana", create_board, "plans")
    for _ in range(2):
        board_note("x", board=plans)
    write("dana", archive_note, board_note("x", board=plans)["id"])
    board_note("x", board=default["id"])
    tools.ok("list_boards", "moshe")
    boards = tools.ok("list_boards")["boards"]
    assert [(board["id"], board["is_default"], board["note_count"]) for board in boards] == [(default["id"], True, 1), (plans, False, 2)]
    assert list(boards[0]) == ["id", "name", "is_default", "note_count"]


@pytest.mark.rule("PLT-7")
def test_one_note_is_read_with_its_body_and_the_bodies_it_had(tools: Tools) -> None:
    body = "גוף\r\n<b>&amp;\t " + "\x01" * 19_000
    note = board_note(body, "title")
    record = tools.ok("get_note", note_id=note["id"])["note"]
    assert record.pop("content") == body
    assert record == note
    assert tools.ok("list_note_versions", note_id=note["id"]) == {
        "ok": True, "note_id": note["id"], "current_version": 1, "count": 0, "versions": [],
    }  # fmt: skip
    for text in ("two", "three", "three"):
        write("dana", update_note, note["id"], NoteChange(content=text))
    write("dana", replace_in_note, note["id"], "three", "four", everywhere=False)
    answer = tools.ok("list_note_versions", note_id=note["id"])
    assert ([each["version"] for each in answer["versions"]], answer["current_version"]) == ([3, 2, 1], 4)
    for version, text in ((1, body), (2, "two"), (3, "three")):
        earlier = tools.ok("get_note_version", note_id=note["id"], version=version)
        assert (earlier["content"], earlier["version"], earlier["note_id"]) == (text, version, note["id"])
    for version in (0, -1, 4, 5, 2**31, 2**63, 10**30):
        refused = tools.call("get_note_version", note_id=note["id"], version=version)
        assert refused == {"ok": False, "error": "version_not_found", "current_version": 4}
    for tool, more in (("get_note", {}), ("list_note_versions", {}), ("get_note_version", {"version": 1})):
        for user, note_id, code in (
            ("moshe", note["id"], "not_found"),
            ("nobody", note["id"], "not_found"),
            ("dana", NOBODYS, "not_found"),
            ("dana", note["id"].upper() if note["id"].upper() != note["id"] else "x", "invalid_note_id"),
            ("dana", note["id"] + "\n", "invalid_note_id"),
            ("dana", "", "invalid_note_id"),
        ):
            assert tools.call(tool, user, note_id=note_id, **more) == {"ok": False, "error": code}


def test_notes_on_a_repositorys_files_are_listed_with_whether_the_file_is_there(tools: Tools, tmp_path: Path) -> None:
    source = new_repository(tmp_path / "source")
    commit_files(source, {"docs/a.md": b"x", "b.md": b"x", "c.md": b"x"})
    service = Service(tmp_path / "data")
    service.add("case", source)
    service.sync("case")
    service.add("empty", source)
    ids = [write("dana", create_repo_note, "case", path, "x")["id"] for path in ("docs/a.md", "gone.md", "docs/a.md", "Z.md", ".env")]
    write("dana", create_repo_note, "empty", "a.md", "x")
    write("moshe", create_repo_note, "case", "b.md", "x")

    def listed(path: str, repo: str = "case", user: str = "dana") -> tuple[Any, list[str]]:
        answer = tools.ok("list_repo_notes", user, admin=True, repo=repo, path=path)
        assert (answer["repo"], answer["path"], answer["count"]) == (repo, path, len(answer["notes"]))
        return answer["orphaned"], [note["id"] for note in answer["notes"]]

    assert listed("docs/a.md") == (False, [ids[0], ids[2]])
    assert listed("gone.md") == (True, [ids[1]])
    assert listed("b.md") == (False, [])
    assert listed("a.md", repo="empty")[0] is None
    assert listed("a.md", repo="never") == (True, [])
    paths = tools.ok("list_repo_note_paths", admin=True, repo="case")
    assert paths["paths"] == [
        {"path": "Z.md", "note_count": 1},
        {"path": "docs/a.md", "note_count": 2},
        {"path": "gone.md", "note_count": 1},
    ]
    assert tools.ok("list_repo_note_paths", "nobody", admin=True, repo="case")["count"] == 0
    for tool, arguments, code in (
        ("list_repo_notes", {"repo": " ", "path": "a"}, "missing_repo"),
        ("list_repo_notes", {"repo": "case", "path": ""}, "missing_path"),
        ("list_repo_notes", {"repo": "case", "path": ".env"}, "path_denied"),
        ("list_repo_notes", {"repo": "case", "path": "a\0"}, "invalid_input"),
        ("list_repo_notes", {"repo": "a" * 101, "path": "a"}, "invalid_input"),
        ("list_repo_note_paths", {"repo": "a/b"}, "invalid_input"),
        ("list_repo_note_paths", {}, "missing_repo"),
    ):
        assert tools.call(tool, admin=True, **arguments)["error"] == code
    assert TOOLS["codekeeper_list_repo_notes"].admin
    assert TOOLS["codekeeper_list_repo_note_paths"].admin
