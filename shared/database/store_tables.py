"""The tables of the store: what users save. Every row belongs to one owner, and every key and index begins at the owner.

Two kinds of identity: `key` is a row's own number, never shown, because it counts other people's rows; `id` is what callers see.
"""

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import TSVECTOR

from shared.database.tables import METADATA, Id
from shared.store_limits import MAX_FILE_NAME_CHARS, MAX_LANGUAGE_CHARS, MAX_NAME_CHARS, MAX_TITLE_OF_NOTE_CHARS, PUBLIC_ID_CHARS


def _key() -> Column[int]:
    return Column("key", Id, primary_key=True)


def _owner() -> Column[int]:
    return Column("owner_key", Id, ForeignKey("owners.key"), nullable=False)


def _of(table: str) -> Column[int]:
    return Column(f"{table[:-1]}_key", Id, ForeignKey(f"{table}.key", ondelete="CASCADE"), nullable=False)


def _public_id() -> Column[str]:
    return Column("id", String(PUBLIC_ID_CHARS), nullable=False, comment="what callers see; random, so that it tells nothing")


OWNERS: Final = Table(
    "owners",
    METADATA,
    _key(),
    Column("user", String(255), nullable=False, comment="the user's id, as in tokens"),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("user"),
)

SAVED_FILES: Final = Table(
    "saved_files",
    METADATA,
    _key(),
    _owner(),
    Column("name", String(MAX_FILE_NAME_CHARS), nullable=False),
    Column("latest_version", Integer, nullable=False, comment="the newest of its versions; locked by whoever adds one"),
    Column("from_repo", Boolean, nullable=False, comment="whether a tag of the newest version begins with `repo:`; lists leave it out"),
    Column("favorited_at", BigInteger, comment="null: no favourite"),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False, comment="that of the newest version"),
    Column("deleted_at", BigInteger, comment="when it went to the recycle bin, all versions together; null: active"),
)
_ACTIVE: Final = SAVED_FILES.c.deleted_at.is_(None)
_DELETED: Final = SAVED_FILES.c.deleted_at.is_not(None)
Index(
    "uq_saved_files_active_name", SAVED_FILES.c.owner_key, SAVED_FILES.c.name, unique=True, sqlite_where=_ACTIVE, postgresql_where=_ACTIVE
)
Index(
    "ix_saved_files_newest",
    SAVED_FILES.c.owner_key,
    SAVED_FILES.c.from_repo,
    SAVED_FILES.c.updated_at,
    SAVED_FILES.c.key,
    sqlite_where=_ACTIVE,
    postgresql_where=_ACTIVE,
)
Index(
    "ix_saved_files_bin",
    SAVED_FILES.c.owner_key,
    SAVED_FILES.c.name,
    SAVED_FILES.c.deleted_at,
    sqlite_where=_DELETED,
    postgresql_where=_DELETED,
)

FILE_VERSIONS: Final = Table(
    "file_versions",
    METADATA,
    _key(),
    _owner(),
    Column("file_key", Id, ForeignKey("saved_files.key", ondelete="CASCADE"), nullable=False),
    _public_id(),
    Column("version", Integer, nullable=False, comment="from 1, without gaps; a row's text never changes"),
    Column("language", String(MAX_LANGUAGE_CHARS), nullable=False),
    Column("file_size", Integer, nullable=False, comment="bytes of the text as UTF-8"),
    Column("lines_count", Integer, nullable=False, comment="parts of split on newline"),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False, comment="later than created_at when its description or tags were changed"),
    Column("tags", JSON, nullable=False, comment="a list of strings"),
    Column("description", Text, nullable=False),
    Column("code", Text, nullable=False, comment="last: SQLite reads a row up to the column that it needs"),
    UniqueConstraint("owner_key", "id"),
    UniqueConstraint("file_key", "version"),
)

FILE_WORDS: Final = Table(
    "file_words",
    METADATA,
    Column("file_key", Id, ForeignKey("saved_files.key", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("part", Integer, primary_key=True, autoincrement=False, comment="from 0: a tsvector holds less than 1 MiB"),
    Column("words", TSVECTOR().with_variant(Text, "sqlite"), nullable=False, comment="OWNER_KEY:STEM of each word of the newest version"),
    # A pending list would be searched whole by everybody, whoever's words are in it.
    Index(None, "words", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
)
"""The text index over active files (SCN-1). On SQLite it is an FTS5 table of that name: its rowid is the file's key, and it has no parts.

A word is kept under its owner's key, so that a search reads nobody else's postings: not their contents, and not their number.
"""

BOARDS: Final = Table(
    "boards",
    METADATA,
    _key(),
    _owner(),
    _public_id(),
    Column("name", String(MAX_NAME_CHARS), nullable=False),
    Column("is_default", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("owner_key", "id"),
    UniqueConstraint("owner_key", "name", name="uq_boards_owner_key_name"),
)
_DEFAULT: Final = BOARDS.c.is_default
Index("uq_boards_default", BOARDS.c.owner_key, unique=True, sqlite_where=_DEFAULT, postgresql_where=_DEFAULT)

NOTES: Final = Table(
    "notes",
    METADATA,
    _key(),
    _owner(),
    _public_id(),
    Column("file_name", String(MAX_FILE_NAME_CHARS), comment="set: a note on the saved file of that name"),
    Column("board_key", Id, ForeignKey("boards.key"), comment="set: a note on that board"),
    Column("repo_name", String(100), comment="set, with repo_path: a note on a file of that mirrored repository"),
    Column("repo_path", Text),
    Column("archived_at", BigInteger, comment="set: a note that left its place for the archive"),
    Column("line", Integer, comment="the line it is anchored to, from 1; null: it floats"),
    Column("anchor_text", Text, comment="that line's text when the note was anchored"),
    Column("mode", String(16), comment="surface or screen; null on a saved file"),
    Column("color", String(MAX_NAME_CHARS)),
    Column("is_minimized", Boolean, nullable=False),
    Column("version", Integer, nullable=False, comment="of its body, from 1; earlier ones are in note_versions"),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("title", String(MAX_TITLE_OF_NOTE_CHARS)),
    Column("title_folded", Text, comment="case-folded, for the search"),
    Column("content", Text, nullable=False, comment="as it was sent"),
    Column("content_folded", Text, nullable=False, comment="case-folded, for the search"),
    UniqueConstraint("owner_key", "id"),
    CheckConstraint(
        "(CASE WHEN file_name IS NULL THEN 0 ELSE 1 END) + (CASE WHEN board_key IS NULL THEN 0 ELSE 1 END)"
        " + (CASE WHEN repo_path IS NULL THEN 0 ELSE 1 END) + (CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END) = 1",
        name="one_place",
    ),
    Index("ix_notes_newest", "owner_key", "updated_at", "key"),
    Index("ix_notes_file", "owner_key", "file_name"),
    Index("ix_notes_board", "owner_key", "board_key"),
    Index("ix_notes_repo", "owner_key", "repo_name"),  # not the path: PostgreSQL's index rows hold 2,704 bytes
)
_TITLED: Final = NOTES.c.title.is_not(None)
Index("uq_notes_title", NOTES.c.board_key, NOTES.c.title, unique=True, sqlite_where=_TITLED, postgresql_where=_TITLED)

NOTE_VERSIONS: Final = Table(
    "note_versions",
    METADATA,
    _key(),
    _owner(),
    _of("notes"),
    Column("version", Integer, nullable=False),
    Column("saved_at", BigInteger, nullable=False, comment="when the next body took its place"),
    Column("content", Text, nullable=False),
    UniqueConstraint("note_key", "version"),
)
"""Bodies that a note had before, the newest few of them."""

COLLECTIONS: Final = Table(
    "collections",
    METADATA,
    _key(),
    _owner(),
    _public_id(),
    Column("name", String(MAX_NAME_CHARS), nullable=False),
    Column("description", Text, nullable=False),
    Column("is_favorite", Boolean, nullable=False),
    Column("position", Integer, nullable=False, comment="the user's order, lowest first"),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("archived_at", BigInteger, comment="null: listed"),
    UniqueConstraint("owner_key", "id"),
    UniqueConstraint("owner_key", "name", name="uq_collections_owner_key_name"),
)

COLLECTION_ITEMS: Final = Table(
    "collection_items",
    METADATA,
    _key(),
    _owner(),
    _of("collections"),
    Column("file_name", String(MAX_FILE_NAME_CHARS), nullable=False, comment="of a saved file; one that is deleted isn't shown"),
    Column("folder", String(MAX_FILE_NAME_CHARS), nullable=False, comment="empty: at the top"),
    Column("added_at", BigInteger, nullable=False),
    UniqueConstraint("collection_key", "file_name"),
    Index("ix_collection_items_file", "owner_key", "file_name"),
)
