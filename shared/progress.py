"""What a person at a terminal sees of a job while it runs: how far it is, how fast, and how long it still takes."""

import sys
from types import TracebackType
from typing import Self

from tqdm import tqdm


class JobProgress:
    """A bar on stderr, when that is a terminal; else nothing at all is shown."""

    def __init__(self, unit: str, count: int | None, done: int = 0) -> None:
        """`done` of `count` units were done before, which the rate doesn't count; None is a count that isn't known yet."""
        shown = sys.stderr.isatty()
        self._bar = tqdm(total=count, initial=done, unit=unit, disable=not shown, leave=False, file=sys.stderr, dynamic_ncols=True)

    def of(self, count: int) -> None:
        """There are `count` in all, as is known now."""
        if self._bar.total != count:
            self._bar.total = count
            self._bar.refresh()

    def one_more(self) -> None:
        """One more is done."""
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bar.close()
