"""What tests put into a store, by the functions that the writing tools call."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from workers.resources import engine
from workers.store import transaction
from workers.store.transaction import writing_own

ResultT = TypeVar("ResultT")


def write(user: str, change: Callable[..., ResultT], *arguments: Any, **named: Any) -> ResultT:
    """What a function of the store does for the user, committed."""
    with writing_own(engine(), user) as own:
        return change(own, *arguments, **named)


@contextmanager
def at(seconds: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is written meanwhile is written at that Unix time."""
    with monkeypatch.context() as patch:
        patch.setattr(transaction, "time", SimpleNamespace(time=lambda: seconds))
        yield
