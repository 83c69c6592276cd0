"""The schema on both databases: what the migrations make is what the models say, from nothing and from the revision before."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect, select, text, update
from sqlalchemy.exc import OperationalError

from shared.database import engine as engine_module
from shared.database import repositories
from shared.database.engine import create_file, reading, writing
from shared.database.migrate import HEAD, MIGRATIONS, migrate, revision
from shared.database.schema import METADATA, is_compared
from shared.database.tables import REPOSITORIES
from tests.store.conftest import engine_of

PREVIOUS = "0002"


def differences(engine: Engine) -> object:
    """What Alembic would write into a new revision."""
    with reading(engine) as connection:
        options = {
            "compare_type": True,
            "compare_server_default": True,
            "include_object": lambda _object, name, kind, *_: is_compared(connection.dialect.name, kind, name),
        }
        return compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)


def alembic_of(engine: Engine) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["engine"] = engine
    return config


def test_the_migrations_from_nothing_make_exactly_the_models(engine: Engine) -> None:
    assert revision(engine) == HEAD
    assert differences(engine) == []


def test_a_database_of_the_revision_before_becomes_the_same_and_keeps_its_rows(empty_address: str, tmp_path: Path) -> None:
    with engine_of(empty_address) as engine:
        create_file(engine)
        command.upgrade(alembic_of(engine), PREVIOUS)
        assert repositories.add(engine, "case", "https://h/case", None)
        migrate(engine, tmp_path)
        assert revision(engine) == HEAD
        assert differences(engine) == []
        assert repositories.find(engine, "case") is not None
        command.downgrade(alembic_of(engine), PREVIOUS)
        with reading(engine) as connection:
            assert set(inspect(connection).get_table_names()) == {"alembic_version", "repositories", "repository_files", "tokens"}


def test_the_text_index_that_the_models_only_name_is_there(engine: Engine) -> None:
    """On SQLite no comparison sees it."""
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM file_words")).scalar() == 0
        if connection.dialect.name == "sqlite":
            made = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'file_words'")).scalar_one()
            assert "fts5" in made
        else:
            made = connection.execute(text("SELECT indexdef FROM pg_indexes WHERE indexname = 'ix_file_words_words'")).scalar_one()
            assert made.endswith("USING gin (words) WITH (fastupdate=off)")


def test_processes_that_migrate_one_database_at_once_all_succeed(empty_address: str, tmp_path: Path) -> None:
    """Each with a data folder of its own, as hosts have that share a PostgreSQL; a SQLite file is shared with its folder."""
    script = (
        "import sys; from pathlib import Path; from shared.database.engine import open_engine;"
        "from shared.database.migrate import migrate, revision;"
        "folder = Path(sys.argv[1]); engine = open_engine(sys.argv[2]); sys.stdin.read(); migrate(engine, folder); print(revision(engine))"
    )
    folders = [tmp_path if empty_address.startswith("sqlite") else tmp_path / str(number) for number in range(2)]
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(folder), empty_address],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for folder in folders
    ]  # fmt: skip
    for process in started:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    ended = [(*process.communicate(timeout=50), process.returncode) for process in started]
    assert [(out.strip(), code) for out, _, code in ended] == [(HEAD, 0)] * 2, ended


def test_a_reader_sees_one_state_from_its_first_query_to_its_last(engine: Engine) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    with reading(engine) as connection:
        before = connection.execute(select(REPOSITORIES.c.name)).all()
        assert repositories.add(engine, "other", "https://h/other", None)
        assert connection.execute(select(REPOSITORIES.c.name)).all() == before


def test_a_row_that_stays_locked_is_an_operational_error(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, another_engine: Callable[[], Engine]
) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    monkeypatch.setattr(engine_module, "BUSY_TIMEOUT_MS", 50)
    impatient = another_engine()
    with writing(engine) as connection:
        connection.execute(update(REPOSITORIES).values(total_files=1))
        with pytest.raises(OperationalError), writing(impatient) as other:
            other.execute(update(REPOSITORIES).values(total_files=2))
