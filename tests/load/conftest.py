"""What the loads run on, and the lines that say how much they ran."""

import pytest

from tests.faults.parts import Template, shared_template
from tests.load import report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much ran, whether or not it passed."""
    if report.LINES:
        terminalreporter.section("load")
        for line in report.LINES:
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    return shared_template(tmp_path_factory.getbasetemp())
