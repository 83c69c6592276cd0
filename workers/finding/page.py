"""Lists that are paged by number: a page beyond the end is pulled back to the last one (PLT section 2.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row


@dataclass(frozen=True)
class Page:
    """One page of a list."""

    rows: Sequence[Row[Any]]
    total: int
    """Rows of all pages."""
    number: int
    """From 1; not always the one that was asked for."""


def page_of(total: int, page: int, per_page: int, rows_from: Callable[[int], Sequence[Row[Any]]]) -> Page:
    """The page of that number, or the last one; `rows_from` gives the rows from an index on, which counts from 0."""
    last = max(1, -(-total // per_page))
    number = min(page, last)
    return Page(rows_from((number - 1) * per_page), total, number)


EMPTY_PAGE: Final = Page((), total=0, number=1)
"""That of a list without a row."""
