"""`codekeeper_read_batch`: sections and files in one call, each answered as its single tool answers it."""

import time
from functools import cache
from typing import Any

from celery import shared_task

from shared.settings import settings
from shared.tasks import BATCH_READS_S, READ_BATCH
from shared.wire.call import Call
from shared.wire.read_batch import ReadBatchArguments
from workers.batch.answers import Answers
from workers.batch.batch import Batch
from workers.batch.envelope import assembled
from workers.batch.in_order import in_order
from workers.docs_gate import docs_policies
from workers.mirror.snapshot import Snapshot
from workers.resources import engine
from workers.run_call import run_call


def read_batch(arguments: ReadBatchArguments, call: Call) -> bytes:
    """The answer: items from the first on, until all are answered, the room is used up or `BATCH_READS_S` have passed since the entry."""
    mirrors = Snapshot(settings().mirrors_dir, engine())
    batch = Batch(arguments.items, call, mirrors, cache(docs_policies))
    answers = Answers(batch.room)
    stopped = in_order(batch.groups, answers, lambda: time.time() >= call.entered + BATCH_READS_S, batch.read)
    return assembled(answers.entered, len(arguments.items), stopped)


@shared_task(name=READ_BATCH.name, soft_time_limit=READ_BATCH.soft_s, time_limit=READ_BATCH.hard_s, acks_late=False, max_retries=0)
def read_batch_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ReadBatchArguments, read_batch)
