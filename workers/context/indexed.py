"""The index of one source file: kept under its blob, and given up where the process comes near the end of its memory."""

from pathlib import Path
from typing import Final

from workers import parsing
from workers.blob_cache import kept, maker_version
from workers.own_memory import memory_left
from workers.parsing.code.index import Index, Limit, Unindexed
from workers.parsing.code.languages import language_of
from workers.parsing.code.read import read_index

ROOM_BYTES: Final = 32 * 1024 * 1024
"""Bytes that must be left while a text is parsed: the parser ends its process where it gets no memory. Between two questions it took 9 MiB
at the most (`infra/bench/index_memory.py`, 2026-12-01); the walk after it is Python's, and meets a `MemoryError`."""

_VERSION: Final = maker_version(
    Path(parsing.__path__[0]) / "code", "tree-sitter", "tree-sitter-javascript", "tree-sitter-python", "tree-sitter-typescript"
)


def indexed(path: str, text: str, blob_id: str | None) -> Index:
    """The definitions of a text, whole or not at all.

    Raises:
        Unindexed: `unsupported-language`, `parse-error`, or `resource-limit`, also where this process has too little memory left for it.
    """
    language = language_of(path)
    if language is None:
        raise Unindexed(Limit.LANGUAGE)

    def make() -> Index:
        return read_index(text.encode("utf-8"), language, _has_room)

    if blob_id is None:
        return make()
    return Index.from_json(kept(blob_id, f"code-{language.value}-{_VERSION}", lambda: make().to_json()))


def _has_room() -> bool:
    left = memory_left()
    return left is None or left > ROOM_BYTES
