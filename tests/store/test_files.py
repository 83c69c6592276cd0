"""Saved files through the tools that write them, on both databases: every refusal, and what is in the database afterwards."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine, select

from shared.database.engine import reading
from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES
from shared.errors import Refused
from shared.tasks import EDIT_FILE
from tests.store.tools import Tools
from workers.resources import engine as service_engine
from workers.store import files, write_files
from workers.store.text_index import keys_with_any
from workers.store.transaction import reading_own, writing_own
from workers.store.words import words_of

NAME = "notes/plan.md"


def texts(engine: Engine, name: str = NAME) -> list[str]:
    """The text of every version of the files of that name, whoever's, oldest first."""
    query = select(FILE_VERSIONS.c.code).join(SAVED_FILES, SAVED_FILES.c.key == FILE_VERSIONS.c.file_key).where(SAVED_FILES.c.name == name)
    with reading(engine) as connection:
        return list(connection.execute(query.order_by(FILE_VERSIONS.c.key)).scalars())


def found(engine: Engine, query: str, user: str = "dana") -> set[str]:
    """Names of the user's files that the text index finds."""
    with reading_own(engine, user) as own:
        if own is None:
            return set()
        keys = keys_with_any(own.connection, own.owner_key, words_of([query]))
        return set(own.connection.execute(select(SAVED_FILES.c.name).where(SAVED_FILES.c.key.in_(keys))).scalars())


@pytest.mark.rule("PLT-14", "PLT-15", "GTF-46")
def test_a_save_answers_with_the_metadata_and_never_the_text(tools: Tools, engine: Engine) -> None:
    before = int(time.time())
    code = "# תוכנית\r\n\tשלום & <b>\n"
    answer = tools.ok("save_file", file_name=NAME, code=code, description="what is planned")
    assert answer["created"] is True
    record = answer["file"]
    saved_at = time.strptime(record["created_at"], "%Y-%m-%dT%H:%M:%S+00:00")
    assert before <= time.mktime(saved_at) - time.timezone <= time.time()
    assert len(record["id"]) == 24
    assert int(record["id"], 16) >= 0
    assert {key: value for key, value in record.items() if key != "id" and not key.endswith("ed_at")} == {
        "file_name": NAME, "version": 1, "programming_language": "markdown", "language": "markdown", "lines_count": 3,
        "file_size": len(code.encode()), "description": "what is planned", "tags": [], "is_favorite": False,
    }  # fmt: skip
    assert texts(engine) == [code]


REFUSALS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("save_file", {"code": "x"}, {"error": "missing_file_name"}),
    ("save_file", {"file_name": " \n", "code": "x"}, {"error": "missing_file_name"}),
    ("save_file", {"file_name": "n" * 256, "code": "x"}, {"error": "file_name_too_long", "max_chars": 255, "actual_chars": 256}),
    ("save_file", {"file_name": "new", "code": ""}, {"error": "empty_code"}),
    ("save_file", {"file_name": "new", "code": "x" * 1_001}, {"error": "code_too_large", "max": 1_000}),
    ("save_file", {"file_name": "new", "code": "a\0"}, {"error": "invalid_input", "argument": "code"}),
    ("save_file", {"file_name": "new", "code": "a\ud800"}, {"error": "invalid_input", "argument": "code"}),
    ("save_file", {"file_name": "n\0", "code": "a"}, {"error": "invalid_input", "argument": "file_name"}),
    (
        "save_file",
        {"file_name": "new", "code": "x", "description": "d" * 2_001},
        {"error": "description_too_long", "max_chars": 2_000, "actual_chars": 2_001},
    ),
    ("save_file", {"file_name": NAME, "code": "x"}, {"error": "file_exists"}),
    ("edit_file", {}, {"error": "missing_file_name"}),
    ("edit_file", {"file_name": "nowhere"}, {"error": "not_found"}),
    ("edit_file", {"file_name": "n\0"}, {"error": "not_found"}),
    ("edit_file", {"file_name": "n\ud800"}, {"error": "not_found"}),
    ("edit_file", {"file_name": "hollow"}, {"error": "empty_file"}),
    ("edit_file", {"file_name": NAME}, {"error": "empty_old_string"}),
    ("edit_file", {"file_name": NAME, "old_string": "o", "new_string": "o"}, {"error": "old_and_new_identical"}),
    ("edit_file", {"file_name": NAME, "old_string": "ONE", "new_string": "o"}, {"error": "no_match"}),
    ("edit_file", {"file_name": NAME, "old_string": "o", "new_string": "0"}, {"error": "ambiguous_match", "occurrences": 2}),
    ("edit_file", {"file_name": NAME, "old_string": "one", "new_string": "1" * 1_000}, {"error": "code_too_large", "max": 1_000}),
    ("edit_file", {"file_name": NAME, "old_string": "one", "new_string": "\0"}, {"error": "invalid_input", "argument": "new_string"}),
    ("append_file", {}, {"error": "missing_file_name"}),
    ("append_file", {"file_name": "nowhere"}, {"error": "empty_content"}),
    ("append_file", {"file_name": "nowhere", "content": "x"}, {"error": "not_found"}),
    ("append_file", {"file_name": "hollow", "content": "x"}, {"error": "empty_file"}),
    ("append_file", {"file_name": NAME, "content": "1" * 1_000}, {"error": "code_too_large", "max": 1_000}),
    ("append_file", {"file_name": NAME, "content": "\0"}, {"error": "invalid_input", "argument": "content"}),
    ("update_file_description", {"description": ""}, {"error": "missing_file_name"}),
    ("update_file_description", {"file_name": "nowhere", "description": ""}, {"error": "not_found"}),
    (
        "update_file_description",
        {"file_name": NAME, "description": "d" * 2_001},
        {"error": "description_too_long", "max_chars": 2_000, "actual_chars": 2_001},
    ),
]


@pytest.mark.rule("PLT-11", "PLT-13", "PLT-18", "PLT-89")
def test_what_is_refused_says_why_and_changes_nothing(tools: Tools, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEKEEPER_MAX_CODE_SIZE", "1000")
    write_files.settings.cache_clear()
    tools.ok("save_file", file_name=NAME, code="one\ntwo")
    with writing_own(engine, "dana") as own:
        write_files.create_file(own, "hollow", "")
    for tool, arguments, expected in REFUSALS:
        answer = tools.call(tool, **arguments)
        shown = {key: value for key, value in answer.items() if key not in {"ok", "message", "hint"}}
        assert (answer["ok"], shown) == (False, expected), (tool, arguments)
        # What a caller without that file is told of it is what is told of a file that there isn't.
        if tool != "save_file" and arguments.get("file_name") in {NAME, "hollow"} and "too_long" not in expected["error"]:
            assert tools.call(tool, "eve", **{"content": "x", **arguments} if tool == "append_file" else arguments)["error"] == "not_found"
    assert "replace_all" in tools.call("edit_file", file_name=NAME, old_string="o", new_string="0")["hint"]
    assert "codekeeper_edit_file" in tools.call("save_file", file_name=NAME, code="x")["hint"]
    assert texts(engine) == ["one\ntwo"]
    assert texts(engine, "new") == []


@pytest.mark.rule("PLT-11", "PLT-12")
def test_each_change_of_a_text_is_a_new_version_that_keeps_the_rest(tools: Tools, engine: Engine) -> None:
    first = tools.ok("save_file", file_name=NAME, code="one\ntwo one", language="klingon", description="d")["file"]
    with writing_own(engine, "dana") as own:
        write_files.describe_file(own, NAME, tags=["a", "ב"])
    everywhere = tools.ok("edit_file", file_name=NAME, old_string="one", new_string="1", replace_all=True)
    once = tools.ok("edit_file", file_name=NAME, old_string="two 1", new_string="")
    at_line_end = tools.ok("append_file", file_name=NAME, content="three")
    on_new_line = tools.ok("append_file", file_name=NAME, content="four\n")
    assert texts(engine) == ["one\ntwo one", "1\ntwo 1", "1\n", "1\nthree", "1\nthree\nfour\n"]
    assert [everywhere["replacements"], once["replacements"]] == [2, 1]
    assert [at_line_end["appended_chars"], on_new_line["appended_chars"]] == [5, 6]
    records = [first, *(answer["file"] for answer in (everywhere, once, at_line_end, on_new_line))]
    assert [record["version"] for record in records] == [1, 2, 3, 4, 5]
    assert len({record["id"] for record in records}) == 5
    assert {(record["language"], record["description"]) for record in records} == {("klingon", "d")}
    assert {tuple(record["tags"]) for record in records[1:]} == {("a", "ב")}


def test_a_description_is_changed_in_place_and_in_the_newest_version_alone(tools: Tools, engine: Engine) -> None:
    first = tools.ok("save_file", file_name=NAME, code="one", description="before")["file"]
    second = tools.ok("append_file", file_name=NAME, content="two")["file"]
    changed = tools.ok("update_file_description", file_name=NAME, description="after")["file"]
    assert {**second, "description": "after", "updated_at": changed["updated_at"]} == changed
    with reading(engine) as connection:
        rows = connection.execute(select(FILE_VERSIONS.c.id, FILE_VERSIONS.c.description).order_by(FILE_VERSIONS.c.version)).all()
    assert [tuple(row) for row in rows] == [(first["id"], "before"), (second["id"], "after")]
    assert tools.ok("update_file_description", file_name=NAME, description="")["file"]["description"] == ""


@pytest.mark.rule("SCN-1", "SCN-2", "SCN-3", "SCN-4", "SCN-5", "SCN-9", "SCN-10", "SCN-11", "PLT-16")
def test_the_text_index_holds_the_words_of_the_owners_active_newest_versions(tools: Tools, engine: Engine) -> None:
    tools.ok("save_file", file_name="login_helper.py", code="def authenticate(): old", description="naïve checks")
    tools.ok("save_file", "eve", file_name="other.py", code="authenticate 1:authent dana")
    for query, names in {
        "authenticating": {"login_helper.py"}, "auth": set(), "HELPERS": {"login_helper.py"}, "login": {"login_helper.py"},
        "naive": {"login_helper.py"}, "checking": {"login_helper.py"}, "help_py": {"login_helper.py"},
        "nothing authenticates": {"login_helper.py"},
    }.items():  # fmt: skip
        assert found(engine, query) == names, query
    assert found(engine, "authenticate", "eve") == {"other.py"}
    assert found(engine, "login dana", "nobody") == set()
    tools.ok("edit_file", file_name="login_helper.py", old_string="old", new_string="שלום")
    assert (found(engine, "old"), found(engine, "שלום")) == (set(), {"login_helper.py"})
    with writing_own(engine, "dana") as own:
        write_files.describe_file(own, "login_helper.py", description="fast", tags=["tagged"])
    assert [found(engine, word) for word in ("naive", "fast", "tags")] == [set(), {"login_helper.py"}, {"login_helper.py"}]
    with writing_own(engine, "dana") as own:
        write_files.delete_file(own, "login_helper.py")
    assert found(engine, "authenticate") == set()
    with writing_own(engine, "dana") as own:
        write_files.restore_file(own, "login_helper.py")
    assert found(engine, "authenticate") == {"login_helper.py"}


@pytest.mark.rule("SCN-1", "PLT-16")
def test_a_file_of_more_words_than_one_row_of_the_index_holds_is_found_by_each(tools: Tools, engine: Engine) -> None:
    words = [f"{number:07x}" for number in range(60_000)]
    tools.ok("save_file", file_name="hashes", code=" ".join(words) + " " + "x" * 5_000)
    assert all(found(engine, word) == {"hashes"} for word in (words[0], words[30_000], words[-1], "x" * 200))
    tools.ok("edit_file", file_name="hashes", old_string=words[0], new_string="gone")
    assert (found(engine, words[0]), found(engine, "gone")) == (set(), {"hashes"})


def test_a_deleted_file_is_gone_for_every_name_and_comes_back_whole(tools: Tools, engine: Engine) -> None:
    def in_own(change: Callable[..., Any], name: str = NAME) -> Any:
        with writing_own(engine, "dana") as own:
            return change(own, name)

    def code(change: Callable[..., Any]) -> str:
        with pytest.raises(Refused) as refused:
            in_own(change)
        return refused.value.code

    assert (code(write_files.delete_file), code(write_files.restore_file)) == ("not_found", "not_found")
    tools.ok("save_file", file_name=NAME, code="one")
    tools.ok("append_file", file_name=NAME, content="two")
    in_own(write_files.delete_file)
    assert code(write_files.delete_file) == "not_found"
    assert tools.call("append_file", file_name=NAME, content="three")["error"] == "not_found"
    another = tools.ok("save_file", file_name=NAME, code="another")["file"]
    assert another["version"] == 1
    assert code(write_files.restore_file) == "file_exists"
    in_own(write_files.delete_file)
    assert in_own(write_files.restore_file)["id"] == another["id"]  # the one that was deleted last
    assert texts(engine) == ["one", "one\ntwo", "another"]


@pytest.mark.rule("PLT-142")
def test_a_write_past_its_deadline_is_not_made_and_its_caller_knows_where_to_look(tools: Tools, engine: Engine) -> None:
    tools.ok("save_file", file_name=NAME, code="one")
    answer = tools.call("append_file", file_name=NAME, content="two", within_s=-1)
    assert {key: answer[key] for key in answer if key != "message"} == {
        "ok": False, "error": "deadline_exceeded", "may_have_applied": True, "check_with": "codekeeper_list_versions",
    }  # fmt: skip
    assert texts(engine) == ["one"]


def test_a_text_is_not_saved_over_one_that_its_writer_has_not_seen(tools: Tools, engine: Engine) -> None:
    tools.ok("save_file", file_name=NAME, code="one")
    with reading_own(engine, "dana") as own:
        assert own is not None
        seen = files.existing(own, NAME)
    tools.ok("append_file", file_name=NAME, content="two")
    with pytest.raises(Refused, match="conflict"), writing_own(engine, "dana", EDIT_FILE) as own:
        write_files.add_version(own, seen, "three")
    assert texts(engine) == ["one", "one\ntwo"]


def test_a_database_that_is_gone_is_a_refusal_and_nothing_is_saved(tools: Tools, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """The service's own engine looks for another database than there is."""
    missing = address.replace("codekeeper.sqlite3", "missing.sqlite3").replace("/db", "/nodb")
    monkeypatch.setenv("CODEKEEPER_DATABASE_URL", missing)
    write_files.settings.cache_clear()
    service_engine().dispose()
    service_engine.cache_clear()
    assert tools.call("save_file", file_name=NAME, code="one")["error"] == "existence_check_unavailable"
    assert tools.call("append_file", file_name=NAME, content="one")["error"] == "db_error"
