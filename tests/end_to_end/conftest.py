"""Both forms of the service, started once: the same tests run on each, and one test compares their answers byte for byte."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from shared.database import repositories
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from tests.end_to_end.repositories import DOCUMENTATION, SOURCES, build_source
from tests.end_to_end.services import USERS, Service, codekeeper, environment_of, gateway, redis_server, worker


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with every repository of the tests registered and synced by the command line."""
    folder = tmp_path_factory.mktemp("service")
    data = folder / "data"
    engine = open_engine(f"sqlite:///{data / 'codekeeper.sqlite3'}")
    migrate(engine, data)
    for name in SOURCES:
        assert repositories.add(engine, name, str(build_source(name, folder)), None)
    engine.dispose()
    synced = codekeeper(environment_of(data), "repo", "sync").splitlines()
    assert {json.loads(line)["sync_status"] for line in synced} == {"ok"}, synced
    for name, (root, suffix) in DOCUMENTATION.items():
        record = json.loads(codekeeper(environment_of(data), "repo", "docs", name, "--root", root, "--suffix", suffix))
        assert record["docs"] == {"root": root, "suffix": suffix}
    return data


@pytest.fixture(scope="session")
def tokens(data_dir: Path) -> dict[str, str]:
    """A token of each user."""
    environment = environment_of(data_dir)
    issued = {}
    for user, scopes in USERS.items():
        write = ["--write"] if "write" in scopes else []
        issued[user] = json.loads(codekeeper(environment, "token", "issue", "--user", user, *write))["token"]
    return issued


@pytest.fixture(scope="session")
def embedded(data_dir: Path, tokens: dict[str, str]) -> Iterator[Service]:
    """`codekeeper serve` alone."""
    environment = environment_of(data_dir)
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        url = stack.enter_context(gateway(environment, data_dir.parent / "embedded.log"))
        yield stack.enter_context(Service("embedded", url, tokens, portal, environment))


@pytest.fixture(scope="session")
def hosted(data_dir: Path, tokens: dict[str, str]) -> Iterator[Service]:
    """`codekeeper serve` with Redis and a prefork worker."""
    logs = data_dir.parent
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        environment = environment_of(data_dir, redis_url=stack.enter_context(redis_server(logs / "redis")))
        for queue in ("read", "sync"):
            stack.enter_context(worker(environment, queue, logs / f"{queue}.log"))
        url = stack.enter_context(gateway(environment, logs / "hosted.log"))
        yield stack.enter_context(Service("hosted", url, tokens, portal, environment))


@pytest.fixture(scope="session", params=["embedded", "hosted"])
def service(request: pytest.FixtureRequest) -> Service:
    """Each form in turn."""
    form: Service = request.getfixturevalue(request.param)
    return form
