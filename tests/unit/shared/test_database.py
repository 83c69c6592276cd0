"""What SQLite asks of its users: turns, timeouts, and a file that is made once. What both databases do: tests/store."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, insert, select, text, update
from sqlalchemy.exc import OperationalError

from shared.database import engine as engine_module
from shared.database import repositories
from shared.database.engine import create_file, open_engine, reading, writing
from shared.database.migrate import HEAD, MIGRATIONS, migrate, revision
from shared.database.tables import REPOSITORIES


def address_of(folder: Path) -> str:
    return f"sqlite:///{folder / 'codekeeper.sqlite3'}"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = open_engine(address_of(tmp_path))
    migrate(made, tmp_path)
    yield made
    made.dispose()


def test_the_revision_that_the_service_knows_is_the_newest_one(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]
    assert revision(engine) == HEAD


def test_a_database_that_is_up_to_date_is_left_alone(engine: Engine, tmp_path: Path) -> None:
    repositories.add(engine, "case", "https://h/case", None)
    migrate(engine, tmp_path)
    assert repositories.find(engine, "case") is not None


def test_an_empty_database_has_no_revision(tmp_path: Path) -> None:
    empty = open_engine(address_of(tmp_path))
    create_file(empty)
    assert revision(empty) is None
    empty.dispose()


def test_threads_that_open_a_new_database_at_once_all_succeed(tmp_path: Path) -> None:
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        together = threading.Barrier(4)

        def first_use(folder: Path = folder, together: threading.Barrier = together) -> str | None:
            made = open_engine(address_of(folder))
            together.wait(10)
            migrate(made, folder)
            found = revision(made)
            made.dispose()
            return found

        with ThreadPoolExecutor(4) as pool:
            assert [done.result(60) for done in [pool.submit(first_use) for _ in range(4)]] == [HEAD] * 4


def test_a_writer_that_reads_first_does_not_fail_when_another_writes(engine: Engine, tmp_path: Path) -> None:
    repositories.add(engine, "case", "https://h/case", None)

    def count_up() -> None:
        own = open_engine(address_of(tmp_path))
        for _ in range(20):
            with writing(own) as connection:
                seen = connection.execute(select(REPOSITORIES.c.total_files)).scalar() or 0
                connection.execute(update(REPOSITORIES).values(total_files=seen + 1))
        own.dispose()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(count_up) for _ in range(4)]:
            done.result(60)
    found = repositories.find(engine, "case")
    assert found is not None
    assert found.total_files == 80


def test_a_database_that_stays_locked_is_an_operational_error(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "BUSY_TIMEOUT_MS", 50)
    impatient = open_engine(address_of(tmp_path))
    with writing(engine), pytest.raises(OperationalError, match="locked"):
        repositories.add(impatient, "case", "https://h/case", None)
    assert repositories.add(impatient, "case", "https://h/case", None)
    impatient.dispose()


def test_a_connection_has_its_journal_timeout_and_foreign_keys(engine: Engine) -> None:
    with reading(engine) as connection:
        pragmas = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "busy_timeout", "foreign_keys")}
    assert pragmas == {"journal_mode": "wal", "busy_timeout": 5_000, "foreign_keys": 1}


def test_a_failed_write_leaves_nothing_behind(engine: Engine) -> None:
    def write_and_fail() -> None:
        with writing(engine) as connection:
            connection.execute(insert(REPOSITORIES).values(name="case", address="x", created_at=1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert repositories.find(engine, "case") is None
