"""One Redis and one worker for the whole session; a test that breaks either may leave it broken, and the next one finds it mended."""

import time
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from gateway.dispatch.celery_sender import CelerySender
from gateway.dispatch.dispatcher import Dispatcher
from shared.settings import Settings
from shared.tasks import TaskKind
from shared.wire.call import Call, Caller
from tests.hosted.processes import RedisServer, Worker

MANY = 400
"""Calls in flight that the tests' gateway admits."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def redis_of_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.stop()


@pytest.fixture
def redis_server(redis_of_session: RedisServer) -> Iterator[RedisServer]:
    """Redis, running."""
    redis_of_session.start()
    yield redis_of_session
    redis_of_session.start()
    redis_of_session.thaw()


@pytest.fixture(scope="session")
def worker_of_session(redis_of_session: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    worker = Worker(redis_of_session.url, tmp_path_factory.mktemp("worker"))
    yield worker
    worker.kill()


@pytest.fixture
def worker(redis_server: RedisServer, worker_of_session: Worker) -> Worker:
    """A worker, running."""
    assert redis_server.client.ping()
    worker_of_session.start()
    return worker_of_session


@pytest.fixture
def no_worker(worker_of_session: Worker) -> Worker:
    """The worker, not running."""
    worker_of_session.kill()
    return worker_of_session


@pytest.fixture
async def sender(redis_server: RedisServer) -> AsyncIterator[CelerySender]:
    made = CelerySender(Settings(redis_url=redis_server.url))
    await made.open()
    yield made
    await made.close()


@pytest.fixture
async def dispatcher(sender: CelerySender) -> Dispatcher:
    return Dispatcher(sender, max_in_flight=MANY)


def a_call(kind: TaskKind, *, within_s: float | None = None, **arguments: Any) -> Call:
    """A call whose deadline is the kind's own, or `within_s` seconds from now."""
    return Call(
        id=uuid.uuid4().hex,
        caller=Caller(user="local", scopes=frozenset({"read"}), admin=True),
        entered=time.time(),
        deadline=time.time() + (within_s or kind.deadline_s or 0),
        arguments=arguments,
    )
