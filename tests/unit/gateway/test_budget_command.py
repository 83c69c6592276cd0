"""`codekeeper budget`: one JSON document, or a table for a person; exit code 1 where a worker would refuse to start."""

import json
from collections.abc import Iterator
from importlib.metadata import entry_points

import click
import pytest
from click.testing import CliRunner, Result

from shared.budget import MIB
from shared.settings import settings


@pytest.fixture(autouse=True)
def _own_settings() -> Iterator[None]:
    settings.cache_clear()
    yield
    settings.cache_clear()


def run(*arguments: str, **variables: str) -> Result:
    (entry,) = (entry for entry in entry_points(group="codekeeper.commands") if entry.name == "budget")
    command: click.Command = entry.load()
    return CliRunner().invoke(command, arguments, env={f"CODEKEEPER_{name}": value for name, value in variables.items()})


def test_the_sum_is_one_json_document_that_adds_up() -> None:
    result = run(MEMORY_LIMIT="4G", READ_POOL="3")
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)
    assert found["ok"] is True
    assert found["refusal"] is None
    assert found["host"]["memory_bytes"] == 4096 * MIB
    assert found["host"]["memory_from"] == "CODEKEEPER_MEMORY_LIMIT"
    assert found["pools"] == {"read": 3, "batch": 1, "sync": 1}
    assert found["fixed_bytes"] == sum(cost["count"] * cost["each_bytes"] for cost in found["fixed"])
    assert found["share"]["bytes"] == (4096 * MIB - found["fixed_bytes"]) // 5
    assert found["rate_limit"] == {"units": int(60 * found["host"]["cpus"]), "seconds": 60, "from": "CPUs"}


def test_where_a_worker_would_not_start_the_exit_code_and_the_document_say_so() -> None:
    result = run(MEMORY_LIMIT="1G", RATE_LIMIT="5/10")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found["ok"] is False
    assert "raise CODEKEEPER_MEMORY_LIMIT to at least" in found["refusal"]
    assert found["rate_limit"] == {"units": 5, "seconds": 10, "from": "CODEKEEPER_RATE_LIMIT"}


@pytest.mark.parametrize(("limit", "exit_code", "last"), [("4G", 0, "A worker with these settings starts."), ("1G", 1, "raise ")])
def test_the_table_is_for_a_person(limit: str, exit_code: int, last: str) -> None:
    result = run("--table", MEMORY_LIMIT=limit)
    assert result.exit_code == exit_code
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["memory", "of", "the", "host", f"{int(limit[0]) * 1024:,}", "MiB", "CODEKEEPER_MEMORY_LIMIT"]
    assert last in lines[-1]


def test_help_has_examples() -> None:
    assert "codekeeper budget --table" in run("--help").stdout
