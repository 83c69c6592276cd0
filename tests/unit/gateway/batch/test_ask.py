"""What is asked again, how often, after how long; what stands as the item's result, and what stops the job."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.batch.ask import LONGEST_WAIT_S, WORTH_ASKING_AGAIN, Asking, ServiceAway, refusal_of, wait_s
from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.local_user import LOCAL_CALLER
from shared.tasks import GET_REPO_FILE, SYNC_REPOSITORY, TaskKind, as_job_item
from shared.wire.call import Call
from workers.verdicts import deadline_exceeded, internal_error, resource_limit, worker_lost

OK = b'{"ok":true}'
KIND = as_job_item(GET_REPO_FILE)


class Answers:
    """A `Dispatcher` that gives these answers, one after the other."""

    def __init__(self, *answers: bytes | Refused) -> None:
        self._answers: Iterator[bytes | Refused] = iter(answers)
        self.calls: list[Call] = []

    async def answer(self, _kind: TaskKind, call: Call) -> bytes:
        self.calls.append(call)
        answer = next(self._answers)
        if isinstance(answer, Refused):
            raise answer
        return answer


def asked(*answers: bytes | Refused) -> tuple[bytes, list[float], list[Call]]:
    """The answer, the seconds of each wait, and the calls."""
    dispatcher = Answers(*answers)
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    async def run() -> bytes:
        return await Asking(dispatcher, LOCAL_CALLER, 1, pause).answer(KIND, {"path": "a"})  # type: ignore[arg-type]

    return asyncio.run(run()), waits, dispatcher.calls


def refused(code: str, **fields: Any) -> bytes:
    return render({"ok": False, "error": code, **fields})


@pytest.mark.parametrize(
    "answer",
    [OK, refused("not_found"), refused("invalid_ref"), refused("read_failed"), resource_limit("1"), internal_error("1")],
)
def test_what_would_be_the_same_the_next_time_is_asked_once(answer: bytes) -> None:
    assert asked(answer)[:2] == (answer, [])


@pytest.mark.parametrize(
    ("first", "waited"),
    [
        (worker_lost(), 5),
        (deadline_exceeded(), 5),
        (refused("sync_in_progress", retry_after=30), 30),
        (refused("db_error"), 0.5),
        (Refused(ErrorCode.QUEUE_UNAVAILABLE, retry_after=5), 5),
        (Refused(ErrorCode.QUEUE_FULL, retry_after=5), 5),
    ],
)
def test_what_may_pass_is_asked_again_as_a_new_call_after_the_time_it_asks_for(first: bytes | Refused, waited: float) -> None:
    answer, waits, calls = asked(first, OK)
    assert (answer, waits) == (OK, [waited])
    assert len({call.id for call in calls}) == 2
    assert {(call.caller.user, call.caller.admin) for call in calls} == {("local", True)}


@pytest.mark.parametrize("code", [code for code, patience in WORTH_ASKING_AGAIN.items() if not patience.stops_the_job])
def test_an_items_own_trouble_stands_as_its_result_in_the_end(code: str) -> None:
    times = WORTH_ASKING_AGAIN[code].times
    answer, waits, _ = asked(*[refused(code, retry_after=1)] * times)
    assert json.loads(answer)["error"] == code
    assert len(waits) == times - 1


@pytest.mark.parametrize("code", [code for code, patience in WORTH_ASKING_AGAIN.items() if patience.stops_the_job])
def test_a_service_that_stays_away_stops_the_job(code: str) -> None:
    with pytest.raises(ServiceAway) as away:
        asked(*[refused(code, retry_after=1)] * WORTH_ASKING_AGAIN[code].times)
    assert away.value.refused["error"] == code


def test_an_item_waits_for_a_sync_as_long_as_one_may_take() -> None:
    _, waits, _ = asked(*[refused("sync_in_progress", retry_after=30)] * WORTH_ASKING_AGAIN["sync_in_progress"].times)
    assert sum(waits) >= SYNC_REPOSITORY.hard_s


@given(st.integers(min_value=1, max_value=50), st.integers(min_value=0, max_value=90))
def test_waits_grow_within_bounds_and_are_never_shorter_than_asked_for(times: int, asked_for: int) -> None:
    waited = wait_s(times, {"retry_after": asked_for})
    assert max(asked_for, 0.5) <= waited <= max(asked_for, LONGEST_WAIT_S)
    assert waited <= wait_s(times + 1, {"retry_after": asked_for})


def test_no_more_are_in_flight_than_may_be_and_one_that_waits_is_not() -> None:
    in_flight = most = 0

    class Counting:
        async def answer(self, _kind: TaskKind, call: Call) -> bytes:
            nonlocal in_flight, most
            in_flight += 1
            most = max(most, in_flight)
            await asyncio.sleep(0)
            in_flight -= 1
            return refused("worker_lost") if call.arguments["number"] == 0 else OK

    forever = asyncio.Event()

    async def run() -> None:
        asking = Asking(Counting(), LOCAL_CALLER, 3, lambda _seconds: forever.wait())  # type: ignore[arg-type,return-value]
        waiting = asyncio.create_task(asking.answer(KIND, {"number": 0}))
        await asyncio.gather(*(asking.answer(KIND, {"number": number}) for number in range(1, 50)))
        assert not waiting.done()
        waiting.cancel()

    asyncio.run(run())
    assert most == 3


def test_an_answer_is_a_refusal_by_its_first_field() -> None:
    assert refusal_of(render({"ok": True, "content": '"ok":false'})) is None
    assert refusal_of(render({"ok": False, "error": "not_found"})) == {"ok": False, "error": "not_found"}
