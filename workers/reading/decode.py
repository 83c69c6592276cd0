"""From a file's bytes to its text: is it binary, and in which encoding does it stand. Pure functions of bytes."""

from typing import Final

from shared.limits import BINARY_CONTROL_SHARE, BINARY_SAMPLE_BYTES

BOM: Final = b"\xef\xbb\xbf"
"""UTF-8's byte order mark."""

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
