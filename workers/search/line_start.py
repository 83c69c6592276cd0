"""The beginning of a line that may be of any length, and how it is shown: pure functions of bytes."""

import codecs
from typing import Final

from shared.limits import SNIPPET_MAX_BYTES
from workers.reading.decode import BOM

_KEPT_BYTES: Final = 4_096
"""Bytes of a line that are held: far more than is shown, so that white space around the text is told from it."""


class LineStart:
    """A line that comes in pieces, of which only the beginning is kept."""

    def __init__(self, *, indented: bool = False) -> None:
        """`indented`: white space at the beginning belongs to what is shown."""
        self._kept = bytearray()
        self._indented = indented
        self._longer = False
        self._has_more_text = False

    def add(self, piece: bytes) -> None:
        """The next piece of the line, without its line end."""
        if not self._kept and not self._indented:
            piece = piece.lstrip()
        room = _KEPT_BYTES - len(self._kept)
        self._kept += piece[:room]
        if len(piece) > room:
            self._longer = True
            self._has_more_text = self._has_more_text or bool(piece[room:].strip())

    def shown(self, *, first: bool) -> tuple[str, bool]:
        """The text, and whether it was cut: trimmed, then at most `SNIPPET_MAX_BYTES` of UTF-8, on a character's border (SRC-58 to SRC-60).

        `first`: it is the file's first line, where a byte order mark is none of the text. Bytes that aren't UTF-8 are Latin-1, as in a
        read; that is judged by the line and not by the file, which may be too large to be loaded.
        """
        text = _decode(bytes(self._kept).removeprefix(BOM if first else b""), is_whole=not self._longer)
        if not self._indented:
            text = text.lstrip()
        if not self._has_more_text:
            text = text.rstrip()
        shown = text.encode()
        cut = shown[:SNIPPET_MAX_BYTES].decode("utf-8", "ignore")
        return cut, len(shown) > SNIPPET_MAX_BYTES or self._has_more_text


def _decode(data: bytes, *, is_whole: bool) -> str:
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data, final=is_whole)
    except UnicodeDecodeError:
        return data.decode("latin-1")
