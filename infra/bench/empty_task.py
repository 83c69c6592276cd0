"""The empty tool's task, loaded by this folder's worker."""

from typing import Any

from celery import shared_task

from infra.bench.empty_tool import EMPTY
from shared.answer import render
from shared.wire.text import Arguments
from workers.run_call import run_call


@shared_task(name=EMPTY.name, soft_time_limit=EMPTY.soft_s, time_limit=EMPTY.hard_s, acks_late=False, max_retries=0)
def empty_task(payload: dict[str, Any]) -> bytes:
    """An answer, and nothing else."""
    return run_call(payload, Arguments, lambda _arguments, _call: render({"ok": True}))
