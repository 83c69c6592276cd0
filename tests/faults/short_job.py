"""`codekeeper` as it is, but for how long a job's items wait: `python -m tests.faults.short_job batch run …`.

`TESTS_TIMES`: how often an item is asked for, at most; not set, as often as ever.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from gateway.batch import ask, job
from gateway.commands.main import main
from shared.tasks import BATCH, TaskKind

DEADLINE_S: Final = 8
"""Seconds from an item's sending to its answer, at the most: what an item costs whose message is lost."""

WAIT_S: Final = 0.2
"""Seconds before an item is asked for again."""


def _short(kind: TaskKind) -> TaskKind:
    return replace(kind, queue=BATCH, deadline_s=DEADLINE_S)


def _soon(_asked: int, _refusal: Mapping[str, Any]) -> float:
    return WAIT_S


if __name__ == "__main__":
    assert job.as_job_item
    assert ask.wait_s
    job.as_job_item = _short
    ask.wait_s = _soon
    if "TESTS_TIMES" in os.environ:
        times = int(os.environ["TESTS_TIMES"])
        ask.WORTH_ASKING_AGAIN = {code: replace(patience, times=times) for code, patience in ask.WORTH_ASKING_AGAIN.items()}  # type: ignore[misc]
    main()
