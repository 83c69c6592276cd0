"""The files of the fetched corpora that a deep test looks at."""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from infra import corpora

SEED = 4


def real(*suffixes: str, under: Iterable[str] = ("",), at_most: int | None = None) -> list[Path]:
    """Those with one of `suffixes`, or as many of them as `at_most` says, the same ones every time. Skips the test without any."""
    found = corpora.pages(*suffixes, under=under)
    if not found:
        pytest.skip("the corpora aren't there; python -m infra.corpora fetches them, and so does infra/test --deep")
    if at_most is None or len(found) <= at_most:
        return found
    return sorted(random.Random(SEED).sample(found, at_most))  # noqa: S311 - nothing secret is drawn


def texts(paths: Iterable[Path]) -> Iterable[tuple[Path, str]]:
    """The paths with their texts, without those that aren't UTF-8."""
    for path in paths:
        try:
            yield path, path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
