"""A source to its syntax tree within a budget: 200 ms of parsing, counted so that a file has the same answer on every machine (RCC-12).

tree-sitter is quadratic on some texts: 100 KB of `/* ` took it 6 s, as much of `a/**/` more than 40. It looks at its budget after every 100
operations, and that is a step here; but one operation may read the rest of the file, so 4 KiB that it reads are a step too.
"""

import threading
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from tree_sitter import Parser, Point, Tree

from workers.parsing.code.deep_stack import on_deep_stack
from workers.parsing.code.index import MAX_SOURCE_BYTES, Limit, Unindexed
from workers.parsing.code.languages import Language, grammar

MAX_STEPS: Final = 10_000
"""The 200 ms of parsing (RCC-12): ordinary code of each language took 17 to 24 us a step on 2026-12-01 (8,700 for 1 MB of TypeScript)."""

MAX_STEP_S: Final = 0.000_05
"""CPU seconds that steps may take on average once 200 ms are over: more than ordinary code needs on a machine half as fast, less than the
texts whose operations become slower and slower. So a parse takes at most `MAX_STEPS` of these, half a second, and one operation."""

MAX_SLOW_S: Final = 0.2
"""CPU seconds before that average counts (RCC-12)."""

_LOOK_EVERY: Final = 4
"""Steps from one look at the clock to the next: a look takes 1 to 4 us."""

LOOK_FOR_ROOM_EVERY: Final = 64
"""Steps from one question whether there is room to the next. tree-sitter ends its process where it gets no memory; of all shapes that
`infra/bench/index_memory.py` tries none took more than 9 MiB in so many steps, on 2026-12-01."""

HasRoom: TypeAlias = Callable[[], bool]
"""Whether the process may take as much memory as a parse takes between two questions."""

_CHUNK_BYTES: Final = 4_096
"""Bytes that the parser is given at once."""


def always() -> bool:
    """Room for a process whose memory nobody limits."""
    return True


def parse(source: bytes, language: Language, has_room: HasRoom = always) -> Tree:
    """The tree of a UTF-8 text, without errors in it. A byte order mark at its beginning is no part of any node.

    Raises:
        Unindexed: `resource-limit`, also where `has_room` says that there is none; or `parse-error`.
    """
    if len(source) > MAX_SOURCE_BYTES or not has_room():
        raise Unindexed(Limit.RESOURCE)
    return on_deep_stack(lambda: _parse(source, language, _Budget(has_room)))


def _parse(source: bytes, language: Language, budget: "_Budget") -> Tree:
    chunks = _chunks.of

    def read(offset: int, _: Point) -> bytes | memoryview:
        # The end of the text, once nothing is left to spend: so the operation that reads too much ends as well.
        return b"" if budget.is_spent() else chunks(source, offset)

    def progress(_offset: int, _has_error: bool) -> bool:  # noqa: FBT001 - tree-sitter calls it so
        return budget.is_spent()

    try:
        tree = Parser(grammar(language)).parse(read, progress_callback=progress)
    except ValueError:  # how a parse ends that was told to
        if not budget.is_over:
            raise
        raise Unindexed(Limit.RESOURCE) from None
    if budget.is_over:
        raise Unindexed(Limit.RESOURCE)
    if tree.root_node.has_error:
        raise Unindexed(Limit.PARSE)
    return tree


class _Budget:
    """What one parse may spend."""

    def __init__(self, has_room: HasRoom) -> None:
        self.is_over = False
        self._has_room = has_room
        self._steps = 0
        self._began = time.thread_time()

    def is_spent(self) -> bool:
        """Take one step; whether it was one too many."""
        self._steps += 1
        if self._steps % _LOOK_EVERY == 0 and not self.is_over:
            slow = time.thread_time() - self._began > max(MAX_SLOW_S, self._steps * MAX_STEP_S)
            self.is_over = slow or self._steps > MAX_STEPS or (self._steps % LOOK_FOR_ROOM_EVERY == 0 and not self._has_room())
        return self.is_over


class _Chunks(threading.local):
    """Pieces of a source in one buffer of the thread's.

    tree-sitter 0.26.1 never lets go of what its `read` returned (it leaks a reference with every call), so that slices of the source
    would stay in memory for good; these few objects stay anyway.
    """

    def __init__(self) -> None:
        self._buffer = memoryview(bytearray(_CHUNK_BYTES))
        self._first: dict[int, memoryview] = {}

    def of(self, source: bytes, offset: int) -> memoryview:
        """At most `_CHUNK_BYTES` of the source from `offset` on, which are good until the next call in this thread."""
        size = max(0, min(len(source) - offset, _CHUNK_BYTES))
        piece = self._first.get(size)
        if piece is None:
            piece = self._first[size] = self._buffer[:size]
        piece[:] = source[offset : offset + size]
        return piece


_chunks: Final = _Chunks()
