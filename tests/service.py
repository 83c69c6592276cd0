"""One service's data folder for a test: settings, database and mirrors of its own, and syncs run here as the tasks they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from sqlalchemy import Engine, select, update

from shared.code_sessions.memory import memory_sessions
from shared.database import repositories
from shared.database.engine import open_engine, reading, writing
from shared.database.migrate import migrate
from shared.database.repositories import Repository
from shared.database.tables import REPOSITORIES, REPOSITORY_FILES
from shared.settings import settings
from tests.git_repositories import git_line
from workers import resources
from workers.redis_client import redis_client
from workers.tasks.sync import remove_mirror, sync_repository

_DATABASE: Final = "codekeeper.sqlite3"


@cache
def _migrated_database() -> bytes:
    """The file of a database that was just migrated and holds nothing: made once, since hundreds of services begin with it."""
    with TemporaryDirectory() as folder:
        engine = open_engine(f"sqlite:///{folder}/{_DATABASE}")
        migrate(engine, Path(folder))
        engine.dispose()
        return (Path(folder) / _DATABASE).read_bytes()


class Service:
    """The data folder `data_dir` and what a test does with it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.mirrors = data_dir / "mirrors"
        if not (data_dir / _DATABASE).exists():
            data_dir.mkdir(parents=True, exist_ok=True)
            (data_dir / _DATABASE).write_bytes(_migrated_database())
        migrate(self.engine, data_dir)

    @property
    def engine(self) -> Engine:
        return resources.engine()

    def add(self, name: str, address: Path | str, branch: str | None = None) -> None:
        assert repositories.add(self.engine, name, str(address), branch)

    def record(self, name: str = "repo") -> Repository:
        found = repositories.find(self.engine, name)
        assert found is not None
        return found

    def sync(self, name: str = "repo", sync_id: str = "sync", *, force: bool = True) -> Repository:
        """Run the task, and return the record after it."""
        sync_repository(name, sync_id, force)
        return self.record(name)

    def remove(self, name: str = "repo", sync_id: str = "removal") -> None:
        remove_mirror(name, sync_id)

    def mirror(self, name: str = "repo") -> Path:
        return self.mirrors / f"{name}.git"

    def write(self, name: str = "repo", **values: Any) -> None:
        """Change columns of the record behind everybody's back."""
        with writing(self.engine) as connection:
            connection.execute(update(REPOSITORIES).where(REPOSITORIES.c.name == name).values(**values))

    def index(self) -> dict[str, int | None]:
        """Path to lines of everything indexed."""
        with reading(self.engine) as connection:
            rows = connection.execute(select(REPOSITORY_FILES.c.path, REPOSITORY_FILES.c.lines)).all()
        return {row.path: row.lines for row in rows}

    def folders(self) -> list[str]:
        """What is in the folder of mirrors, by name."""
        return sorted(path.name for path in self.mirrors.iterdir())


@contextmanager
def running_service(data_dir: Path, monkeypatch: pytest.MonkeyPatch, **variables: str) -> Iterator[Service]:
    """A service whose settings are `variables` (without the prefix) and nothing else."""
    monkeypatch.setenv("CODEKEEPER_DATA_DIR", str(data_dir))
    for name, value in variables.items():
        monkeypatch.setenv(f"CODEKEEPER_{name}", value)
    made_of_settings = (settings, resources.engine, redis_client, memory_sessions)
    for kept in made_of_settings:
        kept.cache_clear()
    try:
        yield Service(data_dir)
    finally:
        resources.engine().dispose()
        for kept in made_of_settings:
            kept.cache_clear()


def refs(repository: Path) -> list[str]:
    """Every ref with its object, and what HEAD is: equal for a remote and a mirror that is up to date."""
    head = (repository / "HEAD").read_text(encoding="ascii").strip()
    return [head, *git_line(repository, "for-each-ref", "--format=%(objectname) %(refname)").splitlines()]
