"""From a file's bytes to its text: is it binary, and in which encoding does it stand. Pure functions of bytes."""

import codecs
from collections.abc import Iterator
from typing import Final

from shared.limits import BINARY_CONTROL_SHARE, BINARY_SAMPLE_BYTES

BOM: Final = b"\xef\xbb\xbf"
"""UTF-8's byte order mark."""

_BLOCK_BYTES: Final = 65_536
"""Bytes that are decoded at once where the text isn't kept."""

# Below 32, but for tab, line feed and carriage return.
_CONTROL: Final = bytes(set(range(32)) - {9, 10, 13})


def is_binary(data: bytes) -> bool:
    """Whether a file has no text to show (REF-90): a NUL anywhere, or too many control characters at its head."""
    head = data[:BINARY_SAMPLE_BYTES]
    controls = len(head) - len(head.translate(None, _CONTROL))
    return b"\0" in data or controls > BINARY_CONTROL_SHARE * len(head)


def decode(data: bytes) -> tuple[str, str]:
    """The text and the label of its encoding: `utf-8`, `utf-8-sig` (the mark is removed) or `latin-1` (REF-84 to REF-88).

    The mark is looked for first. `latin-1` takes any bytes: it is a fallback and no detection.
    """
    marked = data.startswith(BOM)
    try:
        return (data[len(BOM) :].decode("utf-8"), "utf-8-sig") if marked else (data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def body_and_encoding(data: bytes) -> tuple[bytes, str]:
    """The bytes of the text, without a mark, and the encoding that `decode` would name, while the text is never there as a whole.

    One character beyond U+FFFF makes a text of ten million characters take forty million bytes.
    """
    marked = data.startswith(BOM)
    try:
        for _ in decoded_pieces(data, "utf-8"):
            pass
    except UnicodeDecodeError:
        return data, "latin-1"
    return (data[len(BOM) :], "utf-8-sig") if marked else (data, "utf-8")


def decoded_pieces(body: bytes, encoding: str) -> Iterator[str]:
    """The text of a body as `body_and_encoding` returned it, a piece after the other."""
    decoder = codecs.getincrementaldecoder(codec_of(encoding))()
    for first in range(0, len(body), _BLOCK_BYTES):
        yield decoder.decode(body[first : first + _BLOCK_BYTES])
    yield decoder.decode(b"", final=True)


def codec_of(encoding: str) -> str:
    """What decodes a body whose mark is gone."""
    return "utf-8" if encoding == "utf-8-sig" else encoding
