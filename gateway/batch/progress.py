"""What a person at a terminal sees of a job while it runs: how far it is, how fast, and how long it still takes."""

import sys
from types import TracebackType
from typing import Self

from tqdm import tqdm


class JobProgress:
    """A bar on stderr, when that is a terminal; else nothing at all is shown."""

    def __init__(self, count: int, done: int) -> None:
        """`done` of `count` items had their results before; the rate doesn't count them."""
        shown = sys.stderr.isatty()
        self._bar = tqdm(total=count, initial=done, unit="item", disable=not shown, leave=False, file=sys.stderr, dynamic_ncols=True)

    def one_more(self) -> None:
        """One more item has its result."""
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bar.close()
