"""Say where a repository's documentation lives."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("repositories") as table:
        table.add_column(
            sa.Column(
                "docs_root",
                sa.Text(),
                nullable=True,
                comment="folder of its documentation, with a slash at the end, or empty; null: not served as documentation",
            )
        )
        table.add_column(sa.Column("docs_suffix", sa.String(length=8), nullable=True, comment="format of its documentation: .md or .rst"))


def downgrade() -> None:
    with op.batch_alter_table("repositories") as table:
        table.drop_column("docs_suffix")
        table.drop_column("docs_root")
