"""What a caller is told of a call that Celery ended: a read may be asked again, a write must be looked for first."""

import json

import pytest
from billiard.exceptions import TimeLimitExceeded, WorkerLostError
from celery.exceptions import TaskRevokedError

from shared.tasks import GET_REPO_FILE, SAVE_FILE, task_named
from workers.answer_backend import final_answer


@pytest.mark.rule("PLT-142")
@pytest.mark.parametrize(
    ("ended", "code", "of_a_read"),
    [
        (WorkerLostError(), "worker_lost", {"retry_after"}),
        (TaskRevokedError("terminated"), "worker_lost", {"retry_after"}),
        (TaskRevokedError("expired"), "deadline_exceeded", {"retry_after"}),
        (TimeLimitExceeded(12), "resource_limit", {"call_id", "message"}),
    ],
)
def test_only_a_read_that_was_ended_may_be_sent_again(ended: Exception, code: str, of_a_read: set[str]) -> None:
    for kind in (GET_REPO_FILE, None):
        answer = json.loads(final_answer("id", ended, kind))
        assert answer.pop("error") == code
        assert set(answer) == {"ok", *of_a_read}
    write = json.loads(final_answer("id", ended, SAVE_FILE))
    assert write.pop("message")
    assert write == {"ok": False, "error": code, "may_have_applied": True, "check_with": "codekeeper_list_versions"}


def test_a_task_is_known_by_celerys_name() -> None:
    assert task_named("codekeeper.save_file") is SAVE_FILE
    assert task_named("codekeeper.nothing") is None
    assert task_named(None) is None
