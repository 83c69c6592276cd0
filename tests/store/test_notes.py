"""Notes through the tools that write them, on both databases: every refusal, and what is in the database afterwards."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select, text

from shared.database.engine import reading, writing
from shared.database.store_tables import NOTE_VERSIONS, NOTES
from shared.errors import Refused
from tests.git_repositories import commit_files, new_repository
from tests.service import Service
from tests.store.tools import Tools, caller
from workers.store import boards, write_notes
from workers.store.transaction import writing_own

NOBODYS = "0" * 24


@pytest.fixture
def board(tools: Tools, engine: Engine) -> str:
    """The id of a board of dana's."""
    assert tools
    with writing_own(engine, "dana") as own:
        return boards.create_board(own, "plans")


def bodies(engine: Engine) -> list[str]:
    with reading(engine) as connection:
        return list(connection.execute(select(NOTES.c.content).order_by(NOTES.c.key)).scalars())


def kept(engine: Engine) -> list[tuple[int, str]]:
    with reading(engine) as connection:
        rows = connection.execute(select(NOTE_VERSIONS.c.version, NOTE_VERSIONS.c.content).order_by(NOTE_VERSIONS.c.version)).all()
    return [(version, content) for version, content in rows]


def shown(answer: dict[str, Any]) -> dict[str, Any]:
    """A refusal without its prose."""
    return {key: value for key, value in answer.items() if key not in {"ok", "message", "hint"}}


@pytest.mark.rule("PLT-15", "PLT-27", "PLT-30", "SCN-21")
def test_a_note_stands_where_it_was_put_and_its_body_is_kept_as_it_was_sent(tools: Tools, engine: Engine, board: str) -> None:
    tools.ok("save_file", file_name="a.py", code="one\ntwo")
    body = "a &amp; b\r\n\x07\t<i> "
    anchored = tools.ok("create_note", file_name="a.py", content=body, line=2, color="red", anchor_text="two")["note"]
    floating = tools.ok("create_note", file_name="a.py", content=body)["note"]
    pinned = tools.ok("create_board_note", board_id=board, content=body, title=" Deploy \n list ")["note"]
    everywhere = {"mode": None, "color": None, "anchor_text": None, "is_minimized": False, "line": None, "version": 1, "title": None}
    varying = ("id", "created_at", "updated_at")
    without = [{key: value for key, value in note.items() if key not in varying} for note in (anchored, floating, pinned)]
    assert without == [
        {**everywhere, "target": "file", "file_name": "a.py", "line": 2, "color": "red", "anchor_text": "two"},
        {**everywhere, "target": "file", "file_name": "a.py"},
        {**everywhere, "target": "board", "board_id": board, "board_name": "plans", "mode": "surface", "title": "Deploy list"},
    ]
    assert bodies(engine) == [body] * 3


@pytest.mark.rule("PLT-29")
def test_what_is_refused_says_why_and_changes_nothing(tools: Tools, engine: Engine, board: str) -> None:
    tools.ok("save_file", file_name="a.py", code="one\ntwo\n")
    note = tools.ok("create_board_note", board_id=board, content="body body", title="taken")["note"]["id"]
    on_file = tools.ok("create_note", file_name="a.py", content="b")["note"]["id"]
    long_content = {"error": "content_too_long", "max": 20_000}
    not_kept = {"error": "invalid_input", "argument": "content"}
    refusals: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("create_note", {"content": "x"}, {"error": "missing_file_name"}),
        ("create_note", {"file_name": "a.py"}, {"error": "empty_content"}),
        ("create_note", {"file_name": "a.py", "content": " \n"}, {"error": "empty_content"}),
        ("create_note", {"file_name": "a.py", "content": "x" * 20_001}, long_content),
        ("create_note", {"file_name": "a.py", "content": "\0"}, not_kept),
        ("create_note", {"file_name": "b.py", "content": "x", "line": 1}, {"error": "file_not_found"}),
        ("create_note", {"file_name": "a.py", "content": "x", "line": 0}, {"error": "invalid_line", "min": 1, "max": 3}),
        ("create_note", {"file_name": "a.py", "content": "x", "line": 4}, {"error": "invalid_line", "min": 1, "max": 3}),
        ("create_board_note", {"content": "x"}, {"error": "invalid_board_id"}),
        ("create_board_note", {"board_id": NOBODYS, "content": "x"}, {"error": "board_not_found"}),
        (
            "create_board_note",
            {"board_id": board, "content": "x", "mode": "wall"},
            {"error": "invalid_mode", "allowed": ["surface", "screen"]},
        ),
        ("create_board_note", {"board_id": board, "content": ""}, {"error": "empty_content"}),
        (
            "create_board_note",
            {"board_id": board, "content": "x", "title": "t" * 81},
            {"error": "title_too_long", "max_chars": 80, "actual_chars": 81},
        ),
        ("create_board_note", {"board_id": board, "content": "x", "title": " taken"}, {"error": "duplicate_title"}),
        ("update_note", {"note_id": "x", "content": "x"}, {"error": "invalid_note_id"}),
        ("update_note", {"note_id": NOBODYS, "content": "x"}, {"error": "not_found"}),
        ("update_note", {"note_id": note}, {"error": "no_fields_to_update"}),
        ("update_note", {"note_id": note, "content": "\t"}, {"error": "empty_content"}),
        ("update_note", {"note_id": note, "content": "x" * 20_001}, long_content),
        ("update_note", {"note_id": note, "line": 1}, {"error": "invalid_line"}),
        ("update_note", {"note_id": on_file, "line": 4}, {"error": "invalid_line", "min": 1, "max": 3}),
        ("note_str_replace", {"note_id": "x"}, {"error": "invalid_note_id"}),
        ("note_str_replace", {"note_id": NOBODYS}, {"error": "not_found"}),
        ("note_str_replace", {"note_id": note}, {"error": "empty_old_string"}),
        ("note_str_replace", {"note_id": note, "old_string": "x", "new_string": "x"}, {"error": "old_and_new_identical"}),
        ("note_str_replace", {"note_id": note, "old_string": "Body", "new_string": "x"}, {"error": "no_match"}),
        ("note_str_replace", {"note_id": note, "old_string": "body", "new_string": "x"}, {"error": "ambiguous_match", "occurrences": 2}),
        ("note_str_replace", {"note_id": note, "old_string": "body body", "new_string": " "}, {"error": "empty_content"}),
        ("note_str_replace", {"note_id": note, "old_string": "body body", "new_string": "x" * 20_001}, long_content),
        ("note_str_replace", {"note_id": note, "old_string": "body body", "new_string": "\ud800"}, not_kept),
    ]
    for tool, arguments, expected in refusals:
        answer = tools.call(tool, **arguments)
        assert (answer["ok"], shown(answer)) == (False, expected), (tool, arguments)
    # To anybody else, none of it is there.
    assert shown(tools.call("create_note", "eve", file_name="a.py", content="x")) == {"error": "file_not_found"}
    assert shown(tools.call("create_board_note", "eve", board_id=board, content="x")) == {"error": "board_not_found"}
    assert shown(tools.call("update_note", "eve", note_id=note, content="x")) == {"error": "not_found"}
    assert shown(tools.call("note_str_replace", "eve", note_id=note, old_string="body", new_string="x")) == {"error": "not_found"}
    assert bodies(engine) == ["body body", "b"]
    assert kept(engine) == []


@pytest.mark.rule("PLT-9")
def test_a_note_is_changed_in_place_and_its_newest_twenty_bodies_before_are_kept(tools: Tools, engine: Engine, board: str) -> None:
    note = tools.ok("create_board_note", board_id=board, content="body 1", title="t")["note"]
    red = tools.ok("update_note", note_id=note["id"], color="red", is_minimized=True)["note"]
    assert {**note, "color": "red", "is_minimized": True, "updated_at": red["updated_at"]} == red
    assert tools.ok("update_note", note_id=note["id"], content="body 1")["note"]["version"] == 1  # the same body is no other version
    assert kept(engine) == []
    for number in range(2, 24):
        changed = tools.ok("update_note", note_id=note["id"], content=f"body {number}")["note"]
    replaced = tools.ok("note_str_replace", note_id=note["id"], old_string="body", new_string="text")
    assert (replaced["replacements"], replaced["note"]["version"], changed["version"]) == (1, 24, 23)
    assert bodies(engine) == ["text 23"]
    assert kept(engine) == [(number, f"body {number}") for number in range(4, 24)]


@pytest.mark.rule("PLT-29")
def test_there_are_at_most_so_many_notes_in_a_place_and_of_a_user(
    tools: Tools, engine: Engine, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (write_notes.MAX_NOTES_PER_PLACE, write_notes.MAX_NOTES_PER_USER, write_notes.MAX_NOTE_CHARS) == (200, 1_000, 20_000)
    monkeypatch.setattr(write_notes, "MAX_NOTES_PER_PLACE", 2)
    monkeypatch.setattr(write_notes, "MAX_NOTES_PER_USER", 3)
    tools.ok("save_file", file_name="a.py", code="x")
    notes = [tools.ok("create_board_note", board_id=board, content="x")["note"]["id"] for _ in range(2)]
    assert shown(tools.call("create_board_note", board_id=board, content="x")) == {"error": "too_many_notes", "max": 2, "count": 2}
    with writing_own(engine, "dana") as own:
        write_notes.archive_note(own, notes[0])
    tools.ok("create_board_note", board_id=board, content="x")
    assert shown(tools.call("create_note", file_name="a.py", content="x")) == {"error": "too_many_notes", "max": 3, "count": 3}
    with writing_own(engine, "eve") as own:
        assert boards.default_board(own).is_default


@pytest.mark.rule("PLT-24", "SCN-30")
def test_an_archived_note_has_left_its_place_and_may_come_back_to_a_board(tools: Tools, engine: Engine, board: str) -> None:
    tools.ok("save_file", file_name="a.py", code="x")
    note = tools.ok("create_note", file_name="a.py", content="x", line=1, anchor_text="x")["note"]["id"]
    with writing_own(engine, "dana") as own:
        archived = write_notes.archive_note(own, note)
        assert write_notes.archive_note(own, note) == archived
    assert {"target": "archive", "line": None, "anchor_text": None}.items() <= archived.items()
    assert not {"file_name", "board_id", "board_name", "repo", "path"} & set(archived)
    with writing_own(engine, "dana") as own:
        back = write_notes.put_on_board(own, note, board)
        assert write_notes.put_on_board(own, note, board) == back
    assert {"target": "board", "board_id": board, "mode": "surface"}.items() <= back.items()
    titled = tools.ok("create_board_note", board_id=board, content="x", title="t")["note"]["id"]
    with writing_own(engine, "dana") as own:
        write_notes.archive_note(own, titled)
    tools.ok("create_board_note", board_id=board, content="x", title="t")
    with pytest.raises(Refused, match="duplicate_title"), writing_own(engine, "dana") as own:
        write_notes.put_on_board(own, titled, board)


def test_each_user_has_one_default_board_and_others_by_name(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MAX_BOARDS", 2)
    with writing_own(engine, "dana") as own:
        boards.create_board(own, "Board")
        default = boards.default_board(own)
        assert (boards.default_board(own).id, default.name) == (default.id, "Board 2")
    for name, code in {
        " ": "empty_name",
        "n" * 101: "name_too_long",
        "n\0": "invalid_input",
        "Board": "duplicate_name",
        "c": "too_many_boards",
    }.items():
        with pytest.raises(Refused, match=code), writing_own(engine, "dana") as own:
            boards.create_board(own, name)
    with writing_own(engine, "eve") as own:
        assert boards.default_board(own).name == "Board"


@pytest.mark.rule("PLT-31", "PLT-64")
def test_a_note_on_a_repositorys_file_is_an_admins_and_needs_the_file(
    service: Service, tools: Tools, engine: Engine, tmp_path: Path
) -> None:
    source = new_repository(tmp_path / "source")
    commit_files(source, {"docs/a.md": b"x", ".env": b"x"})
    service.add("case", source)
    service.add("empty", tmp_path / "nowhere")
    assert service.sync("case").sync_status == "ok"
    for arguments, expected in (
        ({"repo": "nowhere", "path": "a"}, {"error": "repo_not_found"}),
        ({"repo": "n\0", "path": "a"}, {"error": "repo_not_found"}),
        ({"repo": " ", "path": ""}, {"error": "missing_repo"}),
        ({"repo": "case", "path": ""}, {"error": "missing_path"}),
        ({"repo": "case", "path": "docs"}, {"error": "repo_file_not_found"}),
        ({"repo": "case", "path": "docs/b.md"}, {"error": "repo_file_not_found"}),
        ({"repo": "case", "path": "/docs"}, {"error": "invalid_input"}),
        ({"repo": "case", "path": ".env"}, {"error": "path_denied"}),
        ({"repo": "case", "path": "x" * 4_097}, {"error": "path_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        ({"repo": "empty", "path": "a"}, {"error": "repo_file_unavailable", "reason": "repo_not_mirrored"}),
        ({"repo": "case", "path": "docs/a.md", "mode": "x"}, {"error": "invalid_mode", "allowed": ["surface", "screen"]}),
    ):
        answer = tools.call("create_repo_note", admin=True, content="x", **arguments)  # type: ignore[arg-type]
        assert shown(answer) == expected, arguments
    note = tools.ok("create_repo_note", admin=True, repo="case", path="docs/a.md", content="x", title="t")["note"]
    assert {"target": "repository", "repo": "case", "path": "docs/a.md", "title": "t", "mode": "surface"}.items() <= note.items()
    assert bodies(engine) == ["x"]
    with pytest.raises(Refused, match="admin_only"):
        tools.call("create_repo_note", repo="case", path="docs/a.md", content="x")
    assert not caller("dana").admin


@pytest.mark.parametrize(("table", "code"), [(NOTES, "note_quota_unknown"), (NOTE_VERSIONS, "snapshot_failed")])
def test_what_can_not_be_counted_or_kept_first_is_not_written(tools: Tools, engine: Engine, board: str, table: Any, code: str) -> None:
    note = tools.ok("create_board_note", board_id=board, content="one")["note"]["id"]
    lost = str(table.name)
    before = bodies(engine)
    rename(engine, lost, f"{lost}_away")
    if code == "note_quota_unknown":
        answer = tools.call("create_board_note", board_id=board, content="two")
    else:
        answer = tools.call("update_note", note_id=note, content="two")
    rename(engine, f"{lost}_away", lost)
    assert shown(answer) == {"error": code}
    assert bodies(engine) == before
    assert kept(engine) == []


def rename(engine: Engine, table: str, name: str) -> None:
    with writing(engine) as connection:
        connection.execute(text(f"ALTER TABLE {table} RENAME TO {name}"))
