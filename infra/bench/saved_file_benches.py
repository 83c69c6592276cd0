"""`codekeeper_get_file` in each mode on a 500 KB Hebrew Markdown file, against a bare look-up of its row, on both databases."""

import json
import random
import time
from collections.abc import Callable
from typing import Any, Final
from unittest import mock

from sqlalchemy import Engine

from infra.bench.ground import Ground
from infra.bench.measure import Row, Subject, compared, in_turn
from infra.bench.store_benches import databases
from shared.answer import render
from shared.database.migrate import migrate
from shared.errors import Refused
from shared.wire.call import Call, Caller
from shared.wire.get_file import GetFileArguments
from workers.store.files import find
from workers.store.transaction import reading_own, writing_own
from workers.store.write_files import create_file
from workers.tasks import get_file as tool

USER: Final = "bench"
BYTES: Final = 500_000
"""Below the ceiling of sections, 512,000; as an answer it would be twice the budget, so the whole file is read from one of 200,000."""
_WORDS: Final = ("מסמך", "תכנון", "קובץ", "שורה", "כותרת", "בדיקה", "תיקון", "גרסה", "משתמש", "חיפוש")
_SEED: Final = 5
_ROUNDS: Final = 40

_READS: Final = {
    "whole, of 200 KB": GetFileArguments(file_name="200000.md"),
    "whole, which is refused": GetFileArguments(file_name="500000.md"),
    "lines 1000-1200": GetFileArguments(file_name="500000.md", lines=[1_000, 1_200]),
    "query, 100 of its lines": GetFileArguments(file_name="500000.md", query="תכנון", max_results=100),
    "query, a text that isn't there": GetFileArguments(file_name="500000.md", query="איננו"),
    "toc, its map kept": GetFileArguments(file_name="500000.md", toc=True),
    "section, its map kept": GetFileArguments(file_name="500000.md", section="פרק 7"),
}


async def saved_file(ground: Ground) -> list[Row]:
    """Each mode, and the same file's row by its name, text included."""
    rows: list[Row] = []
    for kind, engine_of in databases(ground.folder):
        with engine_of as make:
            engine = make("saved-file")
            migrate(engine, ground.folder / f"saved-file-{kind}")
            with writing_own(engine, USER) as own:
                for size in (BYTES, 200_000):
                    create_file(own, f"{size}.md", _markdown(size))
            for what, arguments in _READS.items():
                subjects: dict[str, Subject] = {"ours": _subject(_read(engine, arguments)), "row": _subject(_row(engine, arguments))}
                took = await in_turn(subjects, 10 if ground.quick else _ROUNDS)
                rows.append(compared(f"{kind}, get_file of 500 KB of Hebrew, {what} : the row", took["ours"], took["row"]))
            engine.dispose()
    return rows


def _markdown(size: int) -> str:
    """A page of Hebrew prose with a heading on every fortieth line, of nearly `size` bytes."""
    chance = random.Random(_SEED)  # noqa: S311 - the same text in every run
    lines: list[str] = []
    left = size
    while True:
        number = len(lines)
        line = f"## פרק {number // 40}" if number % 40 == 0 else " ".join(chance.choices(_WORDS, k=12))
        left -= len(line.encode()) + 1
        if left < 0:
            return "\n".join(lines) + "\n"
        lines.append(line)


def _read(engine: Engine, arguments: GetFileArguments) -> Callable[[], bytes]:
    caller = Caller(user=USER, scopes=frozenset({"read"}), admin=False)

    def read() -> bytes:
        now = time.time()
        with mock.patch.object(tool, "engine", return_value=engine):
            try:
                return tool.get_file(arguments, Call(id="bench", caller=caller, entered=now, deadline=now + 600, arguments={}))
            except Refused as refused:
                return render(refused.answer())

    answer: Any = json.loads(read())
    refused = answer.get("error", not answer["found"] and "not found")
    if refused and refused != "answer_too_large":
        raise RuntimeError(f"the file was not read: {refused}")
    return read


def _row(engine: Engine, arguments: GetFileArguments) -> Callable[[], bytes]:
    def read() -> bytes:
        with reading_own(engine, USER) as own:
            found = None if own is None else find(own, str(arguments.file_name))
        if found is None:
            raise RuntimeError("no such file")
        return found.code.encode()

    return read


def _subject(read: Callable[[], bytes]) -> Subject:
    async def run() -> bytes:
        return read()

    return run
