"""Twenty clients write one file through the whole hosted form while its processes are killed: what was acknowledged is there, in order."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from shared.database.engine import open_engine
from tests.end_to_end.services import codekeeper
from tests.faults.clients import Clients, clients_of
from tests.faults.parts import Deployment, Template
from tests.postgres import PostgresServer
from tests.store.test_many_writers import FILE, FIRST, lines_added

pytestmark = [pytest.mark.anyio, pytest.mark.deep]

WRITERS, SAVES = 20, 10
KILL_EVERY = 25
"""Acknowledged saves after which a process of the pool is killed."""


@pytest.fixture(params=["sqlite", "postgresql"])
def own(request: pytest.FixtureRequest, template: Template, tmp_path: Path) -> Iterator[Deployment]:
    """A deployment with a database of its own."""
    data = template.copy(tmp_path / "data")
    server = PostgresServer() if request.param == "postgresql" else None
    address = server.address(server.create()) if server else f"sqlite:///{data / 'codekeeper.sqlite3'}"
    deployment = Deployment(tmp_path / "parts", data, template.token, database_url=address)
    try:
        yield deployment.start(deployment.gateways[0], deployment.reader)
    finally:
        deployment.end()
        if server is not None:
            server.stop()


@pytest.fixture
def engine(own: Deployment) -> Iterator[Engine]:
    made = open_engine(own.environment["CODEKEEPER_DATABASE_URL"])
    yield made
    made.dispose()


class Writers:
    """What the clients were told."""

    def __init__(self, clients: Clients, own: Deployment) -> None:
        self._clients, self._own = clients, own
        self.saved: dict[int, str] = {}
        self.in_doubt: list[str] = []

    async def write(self, number: int) -> None:
        for save in range(SAVES):
            line = f"w{number}-{save}"
            answer = (await self._clients.call("codekeeper_append_file", file_name=FILE, content=line)).answer
            if answer["ok"]:
                self.saved[answer["file"]["version"]] = line
                if len(self.saved) % KILL_EVERY == 0:
                    self._kill_one()
            else:
                # A caller that were told when to send it again would append it twice.
                assert answer["may_have_applied"] is True, answer
                assert answer["check_with"] == "codekeeper_list_versions"
                assert "retry_after" not in answer
                self.in_doubt.append(line)

    def _kill_one(self) -> None:
        for process_id in self._own.reader.pool()[:1]:
            os.kill(process_id, signal.SIGKILL)


@pytest.mark.rule("PLT-11", "PLT-142")
@pytest.mark.timeout(300)
async def test_twenty_clients_lose_no_acknowledged_save_to_killed_processes(own: Deployment, engine: Engine) -> None:
    printed = await asyncio.to_thread(codekeeper, own.environment, "token", "issue", "--user", "dana", "--write")
    async with clients_of(own, token=json.loads(printed)["token"]) as clients:
        first = await clients.call("codekeeper_save_file", file_name=FILE, code=FIRST)
        assert first.error is None, first.answer
        writers = Writers(clients, own)
        await asyncio.gather(*(writers.write(number) for number in range(WRITERS)))
    added = lines_added(engine)
    assert writers.saved.items() <= added.items()
    # What is there without having been acknowledged is what its caller was told to look for; and nothing is there twice.
    assert {line for version, line in added.items() if version not in writers.saved} <= set(writers.in_doubt)
    assert len(set(added.values())) == len(added)
    assert len(writers.saved) + len(writers.in_doubt) == WRITERS * SAVES
    assert len(writers.saved) > WRITERS * SAVES // 2
