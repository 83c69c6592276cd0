"""Headings that are found are kept in a data folder: each test has one of its own."""

from collections.abc import Iterator

import pytest

from shared.settings import settings


@pytest.fixture(autouse=True, scope="module")
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEKEEPER_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        settings.cache_clear()
        yield
    settings.cache_clear()
