"""Alembic's entry: runs the revisions on the engine that `shared.database.migrate` hands over."""

from alembic import context

from shared.database.engine import writing
from shared.database.tables import METADATA

with writing(context.config.attributes["engine"]) as connection:
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    context.run_migrations()
