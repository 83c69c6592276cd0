"""Every test here runs on both databases: a SQLite file and a PostgreSQL database of its own, made by the migrations."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine

from shared.database.engine import open_engine
from shared.database.migrate import migrate
from tests.postgres import PostgresServer
from tests.service import Service, running_service
from tests.store.tools import Tools

KINDS = ("sqlite", "postgresql")


@contextmanager
def engine_of(address: str) -> Iterator[Engine]:
    made = open_engine(address)
    try:
        yield made
    finally:
        made.dispose()


def sqlite_address(folder: Path) -> str:
    return f"sqlite:///{folder / 'codekeeper.sqlite3'}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file that nobody has open."""
    folder = tmp_path_factory.mktemp("template")
    with engine_of(sqlite_address(folder)) as engine:
        migrate(engine, folder)
    return folder / "codekeeper.sqlite3"


@pytest.fixture(scope="session")
def postgres_template(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A migrated database that nobody is connected to."""
    name = postgres.create()
    with engine_of(postgres.address(name)) as engine:
        migrate(engine, tmp_path_factory.mktemp("locks"))
    return name


@pytest.fixture(params=KINDS)
def empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without a table."""
    if request.param == "sqlite":
        yield sqlite_address(tmp_path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create()
    yield server.address(name)
    server.drop(name)


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a migrated database without a row."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path)
        yield sqlite_address(tmp_path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create(request.getfixturevalue("postgres_template"))
    yield server.address(name)
    server.drop(name)


@pytest.fixture
def engine(address: str) -> Iterator[Engine]:
    with engine_of(address) as made:
        yield made


@pytest.fixture
def another_engine(address: str) -> Iterator[Callable[[], Engine]]:
    """More engines on the same database, as other processes have them."""
    made: list[Engine] = []

    def make() -> Engine:
        made.append(open_engine(address))
        return made[-1]

    yield make
    for engine in made:
        engine.dispose()


@pytest.fixture
def service(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """An empty service on that database."""
    with running_service(tmp_path / "data", monkeypatch, DATABASE_URL=address) as running:
        yield running


@pytest.fixture
def tools(service: Service) -> Tools:
    """The tools of that service that the store's tests call."""
    assert service.data_dir.exists()
    return Tools()
