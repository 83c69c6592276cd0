"""For every test: git asks nothing of this machine, hypothesis draws the same examples, a unit test opens no internet socket."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.examples import register_profiles

TESTS = Path(__file__).parent

os.environ.update(
    GIT_CONFIG_GLOBAL="/dev/null",
    GIT_CONFIG_NOSYSTEM="1",
    GIT_TERMINAL_PROMPT="0",
    GIT_AUTHOR_NAME="tester",
    GIT_AUTHOR_EMAIL="tester@example.invalid",
    GIT_AUTHOR_DATE="2024-01-02T03:04:05Z",
    GIT_COMMITTER_NAME="tester",
    GIT_COMMITTER_EMAIL="tester@example.invalid",
    GIT_COMMITTER_DATE="2024-01-02T03:04:05Z",
)
# A test runs in the environment it states, not in that of whoever runs the service here.
for _name in [name for name in os.environ if name.startswith("CODEKEEPER_") or name in {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}]:
    del os.environ[_name]
# A run starts some hundred processes; without compiled modules on disk each would first compile everything that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

register_profiles()


SHARE_PROCESSES = ("end_to_end", "hosted", "faults", "load")
"""Folders whose tests share started services, and so stay together when the run is spread over cores."""


HAVE_THEIR_OWN = ("tests/faults/test_batch_jobs.py",)
"""Files of those folders that start services for themselves."""


class ByWhatTheyShare(LoadScopeScheduling):  # type: ignore[misc]
    """Keeps on one core what shares processes, else a file."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        folder = file.split("/")[1]
        return folder if folder in SHARE_PROCESSES and file not in HAVE_THEIR_OWN else file

    def _assign_work_unit(self, node: Any) -> None:
        """First what starts services: by its number of tests it would come last, and it takes longest."""
        for scope in (*HAVE_THEIR_OWN, *reversed(SHARE_PROCESSES)):
            if scope in self.workqueue:
                self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByWhatTheyShare:
    """How `-n` spreads tests. xdist's own groups are marks that it writes into a test's id, which pytest 9.2 no longer lets it do."""
    return ByWhatTheyShare(config, log)


@pytest.fixture(autouse=True)
def _no_internet_socket(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unit and architecture tests need no network; AF_UNIX stays, asyncio's own socket pair is one."""
    if not request.node.path.is_relative_to(TESTS / "unit") and not request.node.path.is_relative_to(TESTS / "architecture"):
        return
    original = socket.socket.__init__

    def guarded(self: socket.socket, family: int = -1, kind: int = -1, proto: int = -1, fileno: int | None = None) -> None:
        if fileno is None and family in {-1, socket.AF_INET, socket.AF_INET6}:
            raise PermissionError("a unit test opened an internet socket")
        original(self, family, kind, proto, fileno)

    monkeypatch.setattr(socket.socket, "__init__", guarded)
