"""The store: one user's searches among everybody's rows, against the same user alone in a store, on SQLite and on PostgreSQL."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest import mock

from sqlalchemy import Engine

from infra.bench.ground import Ground
from infra.bench.measure import Row, Subject, compared, in_turn
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from shared.wire.call import Call, Caller
from shared.wire.note_lists import SearchNotesArguments
from shared.wire.saved_file_lists import SearchCodeArguments
from shared.wire.text import Arguments
from tests.postgres import PostgresServer
from tests.store.many_rows import ME, fill
from workers.tasks import find_files, find_notes

MINE: Final = 100_000
"""Files, and notes, of the user who searches: a hundred times the notes that one may have (PLT-29)."""
QUICK_MINE: Final = 4_000
OTHERS: Final = 900
"""Users who have the other nine tenths of the rows."""
_ROUNDS: Final = 15

_SEARCHES: Final[Mapping[str, Arguments]] = {
    "search_code, a word of 9 files": SearchCodeArguments(query="rare17"),
    "search_code, a word of every tenth file": SearchCodeArguments(query="tenth"),
    "search_code, a word of every file": SearchCodeArguments(query="common"),
    "search_code, the same in one language": SearchCodeArguments(query="common", language="python"),
    "search_notes, titles": SearchNotesArguments(query="tent"),
    "search_notes, a text of no title": SearchNotesArguments(query="nowhere"),
    "search_notes, a text of every body": SearchNotesArguments(query="ordinary", search_content=True),
    "search_notes, a text of no body": SearchNotesArguments(query="nowhere", search_content=True),
}


async def store(ground: Ground) -> list[Row]:
    """Each search in a store of ten times the user's rows and in one of the user's alone; both must find the same."""
    mine = QUICK_MINE if ground.quick else MINE
    rows: list[Row] = []
    for kind, engine_of in databases(ground.folder):
        with engine_of as make:
            engines = {}
            for name, count, others in (("among", 10 * mine, OTHERS), ("alone", mine, 1)):
                print(f"codekeeper: making a store of {count} files and notes on {kind}", file=sys.stderr)
                engines[name] = make(name)
                migrate(engines[name], ground.folder / f"store-{kind}-{name}")
                fill(engines[name], count, mine=mine, others=others)
            for what, arguments in _SEARCHES.items():
                among, alone = (_search(engine, arguments) for engine in engines.values())
                if _found(among()) != _found(alone()):
                    raise RuntimeError(f"{what}: not the same is found among others")
                took = await in_turn({"among": _subject(among), "alone": _subject(alone)}, _ROUNDS, warm_up=2)
                rows.append(compared(f"{kind}, {mine} of {10 * mine}: {what} : alone", took["among"], took["alone"], 2.0))
            for engine in engines.values():
                engine.dispose()
    return rows


def databases(folder: Path) -> Iterator[tuple[str, AbstractContextManager[Callable[[str], Engine]]]]:
    """Each kind of database by name, with a context that gives engines on new ones, called by the caller's names."""
    yield "SQLite", _sqlite(folder)
    yield "PostgreSQL", _postgres()


@contextmanager
def _sqlite(folder: Path) -> Iterator[Callable[[str], Engine]]:
    yield lambda name: open_engine(f"sqlite:///{folder / f'{name}.sqlite3'}")


@contextmanager
def _postgres() -> Iterator[Callable[[str], Engine]]:
    """A server as the tests have it, with 32 MB of shared buffers: what it reads is mostly in the system's cache."""
    server = PostgresServer()
    try:
        yield lambda _: open_engine(server.address(server.create()))
    finally:
        server.stop()


def _search(engine: Engine, arguments: Arguments) -> Callable[[], bytes]:
    """The tool's function, as a worker calls it."""
    module, tool = (find_files, "search_code") if isinstance(arguments, SearchCodeArguments) else (find_notes, "search_notes")
    caller = Caller(user=ME, scopes=frozenset({"read"}), admin=False)

    def search() -> bytes:
        now = time.time()
        with mock.patch.object(module, "engine", return_value=engine):
            answer: bytes = getattr(module, tool)(arguments, Call(id="bench", caller=caller, entered=now, deadline=now + 600, arguments={}))
        return answer

    return search


def _subject(search: Callable[[], bytes]) -> Subject:
    async def run() -> bytes:
        return search()

    return run


def _found(answer: bytes) -> int:
    """How many were found: the names and times are of the rows among which they lie."""
    count: Any = json.loads(answer)["count"]
    return int(count)
