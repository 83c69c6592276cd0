"""Create the store: saved files with their versions and words, notes on boards and files, collections."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _key() -> sa.Column[int]:
    return sa.Column("key", _ID, nullable=False)


def _owner() -> sa.Column[int]:
    return sa.Column("owner_key", _ID, nullable=False)


def _keys_of(table: str) -> list[sa.Constraint]:
    """A row's own key, and its owner's."""
    return [
        sa.PrimaryKeyConstraint("key", name=f"pk_{table}"),
        sa.ForeignKeyConstraint(["owner_key"], ["owners.key"], name=f"fk_{table}_owner_key"),
    ]


def _partial(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(name, table, columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    op.create_table(
        "owners",
        _key(),
        sa.Column("user", sa.String(length=255), nullable=False, comment="the user's id, as in tokens"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_owners"),
        sa.UniqueConstraint("user", name="uq_owners_user"),
    )
    _create_files()
    _create_words()
    _create_notes()
    _create_collections()


def _create_files() -> None:
    op.create_table(
        "saved_files",
        _key(),
        _owner(),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("latest_version", sa.Integer(), nullable=False, comment="the newest of its versions; locked by whoever adds one"),
        sa.Column(
            "from_repo",
            sa.Boolean(),
            nullable=False,
            comment="whether a tag of the newest version begins with `repo:`; lists leave it out",
        ),
        sa.Column("favorited_at", sa.BigInteger(), nullable=True, comment="null: no favourite"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False, comment="that of the newest version"),
        sa.Column(
            "deleted_at", sa.BigInteger(), nullable=True, comment="when it went to the recycle bin, all versions together; null: active"
        ),
        *_keys_of("saved_files"),
    )
    _partial("uq_saved_files_active_name", "saved_files", ["owner_key", "name"], "deleted_at IS NULL", unique=True)
    _partial("ix_saved_files_newest", "saved_files", ["owner_key", "from_repo", "updated_at", "key"], "deleted_at IS NULL")
    _partial("ix_saved_files_bin", "saved_files", ["owner_key", "name", "deleted_at"], "deleted_at IS NOT NULL")
    op.create_table(
        "file_versions",
        _key(),
        _owner(),
        sa.Column("file_key", _ID, nullable=False),
        sa.Column("id", sa.String(length=24), nullable=False, comment="what callers see; random, so that it tells nothing"),
        sa.Column("version", sa.Integer(), nullable=False, comment="from 1, without gaps; a row's text never changes"),
        sa.Column("language", sa.String(length=64), nullable=False),
        sa.Column("file_size", sa.Integer(), nullable=False, comment="bytes of the text as UTF-8"),
        sa.Column("lines_count", sa.Integer(), nullable=False, comment="parts of split on newline"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False, comment="later than created_at when its description or tags were changed"),
        sa.Column("tags", sa.JSON(), nullable=False, comment="a list of strings"),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False, comment="last: SQLite reads a row up to the column that it needs"),
        *_keys_of("file_versions"),
        sa.ForeignKeyConstraint(["file_key"], ["saved_files.key"], name="fk_file_versions_file_key", ondelete="CASCADE"),
        sa.UniqueConstraint("owner_key", "id", name="uq_file_versions_owner_key"),
        sa.UniqueConstraint("file_key", "version", name="uq_file_versions_file_key"),
    )


def _create_words() -> None:
    if op.get_bind().dialect.name == "sqlite":
        # Words are single tokens of letters, digits and the colon behind the owner's key: neither positions nor lengths are asked for.
        op.execute("CREATE VIRTUAL TABLE file_words USING fts5(words, tokenize=\"ascii tokenchars ':'\", detail=none, columnsize=0)")
        return
    op.create_table(
        "file_words",
        sa.Column("file_key", _ID, autoincrement=False, nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False, comment="from 0: a tsvector holds less than 1 MiB"),
        sa.Column("words", TSVECTOR(), nullable=False, comment="OWNER_KEY:STEM of each word of the newest version"),
        sa.PrimaryKeyConstraint("file_key", "part", name="pk_file_words"),
        sa.ForeignKeyConstraint(["file_key"], ["saved_files.key"], name="fk_file_words_file_key", ondelete="CASCADE"),
    )
    # A pending list would be searched whole by everybody, whoever's words are in it.
    op.create_index("ix_file_words_words", "file_words", ["words"], postgresql_using="gin", postgresql_with={"fastupdate": "off"})


def _create_notes() -> None:
    op.create_table(
        "boards",
        _key(),
        _owner(),
        sa.Column("id", sa.String(length=24), nullable=False, comment="what callers see; random, so that it tells nothing"),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        *_keys_of("boards"),
        sa.UniqueConstraint("owner_key", "id", name="uq_boards_owner_key"),
        sa.UniqueConstraint("owner_key", "name", name="uq_boards_owner_key_name"),
    )
    _partial("uq_boards_default", "boards", ["owner_key"], "is_default", unique=True)
    op.create_table(
        "notes",
        _key(),
        _owner(),
        sa.Column("id", sa.String(length=24), nullable=False, comment="what callers see; random, so that it tells nothing"),
        sa.Column("file_name", sa.String(length=255), nullable=True, comment="set: a note on the saved file of that name"),
        sa.Column("board_key", _ID, nullable=True, comment="set: a note on that board"),
        sa.Column(
            "repo_name", sa.String(length=100), nullable=True, comment="set, with repo_path: a note on a file of that mirrored repository"
        ),
        sa.Column("repo_path", sa.Text(), nullable=True),
        sa.Column("archived_at", sa.BigInteger(), nullable=True, comment="set: a note that left its place for the archive"),
        sa.Column("line", sa.Integer(), nullable=True, comment="the line it is anchored to, from 1; null: it floats"),
        sa.Column("anchor_text", sa.Text(), nullable=True, comment="that line's text when the note was anchored"),
        sa.Column("mode", sa.String(length=16), nullable=True, comment="surface or screen; null on a saved file"),
        sa.Column("color", sa.String(length=100), nullable=True),
        sa.Column("is_minimized", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False, comment="of its body, from 1; earlier ones are in note_versions"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=True),
        sa.Column("title_folded", sa.Text(), nullable=True, comment="case-folded, for the search"),
        sa.Column("content", sa.Text(), nullable=False, comment="as it was sent"),
        sa.Column("content_folded", sa.Text(), nullable=False, comment="case-folded, for the search"),
        *_keys_of("notes"),
        sa.ForeignKeyConstraint(["board_key"], ["boards.key"], name="fk_notes_board_key"),
        sa.UniqueConstraint("owner_key", "id", name="uq_notes_owner_key"),
        sa.CheckConstraint(
            "(CASE WHEN file_name IS NULL THEN 0 ELSE 1 END) + (CASE WHEN board_key IS NULL THEN 0 ELSE 1 END)"
            " + (CASE WHEN repo_path IS NULL THEN 0 ELSE 1 END) + (CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END) = 1",
            name="one_place",
        ),
    )
    op.create_index("ix_notes_newest", "notes", ["owner_key", "updated_at", "key"])
    op.create_index("ix_notes_file", "notes", ["owner_key", "file_name"])
    op.create_index("ix_notes_board", "notes", ["owner_key", "board_key"])
    op.create_index("ix_notes_repo", "notes", ["owner_key", "repo_name"])
    _partial("uq_notes_title", "notes", ["board_key", "title"], "title IS NOT NULL", unique=True)
    op.create_table(
        "note_versions",
        _key(),
        _owner(),
        sa.Column("note_key", _ID, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.BigInteger(), nullable=False, comment="when the next body took its place"),
        sa.Column("content", sa.Text(), nullable=False),
        *_keys_of("note_versions"),
        sa.ForeignKeyConstraint(["note_key"], ["notes.key"], name="fk_note_versions_note_key", ondelete="CASCADE"),
        sa.UniqueConstraint("note_key", "version", name="uq_note_versions_note_key"),
    )


def _create_collections() -> None:
    op.create_table(
        "collections",
        _key(),
        _owner(),
        sa.Column("id", sa.String(length=24), nullable=False, comment="what callers see; random, so that it tells nothing"),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("is_favorite", sa.Boolean(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False, comment="the user's order, lowest first"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True, comment="null: listed"),
        *_keys_of("collections"),
        sa.UniqueConstraint("owner_key", "id", name="uq_collections_owner_key"),
        sa.UniqueConstraint("owner_key", "name", name="uq_collections_owner_key_name"),
    )
    op.create_table(
        "collection_items",
        _key(),
        _owner(),
        sa.Column("collection_key", _ID, nullable=False),
        sa.Column("file_name", sa.String(length=255), nullable=False, comment="of a saved file; one that is deleted isn't shown"),
        sa.Column("folder", sa.String(length=255), nullable=False, comment="empty: at the top"),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        *_keys_of("collection_items"),
        sa.ForeignKeyConstraint(["collection_key"], ["collections.key"], name="fk_collection_items_collection_key", ondelete="CASCADE"),
        sa.UniqueConstraint("collection_key", "file_name", name="uq_collection_items_collection_key"),
    )
    op.create_index("ix_collection_items_file", "collection_items", ["owner_key", "file_name"])


def downgrade() -> None:
    for table in (
        "collection_items", "collections", "note_versions", "notes", "boards", "file_words", "file_versions", "saved_files", "owners",
    ):  # fmt: skip
        op.drop_table(table)
