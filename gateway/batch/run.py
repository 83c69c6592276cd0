"""`codekeeper batch run`: from its two files to its exit code and its last words."""

import asyncio
import os
import signal
import time
from dataclasses import dataclass
from typing import Final

from gateway.batch.ask import Asking, ServiceAway
from gateway.batch.items_file import ItemsFile
from gateway.batch.job import IN_FLIGHT_PER_PROCESS, run_job
from gateway.batch.results import NotWritten, Results, Tally
from gateway.dispatch import make_sender
from gateway.dispatch.dispatcher import Dispatcher
from gateway.dispatch.task_sender import opened
from shared.exit_codes import EXIT_ANSWER, EXIT_REFUSAL, EXIT_STOPPED
from shared.local_user import LOCAL_CALLER
from shared.progress import JobProgress
from shared.settings import Settings

NICENESS: Final = 10
"""How far this process steps back, as the Procfile lets the batcher do: on a host that is busy, an agent's read comes first. Linux gives a
process with 10 a tenth of a CPU that another wants whole: a read of 0.66 s, the dearest that was measured, still ends below its soft limit.
`infra/bench/run jobs` shows what the reads feel."""


@dataclass(frozen=True)
class Ended:
    """How a job ended."""

    exit_code: int
    summary: str
    """What is said of it, on one line."""


async def run_to_its_end(settings: Settings, items: ItemsFile, results: Results) -> Ended:
    """Run the job, until SIGINT or SIGTERM at most.

    Raises:
        BadFile: the items were changed meanwhile.
    """
    os.nice(NICENESS)
    began, before = time.monotonic(), results.tally.count
    in_flight = IN_FLIGHT_PER_PROCESS * settings.batch_pool
    why = None
    with JobProgress("item", items.count, before) as progress:
        async with opened(make_sender(settings)) as sender:
            asking = Asking(Dispatcher(sender, in_flight), LOCAL_CALLER, in_flight)
            job = asyncio.ensure_future(run_job(items, asking, results, in_flight, progress.one_more))
            for signalled in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(signalled, job.cancel)
            try:
                await job
            except asyncio.CancelledError:
                why = "stopped"
            except ServiceAway as away:
                why = f"the service is away ({away})"
            except NotWritten as error:
                why = f"the results can't be written ({error})"
    said = summary(results.tally, items.count, before, asking.again, time.monotonic() - began)
    if why is not None:
        return Ended(EXIT_STOPPED, f"{why}; {said}" + ("; the same command goes on from there" if results.resumable else ""))
    return Ended(EXIT_REFUSAL if results.tally.refused else EXIT_ANSWER, said)


def summary(tally: Tally, count: int, before: int, again: int, seconds: float) -> str:
    """How many items have which results: `3 of 4 items: 2 answered, 1 refused (not_found 1)`, and what happened on the way."""
    refused = tally.refused.total()
    parts = [f"{tally.count} of {count} items: {tally.count - refused} answered, {refused} refused"]
    if refused:
        parts[0] += f" ({', '.join(f'{code} {times}' for code, times in tally.refused.most_common())})"
    if before:
        parts.append(f"{before} were there before")
    if again:
        parts.append(f"asked again {again} times")
    return "; ".join([*parts, f"{seconds:.1f} s"])
