"""For the scanners' tests: maps as tuples, and whether a scan's time grows with the text and not with its square."""

import random
import sysconfig
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from workers.parsing.outline import NoOutline, Symbol, in_order

Map = list[tuple[str, int, int]]
Outline = Callable[[str], list[Symbol]]

SOON = 2.0
"""CPU seconds for 100,000 characters of anything: ten times what the slowest takes, and less than any square of them would."""


def rows(symbols: list[Symbol]) -> Map:
    return [(symbol.name, symbol.start, symbol.end) for symbol in in_order(symbols)]


def seconds(outline: Outline, text: str) -> float:
    """CPU seconds of one scan; a refusal is an end too."""
    start = time.process_time()
    with suppress(NoOutline):
        outline(text)
    return time.process_time() - start


def growth(outline: Outline, unit: str, size: int) -> float:
    """How many times longer a text of `size` characters of `unit` takes than one of half of them, short ones counted as 100 ms."""
    half, whole = (max(seconds(outline, filled(unit, characters)), 0.1) for characters in (size // 2, size))
    return whole / half


def filled(unit: str, size: int) -> str:
    """About `size` characters of `unit`."""
    return unit * max(size // len(unit), 1)


def assert_lines_are_in_the_file(symbols: list[Symbol], text: str) -> None:
    total = text.count("\n") + 1
    assert all(1 <= symbol.start <= symbol.end <= total for symbol in symbols)


def installed(name: str, under: str = "purelib") -> list[Path]:
    """Files of that name in one of the interpreter's own folders, such as `*.css` in the packages installed."""
    return sorted(Path(sysconfig.get_path(under)).rglob(name))


def sample(paths: Sequence[Path], count: int) -> list[Path]:
    """Some of the paths, the same ones every time."""
    return random.Random(count).sample(paths, count)  # noqa: S311 - nothing secret is drawn
