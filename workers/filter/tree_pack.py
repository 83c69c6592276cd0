"""A pack of git trees and its index, as bytes: two files to write where loose objects would be one for each folder. Pure.

Formats: git's `gitformat-pack`, version 2 of both.
"""

import hashlib
import struct
import zlib
from collections.abc import Mapping
from typing import Final

_TREE: Final = 2
"""The type of a tree in a pack."""


def tree_id(body: bytes) -> bytes:
    """The id (SHA-1) of a tree with that body."""
    return _sha1(b"tree %d\0" % len(body) + body)


def pack_of_trees(trees: Mapping[bytes, bytes]) -> tuple[bytes, bytes]:
    """The pack of `trees` (id to body, at least one) and its index; what is stored isn't compressed."""
    pack = bytearray(struct.pack(">4sII", b"PACK", 2, len(trees)))
    where: dict[bytes, tuple[int, int]] = {}
    for oid, body in trees.items():
        entry = _entry_header(len(body)) + zlib.compress(body, 0)
        where[oid] = (zlib.crc32(entry), len(pack))
        pack += entry
    pack += _sha1(pack)
    ids = sorted(where)
    counts = [0] * 256
    for oid in ids:
        counts[oid[0]] += 1
    index = bytearray(struct.pack(">4sI", b"\377tOc", 2))
    seen = 0
    for count in counts:
        seen += count
        index += struct.pack(">I", seen)
    index += b"".join(ids)
    index += b"".join(struct.pack(">I", where[oid][0]) for oid in ids)
    index += b"".join(struct.pack(">I", where[oid][1]) for oid in ids)
    index += pack[-20:]
    index += _sha1(index)
    return bytes(pack), bytes(index)


def _entry_header(size: int) -> bytes:
    """The type and the size of an object as a pack writes them: four bits of the size, then seven at a time, the lowest first."""
    header = bytearray([_TREE << 4 | size & 15])
    size >>= 4
    while size:
        header[-1] |= 0x80
        header.append(size & 0x7F)
        size >>= 7
    return bytes(header)


def _sha1(data: bytes | bytearray) -> bytes:
    return hashlib.sha1(data, usedforsecurity=False).digest()
