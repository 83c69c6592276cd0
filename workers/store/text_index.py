"""The text index over saved files (SCN-1, SCN-2): what is written into `file_words`, and how it is asked, on each database.

SQLite has an FTS5 table, PostgreSQL tsvectors under a GIN index. Both hold `OWNER_KEY:WORD`, for each word of an active file's newest
version: a search of one user reads the postings of that user's words and no others.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import BigInteger, Connection, Select, bindparam, cast, column, delete, func, insert, literal, literal_column, select, table
from sqlalchemy.dialects.postgresql import ARRAY, TSQUERY
from sqlalchemy.types import Text

from shared.database.store_tables import FILE_WORDS

PART_BYTES: Final = 500_000
"""Bytes of words in one tsvector, which holds less than 1 MiB, some bytes of its own for each word included."""

_BYTES_BESIDE_A_WORD: Final = 8
"""Bytes that a tsvector takes for a word beside its text."""

_FTS: Final = table("file_words", column("rowid", BigInteger), column("words", Text))


def put_words(connection: Connection, owner_key: int, file_key: int, words: Sequence[str]) -> None:
    """Let the file be found by these words and no others."""
    remove_words(connection, file_key)
    terms = [f"{owner_key}:{word}" for word in words]
    if connection.dialect.name == "sqlite":
        connection.execute(insert(_FTS).values(rowid=file_key, words=" ".join(terms)))
        return
    for number, part in enumerate(_parts(terms)):
        vector = func.array_to_tsvector(cast(literal(part, ARRAY(Text)), ARRAY(Text)))
        connection.execute(insert(FILE_WORDS).values(file_key=file_key, part=number, words=vector))


def remove_words(connection: Connection, file_key: int) -> None:
    """Let the file be found no more."""
    if connection.dialect.name == "sqlite":
        connection.execute(delete(_FTS).where(_FTS.c.rowid == file_key))
    else:
        connection.execute(delete(FILE_WORDS).where(FILE_WORDS.c.file_key == file_key))


def keys_with_any(connection: Connection, owner_key: int, words: Sequence[str]) -> Select[tuple[int]]:
    """The query for the keys of the owner's files that have any of `words`; there must be one. For use behind `IN`: a key may repeat."""
    # Letters, digits and marks alone: nothing in a word means anything to either query language inside its quotes.
    if connection.dialect.name == "sqlite":
        asked = " OR ".join(f'"{owner_key}:{word}"' for word in words)
        return select(_FTS.c.rowid).where(literal_column("file_words").op("MATCH")(bindparam(None, asked)))
    asked = " | ".join(f"'{owner_key}:{word}'" for word in words)
    return select(FILE_WORDS.c.file_key).where(FILE_WORDS.c.words.op("@@")(cast(literal(asked), TSQUERY)))


def _parts(terms: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for term in terms:
        size += len(term.encode()) + _BYTES_BESIDE_A_WORD
        if size > PART_BYTES:
            yield part
            part, size = [], len(term.encode()) + _BYTES_BESIDE_A_WORD
        part.append(term)
    yield part
