"""Side by side on a noisy machine: what is compared runs in turn, A B A B, and only medians and their ratios are looked at."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

WARM_UP_ROUNDS: Final = 5

Subject = Callable[[], Awaitable[object]]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    ours: str
    floor: str = ""
    ratio: float | None = None
    aim: float | None = None
    note: str = ""
    cause: str = ""
    """Why the aim is missed, as far as it was found; shown when it is."""

    @property
    def verdict(self) -> str:
        """`hit` or `MISS`; empty where there is no aim."""
        if self.aim is None or self.ratio is None:
            return ""
        return "hit" if round(self.ratio, 2) <= self.aim else "MISS"


async def in_turn(subjects: Mapping[str, Subject], rounds: int, warm_up: int = WARM_UP_ROUNDS) -> dict[str, float]:
    """The median time in seconds of each subject, from `rounds` rounds in which each runs once."""
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(warm_up + rounds):
        for name, subject in subjects.items():
            began = time.perf_counter()
            await subject()
            if number >= warm_up:
                times[name].append(time.perf_counter() - began)
    return {name: median(taken) for name, taken in times.items()}


def compared(what: str, ours_s: float, floor_s: float, aim: float | None = None, cause: str = "") -> Row:
    """A row of two medians."""
    return Row(what, shown(ours_s), shown(floor_s), ours_s / floor_s, aim, cause=cause)


def shown(seconds: float) -> str:
    """A time with its unit."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.2f} ms"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values are."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table; notes follow it, numbered, so that the columns stay narrow."""
    head = ("what", "ours", "floor", "ratio", "aim", "")
    notes: list[str] = []
    cells = [head]
    for row in rows:
        note = row.cause if row.verdict == "MISS" and row.cause else row.note
        if note and note not in notes:
            notes.append(note)
        what = f"{row.what} [{notes.index(note) + 1}]" if note else row.what
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        cells.append((what, row.ours, row.floor, ratio, "" if row.aim is None else f"≤ {row.aim}", row.verdict))
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join([*lines, "", *(f"[{number}] {note}" for number, note in enumerate(notes, 1))]).rstrip()
