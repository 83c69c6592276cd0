"""Results in the order of the request whatever the order of their ends, with a bounded number begun."""

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.batch.in_order import in_order


async def turns(count: int) -> None:
    """Let the event loop go round that often."""
    for _ in range(count):
        await asyncio.sleep(0)


@given(st.lists(st.integers(min_value=0, max_value=12), max_size=40), st.integers(min_value=1, max_value=8))
def test_the_order_is_the_requests_and_no_more_than_the_window_is_begun_or_read(durations: list[int], window: int) -> None:
    read = begun = yielded = 0

    def items() -> Iterator[tuple[int, int]]:
        nonlocal read
        for place in enumerate(durations):
            read += 1
            assert read - yielded <= window
            yield place

    async def work(item: tuple[int, int]) -> int:
        nonlocal begun
        begun += 1
        assert begun - yielded <= window
        await turns(item[1])
        return item[0]

    async def run() -> list[tuple[tuple[int, int], int]]:
        nonlocal yielded
        got = []
        async for result in in_order(items(), work, window):
            got.append(result)
            yielded += 1
        return got

    assert asyncio.run(run()) == [(item, item[0]) for item in enumerate(durations)]
    assert begun == len(durations)


@given(st.integers(min_value=0, max_value=20), st.integers(min_value=1, max_value=8))
def test_one_that_raises_ends_it_behind_everything_before_and_leaves_nothing_running(bad: int, window: int) -> None:
    async def work(item: int) -> int:
        await turns(item % 3)
        if item == bad:
            raise LookupError
        return item

    got: list[int] = []

    async def run() -> None:
        async for item, _ in in_order(range(21), work, window):
            got.append(item)

    async def ended() -> set[asyncio.Task[None]]:
        with pytest.raises(LookupError):
            await run()
        return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

    assert asyncio.run(ended()) == set()
    assert got == list(range(bad))


def test_closing_it_cancels_what_is_begun() -> None:
    async def run() -> None:
        results = in_order(range(10), turns, 4)
        async for _ in results:
            break
        await results.aclose()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
