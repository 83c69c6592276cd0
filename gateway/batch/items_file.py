"""The items of a job: a file of JSON Lines, one item a line, read as a stream. Blank lines are no items."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, NoReturn

MAX_ITEM_BYTES: Final = 256 * 1024
"""Bytes of one line. The longest item that a tool could take, three texts of 4,096 characters at six bytes each, has 74 KB."""

_SPACE: Final = b" \t\r\n"
"""What JSON allows around a value. Python's own idea of white space is wider."""


class BadFile(Exception):  # noqa: N818 - the operator's fault and no error of ours
    """A file of the operator's can't be what it is given as; the message says why, and repeats nothing of what it holds."""


def parsed(item: bytes) -> Any:
    """An item as JSON gives it.

    Raises:
        ValueError: it is no JSON in UTF-8 (RFC 8259, so no `NaN`).
        RecursionError: it is nested too deeply to be read.
    """
    return json.loads(item.decode("utf-8"), parse_constant=_no_constant)


def _no_constant(_name: str) -> NoReturn:
    raise ValueError("JSON has no NaN and no Infinity")


class ItemsFile:
    """An items file that has been looked through once: each of its lines is JSON, and their number is known."""

    def __init__(self, stream: BinaryIO) -> None:
        """`stream` can be read from its start again.

        Raises:
            BadFile: a line is no JSON, or longer than `MAX_ITEM_BYTES`.
        """
        self._stream = stream
        self.count = sum(1 for _ in self)

    def __iter__(self) -> Iterator[bytes]:
        """Each item's text as it stands in the file, without the white space around it.

        Raises:
            BadFile: see above; it may have been changed since.
        """
        self._stream.seek(0)
        number = 0
        while line := self._stream.readline(MAX_ITEM_BYTES + 1):
            number += 1
            if len(line) > MAX_ITEM_BYTES:
                raise BadFile(f"line {number} of the items has more than {MAX_ITEM_BYTES} bytes")
            item = line.strip(_SPACE)
            if not item:
                continue
            try:
                parsed(item)
            except (ValueError, RecursionError):
                raise BadFile(f"line {number} of the items is no JSON in UTF-8") from None
            yield item


@contextmanager
def open_items(name: str) -> Iterator[ItemsFile]:
    """The items in the file `name`; `-` is standard input, which is copied to a temporary file first.

    Raises:
        BadFile: the file can't be read, or a line of it is no JSON.
    """
    try:
        stream = tempfile.TemporaryFile() if name == "-" else open(name, "rb")  # noqa: PTH123, SIM115 - closed below
    except OSError as error:
        raise BadFile(f"the items can't be read: {error.strerror}") from error
    with stream:
        try:
            if name == "-":
                shutil.copyfileobj(sys.stdin.buffer, stream)
            elif not stream.seekable():
                raise BadFile("the items can't be read twice; give a pipe as standard input, `-`")
            yield ItemsFile(stream)
        except IsADirectoryError as error:
            raise BadFile(f"the items can't be read: {error.strerror}") from error
