"""A PostgreSQL server of the tests' own, as a real process: in a folder of its own, behind a socket there and on no port."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError

from tests.hosted.processes import wait_until

# A crash of the machine may take what a test wrote: its server goes with it.
_FAST: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=", "shared_buffers=32MB")


@cache
def _program(name: str) -> str:
    """The newest installed one: Debian keeps the servers of each version in a folder that isn't on the PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    found = str(installed[-1]) if installed else shutil.which(name)
    assert found, f"{name} isn't there; infra/test installs PostgreSQL"
    return found


def _another_user() -> dict[str, Any]:
    """PostgreSQL won't be started by root: who is root starts it as `postgres`, or as `nobody` where there is none of that name."""
    if os.geteuid() != 0:
        return {}
    users = {user.pw_name: user for user in pwd.getpwall()}
    user = users.get("postgres") or users["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class PostgresServer:
    """A server, running from its making to `stop`."""

    def __init__(self) -> None:
        self._user = _another_user()
        # Not below pytest's folder, which nobody else may enter; and a socket's path must be short.
        self._folder = Path(tempfile.mkdtemp(prefix="ck-pg-"))
        if self._user:
            os.chown(self._folder, self._user["user"], self._user["group"])
        data = str(self._folder / "data")
        how = ["--auth=trust", "--username=codekeeper", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        self._run([_program("initdb"), "-D", data, *how])
        options = [part for setting in (*_FAST, f"unix_socket_directories={self._folder}") for part in ("-c", setting)]
        with (self._folder / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [_program("postgres"), "-D", data, *options], cwd="/", stdout=log, stderr=subprocess.STDOUT, **self._user
            )
        self._admin = create_engine(self.address("postgres"), isolation_level="AUTOCOMMIT")
        self._made = 0
        wait_until(self._answers)

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False, timeout=60, **self._user)
        assert done.returncode == 0, done.stderr

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self._folder / "server.log").read_text()
        try:
            with self._admin.connect():
                return True
        except OperationalError:
            return False

    def address(self, database: str) -> str:
        """SQLAlchemy address of that database."""
        made = URL.create("postgresql+psycopg", username="codekeeper", database=database, query={"host": str(self._folder)})
        return made.render_as_string(hide_password=False)

    def create(self, template: str | None = None) -> str:
        """The name of a new database: empty, or a copy of `template`, which nobody may be connected to meanwhile."""
        self._made += 1
        name = f"db{self._made}"
        with self._admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template or 'template0'}"))
        return name

    def drop(self, name: str) -> None:
        """Whoever is connected to it is not any more."""
        with self._admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))

    def stop(self) -> None:
        """End it and remove its folder."""
        self._admin.dispose()
        self._process.send_signal(signal.SIGINT)  # SIGTERM would wait for its clients
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder)
