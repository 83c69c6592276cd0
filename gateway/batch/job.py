"""A review job: any number of items through the queue `batch`, their results in the request's order, one line after the other."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import aclosing
from itertools import islice
from typing import Final

from gateway.batch.ask import Asking
from gateway.batch.in_order import in_order
from gateway.batch.items_file import parsed
from gateway.batch.kinds import call_of
from gateway.batch.results import Results
from shared.answer import render
from shared.errors import Refused
from shared.tasks import as_job_item

IN_FLIGHT_PER_PROCESS: Final = 2
"""Items in flight for each process of the pool: one that runs, and one that it finds when it has ended that."""

BEGUN_PER_IN_FLIGHT: Final = 8
"""Items begun for each one in flight, from the oldest that isn't written: one that is slow, or waits to be asked again, holds up none of
the others for a while. At 256 KB an answer, 4 MB for each process of the pool."""


async def run_job(items: Iterable[bytes], asking: Asking, results: Results, in_flight: int, written: Callable[[], None]) -> None:
    """Ask for every item that `results` has no line of, and write the lines. `written` is called after each.

    Raises:
        ServiceAway: the service didn't serve; all lines before the item that found out are written.
        NotWritten: a line could not be written.
    """

    async def answer(item: bytes) -> bytes:
        try:
            kind, arguments = call_of(parsed(item))
        except Refused as refused:
            return render(refused.answer())
        return await asking.answer(as_job_item(kind), arguments)

    left = islice(items, results.tally.count, None)
    async with aclosing(in_order(left, answer, in_flight * BEGUN_PER_IN_FLIGHT)) as answered:
        async for item, sent in answered:
            await _to_its_end(results.write, item, sent)
            written()


async def _to_its_end(write: Callable[[bytes, bytes], None], item: bytes, answer: bytes) -> None:
    """Write on a thread, since a pipe may make it wait. A job that is stopped meanwhile stops after that line; told twice, at once."""
    writing = asyncio.ensure_future(asyncio.to_thread(write, item, answer))
    try:
        await asyncio.shield(writing)
    except asyncio.CancelledError:
        await writing
        raise
