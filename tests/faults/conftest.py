"""One deployment for the whole session; a test that breaks a part may leave it broken, and the next one finds it mended."""

from collections.abc import Iterator

import pytest

from tests.faults.parts import Deployment, Template, shared_template
from tests.hosted.processes import wait_until


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    return shared_template(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def deployment_of_session(tmp_path_factory: pytest.TempPathFactory, template: Template) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("faults")
    made = Deployment(folder, template.copy(folder / "data"), template.token)
    yield made
    made.end()


@pytest.fixture
def deployment(deployment_of_session: Deployment) -> Iterator[Deployment]:
    """The deployment, whole: two gateways, a reader and a syncer."""
    whole = deployment_of_session
    whole.git.work()
    whole.hold_again()
    whole.start(*whole.gateways, whole.reader, whole.syncer)
    yield whole
    whole.redis.start()
    whole.redis.thaw()
    whole.let_go()
    wait_until(lambda: whole.reader.process is None or len(whole.reader.pool()) == 2)
