"""`GET /readyz`: whether the service can answer calls. A worker is asked by a task like any call's, so that the answer is theirs.

`/healthz` says that this process lives; a load balancer asks here.
"""

import asyncio
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

import structlog
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

from gateway.dispatch.dispatcher import Dispatcher
from gateway.dispatch.task_sender import TaskSender
from shared.errors import ErrorCode, Refused
from shared.tasks import READY
from shared.wire.call import Call, Caller
from shared.wire.ready import Part, WorkerParts

log = structlog.get_logger()

READY_KEPT_S: Final = 5.0
"""Seconds an answer is given again, good or bad: anybody may ask, and however often they do, one gateway sends one task in that time."""

_PROBE: Final = Caller(user="readyz", scopes=frozenset(), admin=False)

Body = dict[str, Any]


def _body(broker: Part, worker: Part, found: WorkerParts) -> Body:
    ready = broker is Part.OK and worker is Part.OK and found.ok
    parts = found.model_dump(mode="json", exclude_none=True)
    return {"status": Part.OK if ready else Part.UNAVAILABLE, "broker": broker, "worker": worker, **parts}


class Readiness:
    """The verdict that all probes of one gateway share. It neither counts among the calls in flight nor waits for a place among them."""

    def __init__(self, sender: TaskSender, clock: Callable[[], float] = time.monotonic) -> None:
        """`sender` must be open before the first probe comes."""
        self._dispatcher = Dispatcher(sender, max_in_flight=1)
        self._clock = clock
        self._kept: tuple[float, Body] | None = None
        self._asking: asyncio.Task[Body] | None = None

    async def respond(self, _request: Request) -> JSONResponse:
        """200 when every part is `ok`, else 503; within the task's deadline, and a moment more for the queue that can't be reached."""
        body = await self.body()
        return JSONResponse(body, 200 if body["status"] == Part.OK else 503, headers={"Cache-Control": "no-store"})

    async def body(self) -> Body:
        """`status`, `broker`, `worker`, `database` and `mirrors`, each a `Part`, and the two counts of mirrors if they could be made."""
        if self._kept is not None and self._clock() - self._kept[0] < READY_KEPT_S:
            return self._kept[1]
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
            self._asking.add_done_callback(self._keep)
        return await asyncio.shield(self._asking)  # a probe that goes away takes nothing from the others

    def _keep(self, asked: asyncio.Task[Body]) -> None:
        self._asking = None
        if not asked.cancelled() and asked.exception() is None:
            self._kept = (self._clock(), asked.result())

    async def _ask(self) -> Body:
        unknown = WorkerParts(database=Part.UNKNOWN, mirrors=Part.UNKNOWN)
        entered = time.time()
        call = Call(id=str(uuid.uuid4()), caller=_PROBE, entered=entered, deadline=entered + (READY.deadline_s or 0), arguments={})
        try:
            found = WorkerParts.model_validate_json(await self._dispatcher.answer(READY, call))
        except Refused as refused:
            away = refused.code == ErrorCode.QUEUE_UNAVAILABLE
            body = _body(Part.UNAVAILABLE, Part.UNKNOWN, unknown) if away else _body(Part.OK, Part.UNAVAILABLE, unknown)
        except ValidationError:  # the text that stands for a task that did not end: its process was lost, its time was up
            body = _body(Part.OK, Part.UNAVAILABLE, unknown)
        else:
            body = _body(Part.OK, Part.OK, found)
        if body["status"] != Part.OK:
            log.warning("not_ready", call_id=call.id, **body)
        return body
