"""The embedded form's schedule: a timer in the serving process. Hosted, Celery beat does the same; no reader can start a sync (PLT-111)."""

import asyncio
from typing import Final

import structlog

from gateway.dispatch.task_sender import TaskSender
from shared.errors import Refused
from shared.tasks import SYNC_ALL

log = structlog.get_logger()

FIRST_PASS_AFTER_S: Final = 10
"""Seconds from the start to the first pass over all mirrors (PLT-113)."""


async def sync_on_schedule(sender: TaskSender, interval_s: float, first_after_s: float = FIRST_PASS_AFTER_S) -> None:
    """Send `SYNC_ALL` again and again, for ever; a pass that can't be sent is logged and the next one is tried (PLT-120)."""
    wait_s: float = first_after_s
    while True:
        await asyncio.sleep(wait_s)
        try:
            await sender.send(SYNC_ALL)
        except Refused as refused:
            log.warning("sync_pass_not_sent", code=refused.code)
        wait_s = interval_s
