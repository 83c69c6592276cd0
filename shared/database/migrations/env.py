"""Alembic's entry: runs the revisions on the engine that `shared.database.migrate` hands over."""

from alembic import context

from shared.database.engine import writing
from shared.database.schema import METADATA, is_compared, take_turns

with writing(context.config.attributes["engine"]) as connection:
    take_turns(connection)
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=True,
        include_object=lambda _object, name, kind, *_: is_compared(connection.dialect.name, kind, name),
    )
    context.run_migrations()
