"""Bringing the database to this version's schema. Processes of one data folder take turns under a file lock."""

from pathlib import Path
from typing import Final

from filelock import FileLock
from sqlalchemy import Engine, inspect, text

from shared.database.engine import create_file, reading

HEAD: Final = "0003"
"""The newest revision in `migrations/versions`; a test holds it so. Known here, an up-to-date start needn't import Alembic (1 s)."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def revision(engine: Engine) -> str | None:
    """The schema's revision as the database records it; None for an empty database."""
    with reading(engine) as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return found


def migrate(engine: Engine, data_dir: Path) -> None:
    """Upgrade the database to `HEAD`, or do nothing when it is there.

    Raises:
        sqlalchemy.exc.OperationalError: the database can't be opened or is locked.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    # The first look is under the lock too: it creates the file, and two processes that switch a new one to WAL get in each other's way.
    with FileLock(data_dir / "migrate.lock"):
        create_file(engine)
        if revision(engine) == HEAD:
            return
        from alembic import command  # noqa: PLC0415 - see HEAD
        from alembic.config import Config  # noqa: PLC0415

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["engine"] = engine
        command.upgrade(config, HEAD)
