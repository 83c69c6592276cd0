"""One call on its way to a worker and back: admission, deadline, and what happens when the client goes away.

The gateway's own monotonic timer decides the deadline; nothing a worker or Redis does can make a call hang.
"""

import asyncio
import time

from gateway.dispatch.task_sender import TaskSender
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_CALLS_IN_FLIGHT, QUEUE_RETRY_AFTER_S
from shared.tasks import TaskKind
from shared.unanswered import unanswered
from shared.wire.call import Call


class Dispatcher:
    """The calls that one gateway waits for."""

    def __init__(self, sender: TaskSender, max_in_flight: int = MAX_CALLS_IN_FLIGHT) -> None:
        self._sender = sender
        self._max_in_flight = max_in_flight
        self._in_flight = 0

    async def answer(self, kind: TaskKind, call: Call) -> bytes:
        """The answer of the call's task, byte for byte as the worker rendered it.

        Raises:
            Refused: `queue_full`, `queue_unavailable` or `deadline_exceeded` (PLT-142).
        """
        if self._in_flight >= self._max_in_flight:
            raise Refused(ErrorCode.QUEUE_FULL, retry_after=QUEUE_RETRY_AFTER_S)
        self._in_flight += 1
        answered = False
        try:
            async with asyncio.timeout(max(call.deadline - time.time(), 0)):
                sent = await (await self._sender.submit(kind, call))
            answered = True
        except TimeoutError:
            raise unanswered(ErrorCode.DEADLINE_EXCEEDED, kind) from None
        finally:
            self._in_flight -= 1
            if not answered:
                await asyncio.shield(self._sender.forget(call.id))
        return sent
