"""The database locked for long, or gone: reads with a ref go on, the rest is refused, and all recovers when it is back."""

import asyncio
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.end_to_end.services import codekeeper
from tests.faults.clients import FILE, LIST, Clients, clients_of, request_of
from tests.faults.parts import Deployment, Template, path_of
from tests.hosted.processes import POLL_S

pytestmark = pytest.mark.anyio

RECOVERED_WITHIN_S = 8
"""Seconds after which a database that is back must be used: more than the 3 s for which a token is believed and the 5 s busy timeout."""


@pytest.fixture(scope="module")
def own(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment whose database is in a folder of its own, so that it can be taken away without the mirrors."""
    folder = tmp_path_factory.mktemp("database")
    data = template.copy(folder / "data")
    (folder / "db").mkdir()
    database = shutil.move(data / "codekeeper.sqlite3", folder / "db" / "codekeeper.sqlite3")
    deployment = Deployment(folder / "parts", data, template.token, database_url=f"sqlite:///{database}")
    try:
        yield deployment.start(deployment.gateways[0], deployment.reader)
    finally:
        deployment.end()


def file_of(own: Deployment) -> Path:
    return Path(own.environment["CODEKEEPER_DATABASE_URL"].removeprefix("sqlite:///"))


async def issue(own: Deployment, code: int = 0) -> str:
    """A token whose command ended with 0: an acknowledged write."""
    printed = await asyncio.to_thread(codekeeper, own.environment, "token", "issue", "--user", "admin", code=code)
    token: str = json.loads(printed)["token"] if printed else ""
    return token


async def has_status(clients: Clients, token: str, status: int) -> bool:
    response = await clients.http.post(clients.url, **request_of(token, LIST, {}, "2025-06-18"))
    return bool(response.status_code == status)


async def becomes(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    """Wait for what a request shows, within `RECOVERED_WITHIN_S`."""
    end = time.monotonic() + RECOVERED_WITHIN_S
    while not await condition():
        assert time.monotonic() < end, what
        await asyncio.sleep(POLL_S)


async def all_is_well(own: Deployment, *tokens: str) -> None:
    """Every part uses the database that is there, and what was written is in it."""
    async with clients_of(own) as clients:

        async def listed() -> bool:
            return (await clients.call(LIST)).error is None

        for token in (own.token, *tokens):
            await becomes(partial(has_status, clients, token, 200), "a token that was issued is known")
        await becomes(listed, "the registry is read")
        assert [record["repo_name"] for record in (await clients.call(LIST)).answer["repos"]] == ["numbered"]
        await clients.serves(*range(10))


@pytest.mark.deep  # in short for both forms: tests/end_to_end/test_faults.py
async def test_locked_for_long(own: Deployment) -> None:
    await all_is_well(own)  # the workers are up: what is measured below is no start
    holder = sqlite3.connect(file_of(own), isolation_level=None)
    async with clients_of(own) as clients:
        holder.execute("BEGIN IMMEDIATE")
        try:
            refused = asyncio.create_task(issue(own, code=3))
            while not refused.done():
                ended = await asyncio.gather(*(clients.read(number) for number in range(8)), clients.call(LIST))
                assert {one.error for one in ended} == {None}
                assert max(one.seconds for one in ended) < 4  # the busy timeout is 5 s; nobody waits for it
            await refused
        finally:
            holder.execute("ROLLBACK")
            holder.close()
    await all_is_well(own, await issue(own))


def _take_away(file: Path) -> Callable[[], None]:
    """The folder is gone, as when a disk isn't mounted."""
    away = file.parent.rename(file.parent.with_name("away"))
    return lambda: (shutil.rmtree(file.parent, ignore_errors=True), away.rename(file.parent), None)[-1]


def _remove(file: Path) -> Callable[[], None]:
    """The files are removed, and restored from a copy: other files of the same name."""
    copies = file.parent.with_name("copies")
    shutil.copytree(file.parent, copies)
    for left in file.parent.iterdir():
        left.unlink()

    def restore() -> None:
        for left in file.parent.iterdir():
            left.unlink()
        shutil.copytree(copies, file.parent, dirs_exist_ok=True)
        shutil.rmtree(copies)

    return restore


def _garbage(file: Path) -> Callable[[], None]:
    """Another file is put in its place, which is no database."""
    restore = _remove(file)
    file.write_bytes(os.urandom(20_000))
    return restore


@pytest.mark.rule("PLT-38")
@pytest.mark.parametrize(
    "damage", [_garbage, pytest.param(_remove, marks=pytest.mark.deep), pytest.param(_take_away, marks=pytest.mark.deep)]
)
async def test_gone_and_back(own: Deployment, damage: Callable[[Path], Callable[[], None]]) -> None:
    async with clients_of(own) as clients:
        await clients.serves(1)
        restore = damage(file_of(own))
        try:
            # The token is believed for 3 s more; until then reads with a ref are served, and the registry's answer is a refusal.
            served = await clients.read(2)
            assert served.error is None
            listed = await clients.call(LIST)
            assert listed.answer["error"] == "db_error"
            unref = await clients.call(FILE, repo="numbered", path=path_of(3))
            assert unref.answer.get("error") in {None, "db_error"}, unref.answer
            # Then nobody can be told from anybody else.
            await becomes(partial(has_status, clients, own.token, 401), "a token that can't be verified is refused")
            health = await clients.http.get(clients.url.replace("/mcp", "/healthz"))
            assert health.status_code == 200
        finally:
            restore()
    await all_is_well(own, await issue(own))
