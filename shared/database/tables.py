"""The tables. Times are whole Unix seconds in UTC: the same on SQLite and PostgreSQL, and comparable in a query."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text, UniqueConstraint

METADATA: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

# SQLite makes only an INTEGER primary key count up by itself.
Id: Final = BigInteger().with_variant(Integer, "sqlite")

REPOSITORIES: Final = Table(
    "repositories",
    METADATA,
    Column("id", Id, primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("address", Text, nullable=False),
    Column("pinned_branch", Text, comment="`repo add --branch`; null follows the remote's HEAD"),
    Column("default_branch", Text, comment="what a call without `ref` reads; null until the first sync"),
    Column("total_files", Integer, comment="files of the commit that was synced last"),
    Column("last_synced_sha", String(64), comment="commit of the default branch at the last sync; line counts are of it"),
    Column("last_sync_time", BigInteger),
    Column("sync_status", String(16), nullable=False, default="never", comment="never, ok or failed: how the last sync ended"),
    Column("sync_error", Text, comment="why it failed, without credentials"),
    Column("last_sync_id", String(64), comment="the id of the sync that ended last, so that who asked for one can tell"),
    Column("sync_owner", String(64), comment="the lock: the id of the sync that runs right now"),
    Column("sync_expires_at", BigInteger, comment="when the lock falls by itself"),
    Column("sync_stage", String(64), comment="what git is doing, for the progress bar"),
    Column("sync_percent", Integer, comment="how much of that stage is done, 0 to 100"),
    Column("created_at", BigInteger, nullable=False),
    Column("docs_root", Text, comment="folder of its documentation, with a slash at the end, or empty; null: not served as documentation"),
    Column("docs_suffix", String(8), comment="format of its documentation: .md or .rst"),
)

REPOSITORY_FILES: Final = Table(
    "repository_files",
    METADATA,
    Column("repository_id", Id, ForeignKey("repositories.id", ondelete="CASCADE"), primary_key=True),
    Column("path", Text, primary_key=True),
    Column("blob_id", String(64), nullable=False, comment="what was counted, so that the next sync counts only what changed"),
    Column("lines", Integer, comment="parts of split on newline, less an empty last one; null: binary or over 10 MB"),
)

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("id", Id, primary_key=True),
    Column("user", String(255), nullable=False),
    Column("token_hash", String(64), nullable=False, comment="SHA-256 of the token, in hexadecimal"),
    Column("display_prefix", String(16), nullable=False, comment="first characters after the prefix, to tell tokens apart"),
    Column("scopes", String(64), nullable=False, comment="space-separated"),
    Column("label", String(255), nullable=False, default=""),
    Column("created_at", BigInteger, nullable=False),
    Column("last_used_at", BigInteger),
    Column("expires_at", BigInteger, comment="null: never"),
    Column("revoked_at", BigInteger, comment="null: not revoked"),
    UniqueConstraint("token_hash"),
    Index(None, "user"),
)
