"""The results of a job: lines of `{"index", "item", "result"}` in the items' order. The file itself is the state of the job.

A line is written whole, its end last. What a process that was killed left without an end is cut off when the job is resumed.
"""

import fcntl
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Final

from gateway.batch.ask import refusal_of
from gateway.batch.items_file import BadFile
from shared.limits import OUTPUT_BYTE_BUDGET

_END: Final = b"}\n"


class NotWritten(Exception):  # noqa: N818 - a full disk or a closed pipe, and no error of ours
    """A line could not be written; the message is the system's."""


def line_start(index: int, item: bytes) -> bytes:
    """What the line of an item begins with, whatever its result; the item stands in it as it was sent."""
    return b'{"index":%d,"item":%b,"result":' % (index, item)


@dataclass
class Tally:
    """What is answered so far, resumed lines included."""

    count: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """How many items were refused, by code."""

    def add(self, answer: bytes) -> None:
        """Count one item's answer."""
        self.count += 1
        if (refusal := refusal_of(answer)) is not None:
            self.refused[str(refusal["error"])] += 1


class Results:
    """Where the lines go."""

    def __init__(self, stream: FileIO, tally: Tally, *, resumable: bool) -> None:
        """`stream` is unbuffered, and stands where the next line begins; `tally` counts the lines before."""
        self._stream = stream
        self.tally = tally
        self.resumable = resumable
        """Whether what was written can be read again."""

    def write(self, item: bytes, answer: bytes) -> None:
        """Write the line of the next item.

        Raises:
            NotWritten: it can't be written; a part of it may be there.
        """
        line = memoryview(line_start(self.tally.count, item) + answer + _END)
        try:
            while line:
                line = line[self._stream.write(line) :]
        except OSError as error:
            raise NotWritten(error.strerror) from error
        self.tally.add(answer)


@contextmanager
def open_results(name: str, items: Iterable[bytes]) -> Iterator[Results]:
    """The file `name`, made or resumed: behind its last whole line. `-` is standard output; it, a pipe and a device begin anew.

    Raises:
        BadFile: the file can't be opened, another run writes it, or what it holds are no results of these items.
    """
    is_file = name != "-" and (not os.path.lexists(name) or Path(name).is_file())
    try:
        if is_file:
            stream = open(name, "r+b", buffering=0, opener=_made_if_missing)  # noqa: SIM115 - closed below
        else:
            stream = open(sys.stdout.fileno() if name == "-" else name, "wb", buffering=0, closefd=name != "-")  # noqa: SIM115
    except OSError as error:
        raise BadFile(f"{name} can't be written: {error.strerror}") from error
    with stream:
        if not is_file:
            yield Results(stream, Tally(), resumable=False)
            return
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadFile(f"another run writes to {name}") from None
        yield Results(stream, resumed(stream, name, items), resumable=True)


def _made_if_missing(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_CREAT, 0o666)


def resumed(stream: FileIO, name: str, items: Iterable[bytes]) -> Tally:
    """Count the whole lines in `stream`, each of which must be that of the item at its place, and cut off a torn one after them.

    Raises:
        BadFile: a line is none of these items', so the file is not touched.
    """
    tally = Tally()
    whole = 0
    with os.fdopen(os.dup(stream.fileno()), "rb") as lines:
        lines.seek(0)
        for index, item in enumerate(items):
            start = line_start(index, item)
            line = lines.readline(len(start) + OUTPUT_BYTE_BUDGET + len(_END))
            torn = not line.endswith(_END)
            if line[: len(start)] != start[: len(line)] or (torn and lines.read(1)):
                raise BadFile(f"{name} holds no results of these items: line {index + 1} is another item's")
            if torn:
                break
            answer = line[len(start) : -len(_END)]
            try:
                json.loads(answer)
            except ValueError:
                raise BadFile(f"{name} holds no results of these items: line {index + 1} has no answer") from None
            tally.add(answer)
            whole += len(line)
        else:
            if lines.read(1):
                raise BadFile(f"{name} holds no results of these items: it has more lines than there are items")
    stream.truncate(whole)
    stream.seek(whole)
    return tally
