"""The seam between the gateway and whoever runs its tasks. Two forms stand behind it; no tool and no task knows which."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from shared.tasks import TaskKind
from shared.wire.call import Call


class TaskSender(Protocol):
    """Sends tasks by name and brings back what a call's task answered."""

    async def open(self) -> None:
        """Get ready to send; called once, before anything else."""

    async def close(self) -> None:
        """Let go of everything; answers still under way are dropped."""

    async def submit(self, kind: TaskKind, call: Call) -> asyncio.Future[bytes]:
        """Send the task of one call. The future ends with the answer as it is to be sent, whatever became of the task.

        Raises:
            Refused: `queue_unavailable` when the task could not be handed over.
        """

    async def forget(self, call_id: str) -> None:
        """Nobody waits for this call any more, and an answer that comes is dropped. Never raises.

        A task that hasn't begun does not run; one that runs can ask, before it commits anything, whether it was forgotten.
        """

    async def send(self, kind: TaskKind, *arguments: str | bool) -> None:
        """Send a task that nobody waits for.

        Raises:
            Refused: `queue_unavailable` when the task could not be handed over.
        """


@asynccontextmanager
async def opened(sender: TaskSender) -> AsyncIterator[TaskSender]:
    """`sender`, open until the block ends."""
    await sender.open()
    try:
        yield sender
    finally:
        await sender.close()
