"""A store with many rows, made by the database itself: through the service a million saves would take an hour.

The users' rows lie between each other, as they do where users save by turns. Files have the words `common`, `tenth` (each tenth of a
user's) and `rareN` (N being the file's number by tens); notes have the same words in their bodies, and each tenth has one in its title.
"""

from typing import Final

from sqlalchemy import Engine, text

from shared.database.engine import writing

ME: Final = "u1"
"""The user with the most rows, whose owner key is 1; the others share the rest. Each has one board and one collection, of their own key."""

_BODY: Final = "'common words of a note of an ordinary length, some lines of it about what is still to be done here, and then '"
_DESCRIPTION: Final = "'A description of an ordinary length, of file '"


def fill(engine: Engine, rows: int, *, mine: int, others: int) -> None:
    """`rows` files of one version and `rows` notes, `mine` of each those of `ME`, evenly spread; the rest is by turns of `others` users."""
    for statement in _statements(rows, mine, others, on_sqlite=engine.dialect.name == "sqlite"):
        with writing(engine) as connection:
            connection.execute(text(statement.replace(":", r"\:")))
    if engine.dialect.name == "postgresql":  # as its autovacuum does after a while; SQLite plans without statistics
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))


def _statements(rows: int, mine: int, others: int, *, on_sqlite: bool) -> list[str]:
    most = max(rows, others + 1)
    numbers = (
        f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {most})"  # noqa: S608 - of numbers alone
        if on_sqlite
        else f"WITH numbers AS (SELECT n FROM generate_series(CAST(1 AS bigint), {most}) AS n)"  # noqa: S608 - the same
    )
    turn = rows // mine
    owner = f"(CASE WHEN n % {turn} = 0 THEN 1 ELSE 2 + n % {others} END)"
    number = f"(n / {turn})"
    word = f"(CASE WHEN {number} % 10 = 0 THEN 'tenth' ELSE 'rare' || ({number} / 10) END)"
    false = "0" if on_sqlite else "false"
    hexadecimal = "printf('%024x', n)" if on_sqlite else "lpad(to_hex(n), 24, '0')"
    name = "'module_' || n || '.py'"
    when = f"1700000000 + n * 7919 % {rows}"
    terms = [f"{owner} || ':common'", f"{owner} || ':' || {word}"]
    words = " || ' ' || ".join(terms) if on_sqlite else f"array_to_tsvector(ARRAY[{', '.join(terms)}])"
    of_user = {"owner_key": "n", "id": hexadecimal, "created_at": "1"}
    tables: list[tuple[str, int, dict[str, str]]] = [
        ("owners", others + 1, {"key": "n", '"user"': "'u' || n", "created_at": "1"}),
        ("boards", others + 1, {"key": "n", **of_user, "name": "'Board'", "is_default": "1" if on_sqlite else "true"}),
        ("collections", others + 1, {"key": "n", **of_user, "name": "'All'", "description": "''", "is_favorite": false, "position": "0",
                                     "updated_at": "1"}),
        ("saved_files", rows, {"key": "n", "owner_key": owner, "name": name, "latest_version": "1", "from_repo": false,
                               "created_at": "1", "updated_at": when}),
        ("file_versions", rows, {"key": "n", "owner_key": owner, "file_key": "n", "id": hexadecimal, "version": "1",
                                 "language": "CASE WHEN n % 3 = 0 THEN 'python' ELSE 'text' END", "file_size": "30", "lines_count": "1",
                                 "created_at": "1", "updated_at": when, "tags": "'[]'", "description": f"{_DESCRIPTION} || n",
                                 "code": f"'common ' || {word}"}),
        ("file_words", rows, {"rowid": "n", "words": words} if on_sqlite else {"file_key": "n", "part": "0", "words": words}),
        ("collection_items", rows, {"key": "n", "owner_key": owner, "collection_key": owner, "file_name": name,
                                    "folder": "CASE WHEN n % 2 = 0 THEN 'half' ELSE '' END", "added_at": "1"}),
        ("notes", rows, {"key": "n", "owner_key": owner, "id": hexadecimal, "file_name": f"CASE WHEN n % 3 > 0 THEN {name} END",
                         "board_key": f"CASE WHEN n % 3 = 0 THEN {owner} END", "is_minimized": false, "version": "2",
                         "created_at": "1", "updated_at": when, "title": f"CASE WHEN n % 10 = 0 THEN {word} || n END",
                         "title_folded": f"CASE WHEN n % 10 = 0 THEN {word} || n END", "content": f"{_BODY} || {word}",
                         "content_folded": f"{_BODY} || {word}"}),
        ("note_versions", rows, {"key": "n", "owner_key": owner, "note_key": "n", "version": "1", "saved_at": "1", "content": word}),
    ]  # fmt: skip
    return [
        f"INSERT INTO {table} ({', '.join(columns)}) {numbers} SELECT {', '.join(columns.values())} FROM numbers WHERE n <= {count}"  # noqa: S608
        for table, count, columns in tables
    ]
