"""Create the registry, the line index and the tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "repositories",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("pinned_branch", sa.Text(), nullable=True, comment="`repo add --branch`; null follows the remote's HEAD"),
        sa.Column("default_branch", sa.Text(), nullable=True, comment="what a call without `ref` reads; null until the first sync"),
        sa.Column("total_files", sa.Integer(), nullable=True, comment="files of the commit that was synced last"),
        sa.Column(
            "last_synced_sha",
            sa.String(length=64),
            nullable=True,
            comment="commit of the default branch at the last sync; line counts are of it",
        ),
        sa.Column("last_sync_time", sa.BigInteger(), nullable=True),
        sa.Column("sync_status", sa.String(length=16), nullable=False, comment="never, ok or failed: how the last sync ended"),
        sa.Column("sync_error", sa.Text(), nullable=True, comment="why it failed, without credentials"),
        sa.Column(
            "last_sync_id",
            sa.String(length=64),
            nullable=True,
            comment="the id of the sync that ended last, so that who asked for one can tell",
        ),
        sa.Column("sync_owner", sa.String(length=64), nullable=True, comment="the lock: the id of the sync that runs right now"),
        sa.Column("sync_expires_at", sa.BigInteger(), nullable=True, comment="when the lock falls by itself"),
        sa.Column("sync_stage", sa.String(length=64), nullable=True, comment="what git is doing, for the progress bar"),
        sa.Column("sync_percent", sa.Integer(), nullable=True, comment="how much of that stage is done, 0 to 100"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_repositories")),
        sa.UniqueConstraint("name", name=op.f("uq_repositories_name")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user", sa.String(length=255), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False, comment="SHA-256 of the token, in hexadecimal"),
        sa.Column(
            "display_prefix", sa.String(length=16), nullable=False, comment="first characters after the prefix, to tell tokens apart"
        ),
        sa.Column("scopes", sa.String(length=64), nullable=False, comment="space-separated"),
        sa.Column("label", sa.String(length=255), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True, comment="null: never"),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True, comment="null: not revoked"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_tokens_token_hash")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_user"), ["user"], unique=False)

    op.create_table(
        "repository_files",
        sa.Column("repository_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column(
            "blob_id", sa.String(length=64), nullable=False, comment="what was counted, so that the next sync counts only what changed"
        ),
        sa.Column(
            "lines", sa.Integer(), nullable=True, comment="parts of split on newline, less an empty last one; null: binary or over 10 MB"
        ),
        sa.ForeignKeyConstraint(["repository_id"], ["repositories.id"], name=op.f("fk_repository_files_repository_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("repository_id", "path", name=op.f("pk_repository_files")),
    )


def downgrade() -> None:
    op.drop_table("repository_files")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tokens_user"))

    op.drop_table("tokens")
    op.drop_table("repositories")
