"""The one table of times. The design's table stands here a second time, on purpose."""

import pytest

from shared import tasks
from shared.limits import ANSWER_TTL_S
from shared.tasks import BATCH, READ, SYNC, TASKS
from workers.answer_backend import _STORE_FOR_S as STORE_FOR_S

DESIGN = {
    "codekeeper.list_repos": (READ, 10, 12, 20),
    "codekeeper.list_repo_tree": (READ, 10, 12, 20),
    "codekeeper.get_repo_file": (READ, 10, 12, 20),
    "codekeeper.search_repo": (READ, 22, 25, 35),
    "codekeeper.docs_get_section": (READ, 10, 12, 20),
    "codekeeper.read_batch": (READ, 26, 28, 35),
    "codekeeper.read_code_context": (READ, 15, 18, 25),
    "codekeeper.ready": (READ, 3, 4, 5),
    "codekeeper.sync_repository": (SYNC, 660, 690, None),
}


ROWS = {(10, 12, 20), (15, 18, 25), (26, 28, 35), (22, 25, 35)}
"""Soft limit, hard limit and deadline of whatever an agent waits for: files, code context, a batch, a search."""


def test_whatever_an_agent_waits_for_has_the_times_of_a_row_of_the_design() -> None:
    waited_for = [task for task in TASKS if task.deadline_s is not None and task is not tasks.READY]
    assert {(task.soft_s, task.hard_s, task.deadline_s) for task in waited_for} <= ROWS


def test_an_answer_outlives_every_deadline_and_is_stored_before_the_next_one() -> None:
    """The worker's main process watches no time limit while it stores the answer of a lost call."""
    for task in TASKS:
        if task.deadline_s is not None and task is not tasks.READY:
            assert task.deadline_s < ANSWER_TTL_S
            assert task.deadline_s - task.hard_s > STORE_FOR_S


def test_the_times_are_the_designs() -> None:
    table = {task.name: (task.queue, task.soft_s, task.hard_s, task.deadline_s) for task in TASKS}
    assert {name: times for name, times in table.items() if name in DESIGN} == DESIGN
    assert tasks.GIT_CLONE_TIMEOUT_S == 600
    assert tasks.GIT_FETCH_TIMEOUT_S == 120
    assert tasks.GIT_GREP_TIMEOUT_S == 10
    assert tasks.BATCH_READS_S == 10


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_is_interrupted_before_it_is_killed_and_killed_before_its_caller_is_answered(task: tasks.TaskKind) -> None:
    assert 0 < task.soft_s < task.hard_s
    assert task.queue in {READ, BATCH, SYNC}
    if task.deadline_s is None:
        assert task.queue == SYNC
    else:
        assert task.hard_s < task.deadline_s < 60


def test_every_git_process_ends_before_the_task_around_it_is_interrupted() -> None:
    reads = [task for task in TASKS if task.queue == READ and task is not tasks.READY]  # which starts none
    assert all(task.soft_s > tasks.GIT_LOCAL_TIMEOUT_S for task in reads)
    assert tasks.FILE_HISTORY.soft_s > tasks.GIT_HISTORY_TIMEOUT_S
    assert tasks.SEARCH_REPO.soft_s > 2 * tasks.GIT_GREP_TIMEOUT_S
    assert max(tasks.GIT_CLONE_TIMEOUT_S, tasks.GIT_FETCH_TIMEOUT_S) + tasks.GIT_LS_REMOTE_TIMEOUT_S < tasks.SYNC_REPOSITORY.soft_s


def test_names_and_keys_are_unique() -> None:
    assert len({task.name for task in TASKS}) == len(TASKS)
    assert tasks.answer_key("1") != tasks.cancelled_key("1")
    assert tasks.answer_key("1") != tasks.answer_key("2")


def test_tasks_acknowledge_early() -> None:
    assert tasks.CELERY_SETTINGS["task_acks_late"] is False
