"""An indexer with a process of its own."""

from collections.abc import Iterator

import pytest

from workers.indexer.indexer import Indexer


@pytest.fixture
def indexer() -> Iterator[Indexer]:
    one = Indexer()
    yield one
    one.close()
