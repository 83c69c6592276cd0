"""Work on many at once, results in the order of the request, and never more than a window of them in memory."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def in_order(items: Iterable[T], work: Callable[[T], Awaitable[R]], window: int) -> AsyncGenerator[tuple[T, R]]:
    """Each item with its result, in the items' order.

    From the oldest item that has no result yet on, at most `window` are begun; `items` is read no further than that. When one raises,
    everything before it has been yielded; then, and when the generator is closed, the others are cancelled.
    """
    begun: deque[tuple[T, asyncio.Task[R]]] = deque()

    async def one(item: T) -> R:
        return await work(item)

    try:
        for item in items:
            begun.append((item, asyncio.create_task(one(item))))
            while begun and (len(begun) >= window or begun[0][1].done()):
                yield begun[0][0], await begun[0][1]
                begun.popleft()
        while begun:
            yield begun[0][0], await begun[0][1]
            begun.popleft()
    finally:
        for _, task in begun:
            task.cancel()
        await asyncio.gather(*(task for _, task in begun), return_exceptions=True)
