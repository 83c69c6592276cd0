"""The share of memory, enforced by real workers: too small a share and none starts; a call that wants more ends alone."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.dispatch.dispatcher import Dispatcher
from shared.budget import DEAREST_READ_BYTES, MIB, Budget, Host, make_budget
from shared.settings import Settings
from tests.git_repositories import commit_files, git_line, new_repository
from tests.hosted import greedy_tasks, tasks
from tests.hosted.conftest import a_call
from tests.hosted.processes import RedisServer, Worker
from workers.own_memory import KEPT_BYTES

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("redis_server")]

ROOT = Path(__file__).parents[2]
SHARE = 224 * MIB
"""The share of a task of this file's worker: a small host's, somewhat more than `DEAREST_READ_BYTES`."""


def default_pools(memory_bytes: int) -> Budget:
    return make_budget(Settings(), Host(memory_bytes, "a test", 2, "a test"))


ENOUGH = default_pools(0).fixed_bytes + 4 * SHARE


@pytest.fixture(scope="module")
def small_worker_of_module(redis_of_session: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    worker = Worker(redis_of_session.url, tmp_path_factory.mktemp("small-worker"))
    worker._environment["CODEKEEPER_MEMORY_LIMIT"] = str(ENOUGH)
    yield worker
    worker.kill()


@pytest.fixture
def small_worker(no_worker: Worker, small_worker_of_module: Worker) -> Worker:
    """A worker on a host with little memory, running; the session's own isn't."""
    assert no_worker is not small_worker_of_module
    small_worker_of_module.start()
    return small_worker_of_module


def start_worker(redis_url: str, folder: Path, queue: str, pool: int, memory_limit: str) -> subprocess.CompletedProcess[str]:
    own = {"REDIS_URL": redis_url, "DATA_DIR": str(folder / "data"), "MEMORY_LIMIT": memory_limit}
    environment = os.environ | {f"CODEKEEPER_{name}": value for name, value in own.items()}
    command = [sys.executable, "-m", "celery", "-q", "-A", "workers.app", "worker", "-Q", queue, "-c", str(pool), "-n", f"{queue}@%h"]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.rule("PLT-71")
@pytest.mark.parametrize(("queue", "pool"), [("read", 5), ("batch", 3)])
def test_a_worker_whose_share_is_too_small_does_not_start_and_names_the_numbers(
    redis_server: RedisServer, tmp_path: Path, queue: str, pool: int
) -> None:
    ended = start_worker(redis_server.url, tmp_path, queue, pool, f"{ENOUGH // MIB}M")
    assert ended.returncode == 1
    budget = make_budget(Settings(), Host(ENOUGH, "a test", 2, "a test"), started_with={queue: pool})
    assert budget.share_bytes < DEAREST_READ_BYTES
    sentence = ended.stderr.strip().splitlines()[-1]
    assert sentence.startswith(f"codekeeper: The memory of this host ({ENOUGH // MIB}M, CODEKEEPER_MEMORY_LIMIT)")
    assert f"raise CODEKEEPER_MEMORY_LIMIT to at least {-(-budget.least_memory_bytes // MIB)}M" in sentence
    assert f"lower CODEKEEPER_{queue.upper()}_POOL to at most {budget.widest_pool(queue)}." in sentence
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.rule("PLT-71")
@pytest.mark.parametrize("piece_bytes", [2 * SHARE, MIB, 1_000], ids=["at once", "in pieces", "in crumbs"])
async def test_a_call_that_wants_twice_its_share_is_refused_while_fifteen_others_are_answered(
    dispatcher: Dispatcher, small_worker: Worker, piece_bytes: int
) -> None:
    pool = small_worker.pool()
    greedy = a_call(greedy_tasks.GREEDY, total_bytes=2 * SHARE, piece_bytes=piece_bytes)
    others = [a_call(tasks.ECHO, text=str(number)) for number in range(15)]
    refused, *answers = await asyncio.gather(
        dispatcher.answer(greedy_tasks.GREEDY, greedy), *(dispatcher.answer(tasks.ECHO, call) for call in others)
    )
    refusal = json.loads(refused)
    assert (refusal["ok"], refusal["error"], refusal["call_id"]) == (False, "resource_limit", greedy.id)
    assert "retry_after" not in refusal
    assert [json.loads(answer)["text"] for answer in answers] == [str(number) for number in range(15)]
    assert small_worker.pool() == pool


@pytest.mark.rule("PLT-71")
async def test_a_process_keeps_its_share_for_the_call_after_one_that_wanted_more(dispatcher: Dispatcher, small_worker: Worker) -> None:
    pool = small_worker.pool()
    for _ in range(6):
        greedy = a_call(greedy_tasks.GREEDY, total_bytes=SHARE + 2 * KEPT_BYTES, piece_bytes=1_000)
        assert json.loads(await dispatcher.answer(greedy_tasks.GREEDY, greedy))["error"] == "resource_limit"
        modest = a_call(greedy_tasks.GREEDY, total_bytes=DEAREST_READ_BYTES, piece_bytes=MIB)
        answer = json.loads(await dispatcher.answer(greedy_tasks.GREEDY, modest))
        assert answer == {"ok": True, "held": DEAREST_READ_BYTES, "process": answer.get("process")}
        assert answer["process"] in pool
    assert small_worker.pool() == pool


async def test_a_git_process_that_wants_more_than_its_limit_ends_the_call_as_resource_limit(
    dispatcher: Dispatcher, small_worker: Worker, tmp_path: Path
) -> None:
    pool = small_worker.pool()
    repository = new_repository(tmp_path / "repo.git")
    tree = git_line(repository, "rev-parse", commit_files(repository, {"a.txt": b"one\n"}) + "^{tree}")
    commit = git_line(repository, "commit-tree", tree, stdin=b"a message of forty million bytes\n" * 1_250_000)
    git_line(repository, "update-ref", "refs/heads/main", commit)

    small, large = (a_call(greedy_tasks.GREEDY_GIT, git_dir=str(repository), memory_bytes=size * MIB) for size in (24, 128))
    refusal = json.loads(await dispatcher.answer(greedy_tasks.GREEDY_GIT, small))
    assert (refusal["error"], refusal["call_id"]) == ("resource_limit", small.id)
    assert str(repository) not in json.dumps(refusal)
    assert json.loads(await dispatcher.answer(greedy_tasks.GREEDY_GIT, large)) == {"ok": True, "commit": commit}
    assert small_worker.pool() == pool
