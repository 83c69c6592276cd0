"""One call on the queue `batch`, asked again for as long as that is worth it.

What went wrong is either the item's own matter, and stands as its result in the end, or the service's: then every other item would meet
the same, and the job stops, to be resumed when the service is back.
"""

import asyncio
import json
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gateway.dispatch.dispatcher import Dispatcher
from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.limits import SYNC_RETRY_AFTER_S
from shared.tasks import SYNC_REPOSITORY, TaskKind
from shared.wire.call import Call, Caller

FIRST_WAIT_S: Final = 0.5
"""Seconds before an item is asked for the second time; each further time waits twice as long."""

LONGEST_WAIT_S: Final = 30.0
"""Seconds between two times, at most, unless the refusal itself asks for more."""


@dataclass(frozen=True)
class Patience:
    """How a refusal that may pass is met."""

    times: int
    """How often an item is asked for, at most, while it is refused with this code."""
    stops_the_job: bool
    """Whether the service is at fault when that wasn't enough."""


WORTH_ASKING_AGAIN: Final[Mapping[str, Patience]] = {
    # Redis that is being restarted, or moved: a minute and a half, as all items that are begun take turns at asking.
    ErrorCode.QUEUE_UNAVAILABLE: Patience(8, stops_the_job=True),
    ErrorCode.QUEUE_FULL: Patience(8, stops_the_job=True),
    # A host that is gone, or no worker on the queue. An item that is slow itself ends as `resource_limit`.
    ErrorCode.DEADLINE_EXCEEDED: Patience(3, stops_the_job=True),
    ErrorCode.DB_ERROR: Patience(5, stops_the_job=True),
    # The item may be what its process dies of.
    ErrorCode.WORKER_LOST: Patience(3, stops_the_job=False),
    # As long as a sync may take.
    ErrorCode.SYNC_IN_PROGRESS: Patience(SYNC_REPOSITORY.hard_s // SYNC_RETRY_AFTER_S + 1, stops_the_job=False),
}
"""What passes by itself, often. Everything else would be the same the next time."""

_ANSWERED: Final = b'{"ok":true'
"""What an answer that is no refusal begins with: `ok` is the first field of every one, and `render` writes no spaces."""


class ServiceAway(Exception):  # noqa: N818 - a reason to stop and no error of ours
    """The queue, its workers or the database didn't serve for as long as `WORTH_ASKING_AGAIN` says; `refused` is what was said last."""

    def __init__(self, refused: Mapping[str, Any]) -> None:
        super().__init__(refused["error"])
        self.refused = refused


def refusal_of(answer: bytes) -> Mapping[str, Any] | None:
    """The answer's object when it is a refusal, else None."""
    if answer.startswith(_ANSWERED):
        return None
    refusal: Mapping[str, Any] = json.loads(answer)
    return refusal


def wait_s(asked: int, refusal: Mapping[str, Any]) -> float:
    """Seconds to wait after an item was refused for the `asked`th time, from 1: `retry_after` at the least."""
    return max(float(refusal.get("retry_after", 0)), min(FIRST_WAIT_S * 2.0 ** (asked - 1), LONGEST_WAIT_S))


class Asking:
    """Asks for items as one caller, with a bounded number in flight."""

    def __init__(
        self, dispatcher: Dispatcher, caller: Caller, in_flight: int, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """`pause` waits that many seconds."""
        self._dispatcher = dispatcher
        self._caller = caller
        self._in_flight = asyncio.Semaphore(in_flight)
        self._pause = pause
        self.again = 0
        """How often something was asked again."""

    async def answer(self, kind: TaskKind, arguments: dict[str, Any]) -> bytes:
        """The task's answer, as the worker rendered it, or the refusal that stood in the end.

        While it waits to ask again it isn't in flight, so that other items are.

        Raises:
            ServiceAway: the service didn't serve.
        """
        refused: Counter[str] = Counter()
        while True:
            async with self._in_flight:
                answer = await self._ask_once(kind, arguments)
            refusal = refusal_of(answer)
            patience = None if refusal is None else WORTH_ASKING_AGAIN.get(refusal["error"])
            if refusal is None or patience is None:
                return answer
            code = str(refusal["error"])
            refused[code] += 1
            if refused[code] >= patience.times:
                if patience.stops_the_job:
                    raise ServiceAway(refusal)
                return answer
            self.again += 1
            await self._pause(wait_s(refused[code], refusal))

    async def _ask_once(self, kind: TaskKind, arguments: dict[str, Any]) -> bytes:
        assert kind.deadline_s is not None  # noqa: S101 - a test holds that every kind's task has one
        entered = time.time()
        call = Call(id=str(uuid.uuid4()), caller=self._caller, entered=entered, deadline=entered + kind.deadline_s, arguments=arguments)
        try:
            return await self._dispatcher.answer(kind, call)
        except Refused as refused:
            return render(refused.answer())
