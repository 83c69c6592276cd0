"""The trigrams of a repository's blobs, by blob id, and the files of one commit: `DATA_DIR/search/NAME/trigrams.sqlite3`.

SQLite's FTS5 keeps the lists: contentless, `detail=none`, of bytes as Latin-1 characters with ASCII letters in lower case. A blob is
added once, so a new commit costs its changed blobs; one that isn't added yet is a candidate of every search. The sync writes, in
transactions, and searches read one state of it.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.filter.required import FOLDS_TO_ASCII

MAX_CANDIDATES: Final = 20_000
"""Files that git is handed by name at the most: writing their tree takes about 10 µs each, and as much memory as their paths."""

_WORTH_ONE_IN: Final = 4
"""The filter is worth its price when at the most one in so many files is left; else the whole commit is searched."""

_ALWAYS_WORTH: Final = 100
"""Files that are worth it however few there are in all."""

MAX_INDEXED_BYTES: Final = 1024 * 1024
"""Bytes of a blob whose trigrams are kept; a larger one has most of them anyway, and is always searched."""

_HASH_BYTES: Final = 512 * 1024
"""Bytes that FTS5 gathers before it writes: what a processor's cache holds. On 2026-12-01 33 MB of source took 2.7 s of CPU time so, and
with 16 MiB several times as much."""

_BATCH_BYTES: Final = 32 * 1024 * 1024
"""Bytes of blobs in one transaction: what a killed sync has to do again."""

_ALWAYS: Final = tuple(character.encode() for character in FOLDS_TO_ASCII)

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS blob (id INTEGER PRIMARY KEY, oid BLOB NOT NULL UNIQUE, always INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS file (path BLOB NOT NULL, mode BLOB NOT NULL, oid BLOB NOT NULL, blob INTEGER);
CREATE INDEX IF NOT EXISTS file_of_blob ON file (blob);
CREATE TABLE IF NOT EXISTS state (commit_id TEXT NOT NULL, blobs_left INTEGER NOT NULL, files INTEGER NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS gram USING fts5(text, content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1');
"""


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A regular file of the commit."""

    path: bytes
    mode: bytes
    """As git's trees write it: `100644`, `100755`."""
    oid: bytes
    """The blob's id, in bytes."""


@contextmanager
def _opened(path: Path, *, write: bool) -> Iterator[sqlite3.Connection]:
    mode = "rwc" if write else "rw"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=5 if write else 0.1)
    try:
        yield connection
    finally:
        connection.close()


def candidates(path: Path, commit_id: str, grams: Iterable[bytes]) -> list[IndexedFile] | None:
    """The files of the commit that may hold all of `grams`; None when the index can't say, or they are too many to be worth it.

    A damaged index, one of another commit, and none at all are the same to a search.
    """
    phrases = " AND ".join('"{}"'.format(gram.decode("latin-1").replace('"', '""')) for gram in sorted(grams))
    if not phrases or not path.exists():
        return None
    try:
        with _opened(path, write=False) as connection:
            connection.execute("BEGIN")
            state = connection.execute("SELECT files FROM state WHERE commit_id = ?", (commit_id,)).fetchone()
            if state is None:
                return None
            most = min(MAX_CANDIDATES, max(state[0] // _WORTH_ONE_IN, _ALWAYS_WORTH))
            rows = connection.execute(
                "SELECT path, mode, oid FROM file WHERE blob IN (SELECT rowid FROM gram WHERE gram MATCH ?) OR blob IS NULL LIMIT ?",
                (phrases, most + 1),
            ).fetchall()
    except sqlite3.Error:
        return None
    return [IndexedFile(*row) for row in rows] if len(rows) <= most else None


def is_complete(path: Path, commit_id: str) -> bool:
    """Whether the index is of that commit and has all its blobs.

    Raises:
        sqlite3.Error: as `update`.
    """
    if not path.exists():
        return False
    with _opened(path, write=True) as connection:
        connection.executescript(_SCHEMA)
        state: tuple[str, int] | None = connection.execute("SELECT commit_id, blobs_left FROM state").fetchone()
    return state == (commit_id, 0)


def update(
    path: Path, commit_id: str, files: list[IndexedFile], load: Callable[[bytes], bytes | None], *, until: float, tick: Callable[[], None]
) -> int:
    """Let the index be of that commit's regular `files`; returns how many blobs it doesn't have yet because it is past `until`.

    `load` gives a blob by its id, or None for one that is too large to be worth it; `tick` is called for each.

    Raises:
        sqlite3.Error: the disk, or the file is damaged: it is the caller's to remove.
    """
    with _opened(path, write=True) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)
        connection.execute("INSERT INTO gram(gram, rank) VALUES ('hashsize', ?)", (_HASH_BYTES,))
        known = {oid for (oid,) in connection.execute("SELECT oid FROM blob")}
        wanted = dict.fromkeys(file.oid for file in files)
        if len(known) > 2 * len(wanted) + 1000:  # mostly of commits that are past
            _begin_afresh(connection)
            known = set()
        missing = [oid for oid in wanted if oid not in known]
        left = _add(connection, missing, load, until=until, tick=tick)
        _set_files(connection, commit_id, files, left)
    return left


def _begin_afresh(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM state")
    connection.execute("DELETE FROM file")
    connection.execute("DELETE FROM blob")
    connection.execute("INSERT INTO gram(gram) VALUES ('delete-all')")
    connection.execute("COMMIT")


def _add(
    connection: sqlite3.Connection, missing: list[bytes], load: Callable[[bytes], bytes | None], *, until: float, tick: Callable[[], None]
) -> int:
    size = 0
    for number, oid in enumerate(missing):
        tick()
        if time.monotonic() >= until:
            if connection.in_transaction:
                connection.execute("COMMIT")
            return len(missing) - number
        if not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
        data = load(oid)
        always = data is None or len(data) > MAX_INDEXED_BYTES or any(letter in data for letter in _ALWAYS)
        row = connection.execute("INSERT INTO blob(oid, always) VALUES (?, ?)", (oid, always)).lastrowid
        if not always and data is not None:
            # FTS5 takes a NUL for the end; no trigram of a query has one.
            text = data.lower().replace(b"\0", b"\n").decode("latin-1")
            connection.execute("INSERT INTO gram(rowid, text) VALUES (?, ?)", (row, text))
            size += len(data)
        if size >= _BATCH_BYTES:
            connection.execute("COMMIT")
            size = 0
    if connection.in_transaction:
        connection.execute("COMMIT")
    return 0


def _set_files(connection: sqlite3.Connection, commit_id: str, files: list[IndexedFile], left: int) -> None:
    ids = dict(connection.execute("SELECT oid, id FROM blob WHERE NOT always"))
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM file")
    connection.execute("DELETE FROM state")
    connection.executemany("INSERT INTO file VALUES (?, ?, ?, ?)", ((f.path, f.mode, f.oid, ids.get(f.oid)) for f in files))
    connection.execute("INSERT INTO state VALUES (?, ?, ?)", (commit_id, left, len(files)))
    connection.execute("COMMIT")
