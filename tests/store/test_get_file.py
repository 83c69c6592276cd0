"""`codekeeper_get_file` on both databases: which version is read, whose files they are, and that texts come back as they were saved."""

from typing import Any

import pytest
from sqlalchemy import Engine, update

from shared.database.engine import reading, writing
from shared.database.store_tables import FILE_VERSIONS
from shared.settings import settings
from shared.store_limits import MAX_FILE_NAME_CHARS
from tests.store.tools import Tools, call_text, caller
from tests.unit.workers.reading_calls import as_sent, queries
from workers.resources import engine as service_engine
from workers.store.transaction import writing_own
from workers.store.write_files import delete_file, restore_file

NAME = "docs/מדריך.md"
ONE, TWO = "# א\r\n\r\nטקסט 😀\n## ב\nend", "# א\n## ב\nnew\n"
MODES: list[dict[str, Any]] = [{}, {"lines": [1, 2]}, {"query": "ב"}, {"toc": True}, {"section": "ב"}, {"section": "no such"}]
NOTHING = '{"found":false}'


def text_of(user: str = "dana", **arguments: Any) -> str:
    return call_text("codekeeper_get_file", caller(user), 20, **arguments)


def read(tools: Tools, user: str = "dana", **arguments: Any) -> dict[str, Any]:
    return tools.call("get_file", user, **arguments)


@pytest.fixture
def versions(tools: Tools) -> tuple[dict[str, Any], dict[str, Any]]:
    """The records of two versions of one file."""
    first = tools.ok("save_file", file_name=NAME, code=ONE, description="תיאור")["file"]
    return first, tools.ok("edit_file", file_name=NAME, old_string=ONE, new_string=TWO)["file"]


Versions = tuple[dict[str, Any], dict[str, Any]]


@pytest.mark.rule("GTF-18", "GTF-19", "GTF-20", "GTF-21", "GTF-24", "GTF-27", "GTF-28", "GTF-45", "GTF-46", "LIN-45")
@pytest.mark.parametrize("mode", MODES)
def test_a_name_reads_the_newest_version_and_an_id_its_own_in_every_mode(tools: Tools, versions: Versions, mode: dict[str, Any]) -> None:
    first, second = versions
    for asked, record, is_latest in (
        ({"file_name": NAME}, second, None),
        ({"file_name": NAME, "version": 1}, first, None),
        ({"file_name": NAME, "version": 2}, second, None),
        ({"file_id": first["id"]}, first, False),
        ({"file_id": second["id"]}, second, True),
        ({"file_id": first["id"], "version": 2, "file_name": "other"}, first, False),
    ):
        with queries(service_engine()) as seen:
            shown = read(tools, **asked, **mode)["file"]
        assert {name: value for name, value in shown.items() if name not in ("code", "is_latest")} == record
        assert shown.get("is_latest", None) is is_latest
        assert len(seen) == 2  # the owner, and one row that knows all of it


@pytest.mark.rule("GTF-22", "GTF-23", "GTF-3")
@pytest.mark.parametrize("mode", MODES)
def test_what_is_not_there_is_not_found_in_every_mode(versions: Versions, mode: dict[str, Any]) -> None:
    first, _ = versions
    absent: list[dict[str, Any]] = [{}, {"version": 1}, {"file_name": NAME.upper()}, {"file_name": ""}, {"file_name": "n\0"}]
    absent += [{"file_name": "\ud800"}, {"file_name": "n" * (MAX_FILE_NAME_CHARS + 1)}]
    absent += [{"file_name": NAME, "version": version} for version in (0, -1, 3, 2**31, 10**30)]
    absent += [{"file_id": id_} for id_ in ("", "0" * 24, first["id"].upper() + "\n", first["id"] + "0", first["id"][:-1], "x\0", NAME)]
    absent += [{"file_id": "0" * 24, "file_name": NAME}]
    assert [text_of(**asked, **mode) for asked in absent] == [NOTHING] * len(absent)


@pytest.mark.rule("GTF-2", "GTF-3", "GTF-4", "PLT-33")
@pytest.mark.parametrize("mode", MODES)
def test_another_users_file_is_as_absent_as_one_that_never_was(tools: Tools, versions: Versions, mode: dict[str, Any]) -> None:
    tools.ok("save_file", "eve", file_name="own.md", code="# א\n")
    for record in versions:
        for user in ("eve", "nobody", "Dana"):
            assert text_of(user, file_id=record["id"], **mode) == NOTHING
            assert text_of(user, file_name=NAME, **mode) == NOTHING
    theirs = tools.ok("save_file", "eve", file_name=NAME, code="# eve\n")["file"]
    assert read(tools, "eve", file_name=NAME)["file"]["code"] == "# eve\n"
    assert read(tools, file_name=NAME)["file"]["code"] == TWO
    assert text_of(file_id=theirs["id"], **mode) == NOTHING


@pytest.mark.rule("GTF-25", "GTF-27", "GTF-29")
def test_the_recycle_bin_is_reached_by_id_alone(tools: Tools, versions: Versions, engine: Engine) -> None:
    with writing_own(engine, "dana") as own:
        delete_file(own, NAME)
    for record, text in zip(versions, (ONE, TWO), strict=True):
        binned = read(tools, file_id=record["id"])["file"]
        assert (binned["code"], "is_latest" in binned) == (text, False)
    assert text_of(file_name=NAME) == text_of(file_name=NAME, version=1) == NOTHING
    another = tools.ok("save_file", file_name=NAME, code="another")["file"]
    assert read(tools, file_name=NAME)["file"]["id"] == another["id"]
    assert "is_latest" not in read(tools, file_id=versions[1]["id"])["file"]
    with writing_own(engine, "dana") as own:
        delete_file(own, NAME)
        restore_file(own, NAME)
    assert read(tools, file_id=another["id"])["file"]["is_latest"] is True


@pytest.mark.rule("GTF-26", "GTF-27", "LIN-45")
def test_steps_by_id_read_one_version_while_another_is_saved(tools: Tools) -> None:
    text = "# א\n" + "שורה\n" * 300
    tools.ok("save_file", file_name="long.md", code=text)
    page = read(tools, file_name="long.md", section="א", max_chars=500)
    file_id, joined = page["file"]["id"], page["content"]
    tools.ok("edit_file", file_name="long.md", old_string="# א\n", new_string="# א\nאחרת\n")
    by_name = read(tools, file_name="long.md", section="א", max_chars=500, offset=page["next_offset"])
    assert by_name["file"]["version"] == 2
    while page["truncated"]:
        page = read(tools, file_id=file_id, section="א", max_chars=500, offset=page["next_offset"])
        assert (page["file"]["version"], page["file"]["is_latest"]) == (1, False)
        joined += page["content"]
    assert joined == text
    assert read(tools, file_id=file_id, lines=page["line_range"])["file"]["code"] == text


@pytest.mark.rule("GTF-30", "GTF-32", "GTF-33", "GTF-42", "LIN-42", "LIN-24")
@pytest.mark.parametrize("named", [{}, {"file_name": NAME}, {"file_id": "0" * 24}])
def test_what_is_refused_for_its_arguments_reads_no_table(tools: Tools, named: dict[str, Any]) -> None:
    refusals = {
        "toc_and_lines": {"toc": True, "lines": [0, 0], "max_depth": 1},
        "section_and_query": {"section": "", "query": ""},
        "query_and_lines": {"query": "x", "lines": [1, 1], "context_lines": 1},
        "context_lines_without_query": {"context_lines": 0, "max_results": 1},
        "max_chars_without_section": {"max_chars": 1, "max_depth": 1},
        "query_too_short": {"query": " "},
        "empty_section": {"section": ""},
        "invalid_line_range": {"lines": [2, 1]},
    }
    with queries(service_engine()) as seen:
        assert [read(tools, **named, **arguments)["error"] for arguments in refusals.values()] == list(refusals)
    assert seen == []


@pytest.mark.rule("GTF-49", "GTF-50", "GTF-52", "GTF-92", "PLT-14", "LIN-4", "LIN-9")
def test_texts_come_back_as_they_were_saved(tools: Tools) -> None:
    texts = ["a", "\n", "a\nb\nc\n", "\r", "a\r\nb\r\n", "\ufeff# שלום\r\n", "\u2028\x85\x0b\x01\x7f", "😀" * 3, "e\u0301 é \ufffe", " \t "]
    for number, text in enumerate(texts):
        name = f"{number} '\"%_\\"
        record = tools.ok("save_file", file_name=name, code=text)["file"]
        lines = text.split("\n")
        sent = text_of(file_name=name)
        assert sent.encode() == as_sent({"found": True, "file": {**record, "code": text}})
        assert (record["lines_count"], record["file_size"]) == (len(lines), len(text.encode()))
        whole = read(tools, file_name=name, lines=[1, len(lines)])
        assert (whole["file"]["code"], whole["range"]["total_lines"]) == (text, len(lines))
    tools.ok("edit_file", file_name="0 '\"%_\\", old_string="a", new_string="")
    assert read(tools, file_name="0 '\"%_\\", lines=[1, 1])["file"]["code"] == ""


@pytest.mark.rule("GTF-59", "GTF-67", "SCN-6")
def test_a_part_of_a_word_is_found_in_the_file_that_a_search_by_words_named(tools: Tools) -> None:
    """The contract's case: `auth` in a file with `authenticate`."""
    tools.ok("save_file", file_name="login.py", code="import x\n\n    def authenticate(): ...\n")
    answer = read(tools, file_name="login.py", query="auth")
    assert (answer["status"], answer["total"], answer["truncated"]) == ("query", 1, False)
    assert answer["results"] == [{"line": 3, "snippet": "def authenticate(): ..."}]
    assert "code" not in answer["file"]


@pytest.mark.rule("GTF-168", "GTF-170", "GTF-171")
def test_what_an_answer_gave_up_is_still_stored(tools: Tools, versions: Versions, engine: Engine) -> None:
    """Metadata as no writer would keep it today."""
    values = {"description": "ת" * 200_000, "tags": ["t" * 2_000] * 6}
    with writing(engine) as connection:
        connection.execute(update(FILE_VERSIONS).where(FILE_VERSIONS.c.id == versions[1]["id"]).values(**values))
    answer = read(tools, file_name=NAME)
    assert (answer["file"]["code"], answer["file"]["tags"], answer["file"]["description_bytes"]) == (TWO, [], 400_000)
    assert "codekeeper_update_file_description" in answer["hint"]
    with reading(engine) as connection:
        kept = connection.execute(FILE_VERSIONS.select().where(FILE_VERSIONS.c.id == versions[1]["id"])).one()
    assert {"description": kept.description, "tags": kept.tags} == values
    tools.ok("update_file_description", file_name=NAME, description="short")
    assert read(tools, file_name=NAME)["file"]["description"] == "short"


@pytest.mark.rule("GTF-24")
def test_a_database_that_is_away_is_a_refusal_and_not_an_absent_file(tools: Tools, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    missing = address.replace("codekeeper.sqlite3", "missing.sqlite3").replace("/db", "/nodb")
    monkeypatch.setenv("CODEKEEPER_DATABASE_URL", missing)
    settings.cache_clear()
    service_engine().dispose()
    service_engine.cache_clear()
    assert read(tools, file_name=NAME)["error"] == "db_error"
