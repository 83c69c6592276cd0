"""What the databases do to answer: the plans of the very statements that the reading tools send, in a store full of other users' rows."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from shared.database.engine import reading
from shared.database.store_tables import OWNERS
from shared.database.tables import METADATA
from tests.store.many_rows import ME, fill
from tests.store.tools import Tools
from workers import resources

SIZES = {"many": (8_000, 400, 70), "few": (60, 20, 2)}
"""Rows of all users, rows of `ME`, other users. A database that has few rows would rather read them all."""

MY_FILE, MY_NOTE = "module_60.py", f"{60:024x}"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_code", {"query": "common"}),
    ("search_code", {"query": "common", "language": "python"}),
    ("search_code", {"query": "tenth rare1 nothing"}),
    ("search_code", {"query": "nothing"}),
    ("search_notes", {"query": "tenth"}),
    ("search_notes", {"query": "nothing", "search_content": True, "include_archived": True}),
    ("list_files", {}),
    ("list_files", {"page": 3, "per_page": 5}),
    ("list_versions", {"file_name": MY_FILE}),
    ("list_notes", {"file_name": MY_FILE}),
    ("list_boards", {}),
    ("list_board_notes", {"board_id": f"{1:024x}"}),
    ("get_note", {"note_id": MY_NOTE}),
    ("list_note_versions", {"note_id": MY_NOTE}),
    ("get_note_version", {"note_id": MY_NOTE, "version": 1}),
    ("list_collections", {}),
    ("get_collection", {"collection_id": f"{1:024x}"}),
    ("get_collection_items", {"collection_id": f"{1:024x}"}),
    ("get_collection_items", {"collection_id": f"{1:024x}", "folder": "half", "page": 2, "per_page": 5}),
]

STORE = {table.name for table in METADATA.tables.values() if "owner_key" in table.c or table is OWNERS} | {"file_words"}

OF_ONE_OWNER = re.compile(r"\b(owner_key|file_key|note_key|collection_key|key|rowid|user)\b\"?\)?(::text)? ?= ?|words @@ '")
"""What an index may be asked for: rows of an owner, rows of a row of that owner, one row; or words, which have the owner in them."""


@contextmanager
def statements(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    """The statements, with their values, that read a table meanwhile."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "WITH")):
            seen.append((statement, values))

    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


@pytest.fixture(params=SIZES)
def mine(request: pytest.FixtureRequest, tools: Tools) -> int:
    """How many files and notes `ME` has in the filled store."""
    assert isinstance(tools, Tools)
    rows, mine, others = SIZES[request.param]
    fill(resources.engine(), rows, mine=mine, others=others)
    return mine


def asked(tools: Tools, tool: str, arguments: dict[str, Any]) -> list[tuple[str, Any]]:
    """The statements of a call that succeeds."""
    with statements(resources.engine()) as seen:
        answer = tools.call(tool, ME, **arguments)
    assert "error" not in answer, answer
    assert seen
    return seen


@pytest.mark.rule("SCN-1", "SCN-9", "SCN-23", "SCN-25", "SCN-35", "PLT-16", "PLT-21")
def test_no_call_reads_a_row_of_another_user(tools: Tools, mine: int) -> None:
    uses_text_index = False
    for tool, arguments in CALLS:
        for statement, values in asked(tools, tool, arguments):
            with reading(resources.engine()) as connection:
                for scan in scans(connection, statement, values):
                    assert OF_ONE_OWNER.search(scan.condition), (tool, arguments, scan)
                    assert set(re.findall(r"'(\d+):\w", scan.condition)) <= {"1"}, scan
                    assert scan.rows <= mine, (tool, arguments, scan)
                    uses_text_index |= "words @@" in scan.condition
    assert uses_text_index


@pytest.mark.rule("SCN-23", "SCN-24", "SCN-25", "PLT-21")
def test_a_search_of_notes_reads_by_the_index_of_owner_and_time_and_stops_at_its_limit(tools: Tools, mine: int) -> None:
    (_, (statement, values)) = asked(tools, "search_notes", {"query": "common", "search_content": True, "limit": 5})
    with reading(resources.engine()) as connection:
        (notes,) = (scan for scan in scans(connection, statement, values) if scan.table == "notes")
        assert "ix_notes_newest" in notes.index
        assert "owner_key" in notes.condition
        assert not sorts(connection, statement, values)
        assert notes.rows <= 6 < mine or connection.dialect.name == "sqlite"


class Scan:
    """One place in a plan where a table of the store is read."""

    def __init__(self, table: str, index: str, condition: str, rows: int) -> None:
        self.table, self.index, self.condition = table, index, condition
        self.rows = rows
        """Rows that it looked at, as PostgreSQL counted them; SQLite counts none."""

    def __repr__(self) -> str:
        return f"{self.table} by {self.index or 'no index'} where {self.condition or 'anything'}: {self.rows} rows"


def scans(connection: Connection, statement: str, values: Any) -> Iterator[Scan]:
    if connection.dialect.name == "sqlite":
        for line in sqlite_plan(connection, statement, values):
            # SEARCH notes USING INDEX ix_notes_newest (owner_key=?), SCAN file_words VIRTUAL TABLE INDEX 0:M1, SCAN found
            read = re.fullmatch(
                r"(SEARCH|SCAN) (\w+)(?: USING (?:COVERING )?(?:INDEX )?(.*?)(?: \((.*)\))?)?(?: LEFT-JOIN| VIRTUAL .*)?", line
            )
            if read is None or read[2] not in STORE:
                assert read or re.match(r"MATERIALIZE|CO-ROUTINE|USE TEMP B-TREE|SCALAR SUBQUERY|CORRELATED SCALAR|COMPOUND", line), line
                continue
            if read[2] == "file_words":
                assert line == "SCAN file_words VIRTUAL TABLE INDEX 0:M1"  # by MATCH and nothing else
                (match,) = (value for value in values if isinstance(value, str) and '"1:' in value)
                yield Scan("file_words", "fts5", f"words @@ {match}".replace('"', "'"), 0)
                continue
            yield Scan(read[2], read[3] or "", read[4] or "", 0)
        return
    yield from nodes(postgres_plan(connection, statement, values))


def nodes(plan: dict[str, Any]) -> Iterator[Scan]:
    inner = plan.get("Plans", [])
    for each in inner:
        yield from nodes(each)
    if plan.get("Relation Name") in STORE:
        parts = list(bitmap(plan))  # the plan's own, or those of the bitmaps whose rows it reads
        looked_at = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
        index, condition = (" and ".join(part.get(name, "") for part in parts) for name in ("Index Name", "Index Cond"))
        yield Scan(plan["Relation Name"], index, condition, int(looked_at * plan["Actual Loops"]))


def bitmap(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if plan["Node Type"] not in {"Bitmap Heap Scan", "BitmapAnd"}:
        yield plan
        return
    for each in plan["Plans"]:
        yield from bitmap(each)


def sorts(connection: Connection, statement: str, values: Any) -> bool:
    if connection.dialect.name == "sqlite":
        return any("B-TREE" in line for line in sqlite_plan(connection, statement, values))
    return '"Sort"' in json.dumps(postgres_plan(connection, statement, values))


def sqlite_plan(connection: Connection, statement: str, values: Any) -> list[str]:
    return [row[-1] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]


def postgres_plan(connection: Connection, statement: str, values: Any) -> dict[str, Any]:
    """As it was carried out, with what each part of it read."""
    explained = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values).scalar_one()
    plan: dict[str, Any] = explained[0]["Plan"]
    return plan
