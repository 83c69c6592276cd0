"""Review jobs that are killed, stopped, or lose what they stand on: their results are those of a run without a stop, byte for byte."""

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.services import codekeeper, environment_of
from tests.faults.jobs import Job, finished, shown_on_a_terminal, write_items
from tests.faults.parts import Deployment, Template, content_of, path_of
from tests.hosted.processes import wait_until

COUNT = 80
HELD_AT = 40
"""The place of the item that holds still until it is let go."""

ITEMS = [
    {"kind": "file", "repo": "numbered", "path": path_of(number) if number != HELD_AT else path_of(number % 40, "held")}
    for number in range(COUNT)
]


@pytest.fixture
def batcher(deployment_of_session: Deployment) -> Iterator[Deployment]:
    """The deployment with Redis and a batcher, and nothing else that a job needs."""
    deployment = deployment_of_session
    deployment.hold_again()
    deployment.start(deployment.batcher)
    yield deployment
    deployment.redis.start()
    deployment.let_go()


@pytest.fixture(scope="module")
def whole(deployment_of_session: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[bytes]:
    """The results of a run that nothing disturbed. The batcher ends with this file, the only one that needs it."""
    folder = tmp_path_factory.mktemp("whole")
    deployment_of_session.let_go()
    deployment_of_session.start(deployment_of_session.batcher)
    yield finished(deployment_of_session.environment, write_items(folder / "items", ITEMS), folder / "out")
    deployment_of_session.batcher.kill()


@pytest.fixture
def items(tmp_path: Path) -> Path:
    return write_items(tmp_path / "items", ITEMS)


def in_the_middle(deployment: Deployment, items: Path, out: Path, **more: str) -> Job:
    """A job all of whose items before the held one are answered and written, and none behind."""
    job = Job({**deployment.environment, **more}, items, out)
    wait_until(deployment.held, within_s=40)
    job.has_lines(HELD_AT)
    assert job.lines() == HELD_AT
    return job


def test_the_results_are_the_items_in_order_with_the_single_tools_answers(whole: bytes) -> None:
    lines = [json.loads(line) for line in whole.splitlines()]
    assert [(line["index"], line["item"]) for line in lines] == list(enumerate(ITEMS))
    folders = ["held" if number == HELD_AT else "files" for number in range(COUNT)]
    contents = [content_of(number % 40 if folder == "held" else number, folder) for number, folder in enumerate(folders)]
    assert [line["result"]["content"] for line in lines] == contents


def test_a_killed_job_is_resumed_without_repeating_or_losing_an_item(
    whole: bytes, batcher: Deployment, items: Path, tmp_path: Path
) -> None:
    job = in_the_middle(batcher, items, tmp_path / "out")
    job.kill()
    with job.out.open("ab") as out:  # as if it had been killed while it wrote
        out.write(whole.splitlines(keepends=True)[HELD_AT][:-7])
    batcher.let_go()
    assert finished(batcher.environment, items, job.out) == whole
    assert f"{HELD_AT} were there before" in job.said()
    assert finished(batcher.environment, items, job.out) == whole  # there is nothing left to do


@pytest.mark.parametrize("told", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.deep)])
def test_a_job_that_is_told_to_stop_says_so_and_goes_on_when_it_is_run_again(
    whole: bytes, batcher: Deployment, items: Path, tmp_path: Path, told: signal.Signals
) -> None:
    job = in_the_middle(batcher, items, tmp_path / "out")
    job.process.send_signal(told)
    assert job.ended() == 3
    assert job.said().startswith(f"codekeeper: stopped; {HELD_AT} of {COUNT} items")
    assert job.out.read_bytes() == b"".join(whole.splitlines(keepends=True)[:HELD_AT])
    batcher.let_go()
    assert finished(batcher.environment, items, job.out) == whole


def test_a_killed_pool_process_costs_its_item_a_second_time(whole: bytes, batcher: Deployment, items: Path, tmp_path: Path) -> None:
    job = in_the_middle(batcher, items, tmp_path / "out")
    (process_id,) = batcher.held().values()
    batcher.let_go()
    os.kill(process_id, signal.SIGKILL)
    assert job.ended() == 0, job.said()
    assert job.out.read_bytes() == whole


def test_redis_that_goes_and_comes_back_empty_loses_no_item(whole: bytes, batcher: Deployment, items: Path, tmp_path: Path) -> None:
    job = in_the_middle(batcher, items, tmp_path / "out")
    batcher.redis.stop()
    batcher.let_go()
    batcher.redis.start()
    assert job.ended() == 0, job.said()
    assert job.out.read_bytes() == whole


@pytest.mark.rule("PLT-142")
def test_a_worker_whose_acknowledgement_went_with_redis_takes_the_next_task(
    whole: bytes, batcher: Deployment, items: Path, tmp_path: Path
) -> None:
    batcher.let_go()
    batcher.hold_acks()
    job = Job(batcher.environment, items, tmp_path / "out")
    wait_until(batcher.is_acking, within_s=40)
    batcher.redis.stop()
    batcher.let_acks_go()
    wait_until(lambda: "Couldn't ack" in batcher.batcher.said())
    batcher.redis.start()
    assert job.ended() == 0, job.said()
    assert job.out.read_bytes() == whole


@pytest.mark.deep
def test_a_batcher_that_is_killed_and_started_again_loses_no_item(whole: bytes, batcher: Deployment, items: Path, tmp_path: Path) -> None:
    job = in_the_middle(batcher, items, tmp_path / "out")
    batcher.batcher.kill()
    batcher.let_go()
    batcher.start(batcher.batcher)
    assert job.ended() == 0, job.said()
    assert job.out.read_bytes() == whole


@pytest.mark.deep
def test_without_redis_a_job_ends_as_unreachable_and_can_be_resumed(whole: bytes, batcher: Deployment, items: Path, tmp_path: Path) -> None:
    job = in_the_middle(batcher, items, tmp_path / "out", TESTS_TIMES="1")
    batcher.redis.stop()
    assert job.ended() == 3
    assert re.match("codekeeper: the service is away .(queue_unavailable|deadline_exceeded)", job.said().splitlines()[-1])
    assert job.lines() == HELD_AT
    batcher.redis.start()
    batcher.let_go()
    assert finished(batcher.environment, items, job.out) == whole


@pytest.mark.deep
def test_a_job_whose_items_were_changed_is_not_resumed(batcher: Deployment, items: Path, tmp_path: Path) -> None:
    job = in_the_middle(batcher, items, tmp_path / "out")
    job.kill()
    kept = job.out.read_bytes()
    write_items(items, [*ITEMS[: HELD_AT - 1], {"kind": "file", "repo": "numbered", "path": "another"}, *ITEMS[HELD_AT:]])
    assert finished(batcher.environment, items, job.out, code=2) == kept
    assert f"line {HELD_AT} is another item's" in job.said()


def test_a_plan_is_made_by_the_batcher_(batcher: Deployment) -> None:
    words = ("batch", "plan", "--repo", "numbered", "--base", "main", "--head")
    assert codekeeper(batcher.environment, *words, "main") == ""
    assert json.loads(codekeeper(batcher.environment, *words, "none", code=1))["error"] == "ref_not_mirrored"


@pytest.mark.deep
def test_embedded_a_killed_job_is_resumed_to_the_same_bytes(template: Template, tmp_path: Path) -> None:
    environment = environment_of(template.copy(tmp_path / "data"))
    many = [{"kind": "file", "repo": "numbered", "path": path_of(number % 200)} for number in range(1_500)]
    items = write_items(tmp_path / "items", [*many, {"kind": "file", "repo": "numbered", "path": "none"}])
    undisturbed = finished(environment, items, tmp_path / "undisturbed", code=1)
    job = Job(environment, items, tmp_path / "out")
    job.has_lines(300)
    job.kill()
    assert 300 <= job.lines() < 1_501
    assert finished(environment, items, job.out, code=1) == undisturbed
    assert "1 refused (not_found 1)" in job.said()


@pytest.mark.deep
def test_a_terminal_shows_how_far_how_fast_and_how_long_still_and_a_file_only_the_summary(template: Template, tmp_path: Path) -> None:
    environment = environment_of(template.copy(tmp_path / "data"))
    items = write_items(tmp_path / "items", ITEMS * 10)
    shown = shown_on_a_terminal(environment, items, tmp_path / "shown")
    assert re.search(r"\d+/800 \[\d\d:\d\d<\d\d:\d\d, +[0-9.]+(item/s|s/item)\]", shown)
    job = Job(environment, items, tmp_path / "out")
    assert job.ended() == 0
    assert re.fullmatch(r"codekeeper: 800 of 800 items: 800 answered, 0 refused; [0-9.]+ s\n", job.said())
