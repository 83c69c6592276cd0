"""Many who write one file at once, and some who are killed at it: every save that was acknowledged is there, whole and in order."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, select

from shared.database.engine import reading
from shared.database.store_tables import FILE_VERSIONS
from tests.hosted.processes import wait_until
from tests.store.writer import append_lines
from workers.store.transaction import writing_own
from workers.store.write_files import create_file

USER, FILE, FIRST = "dana", "log.txt", "begin"
ENDLESS = 1_000_000
"""Saves of a process that goes on until it is killed."""


@pytest.fixture
def begun(engine: Engine) -> Engine:
    """A database with the file in it."""
    with writing_own(engine, USER) as own:
        create_file(own, FILE, FIRST)
    return engine


def lines_added(engine: Engine) -> dict[int, str]:
    """What each version after the first added to the one before it, which it must hold whole; versions have no gap."""
    with reading(engine) as connection:
        rows = connection.execute(select(FILE_VERSIONS.c.version, FILE_VERSIONS.c.code).order_by(FILE_VERSIONS.c.version)).all()
    assert [version for version, _ in rows] == list(range(1, len(rows) + 1))
    texts = [code for _, code in rows]
    assert texts[0] == FIRST
    added = {}
    for version, before, after in zip(range(2, len(texts) + 1), texts, texts[1:], strict=False):
        assert after.startswith(f"{before}\n")
        added[version] = after.removeprefix(f"{before}\n")
    return added


@pytest.mark.rule("PLT-11", "PLT-12")
def test_twenty_writers_of_one_file_lose_nothing(begun: Engine, address: str) -> None:
    def write(number: int) -> list[tuple[int, str]]:
        return list(append_lines(address, USER, FILE, f"w{number}", 3))

    with ThreadPoolExecutor(20) as pool:
        saved = [save for done in [pool.submit(write, number) for number in range(20)] for save in done.result(100)]
    acknowledged = dict(saved)
    assert len(acknowledged) == len(saved) == 60
    assert lines_added(begun) == acknowledged
    for number in range(20):  # each writer's own saves are in the order it made them
        own = [line for _, line in sorted(acknowledged.items()) if line.startswith(f"w{number}-")]
        assert own == [f"w{number}-{save}" for save in range(3)]


def killed_at_work(engine: Engine, address: str, *, writers: int, killed: int, saves: int) -> None:
    """Let processes append, kill some of them in the middle, and hold the file against what all of them had acknowledged."""
    names = [f"w{number}" for number in range(writers)]
    victims, others = names[:killed], names[killed:]
    processes = {name: start(address, name, ENDLESS if name in victims else saves) for name in names}
    try:
        for name in victims:
            wait_until(lambda name=name: f"{name}-2" in lines_added(engine).values(), within_s=60)  # type: ignore[misc]
            processes[name].kill()
        said = {name: process.communicate(timeout=100) for name, process in processes.items()}
    finally:
        for process in processes.values():
            process.kill()
    assert {name: processes[name].returncode for name in others} == dict.fromkeys(others, 0), said
    acknowledged = dict(json.loads(line) for out, _ in said.values() for line in out.splitlines(keepends=True) if line.endswith("\n"))
    added = lines_added(engine)
    assert acknowledged.items() <= added.items()
    # What was saved and not acknowledged any more is the last save of one that was killed.
    unacknowledged = [line.partition("-")[0] for version, line in added.items() if version not in acknowledged]
    assert len(set(unacknowledged)) == len(unacknowledged)
    assert set(unacknowledged) <= set(victims)
    assert sum(line.partition("-")[0] in others for line in added.values()) == saves * len(others)


def start(address: str, name: str, saves: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.writer", address, USER, FILE, name, str(saves)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_a_process_that_is_killed_at_its_writing_loses_none_that_was_acknowledged(begun: Engine, address: str) -> None:
    killed_at_work(begun, address, writers=2, killed=1, saves=20)


@pytest.mark.deep
@pytest.mark.timeout(600)
def test_the_same_with_twenty_processes_and_ten_killed(begun: Engine, address: str) -> None:
    killed_at_work(begun, address, writers=20, killed=10, saves=50)
