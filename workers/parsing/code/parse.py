"""A source to its syntax tree within a budget: 200 ms of parsing, counted so that a file has the same answer on every machine (RCC-12).

tree-sitter is quadratic on some texts: 100 KB of `/* ` took it 6 s, as much of `a/**/` more than 40. It looks at its budget after every 100
operations, and that is a step here; but one operation may read the rest of the file, so 4 KiB that it reads are a step too.

What one operation takes can't be bounded from here. Where a text ends in an error, tree-sitter lists every way through what it made no
sense of (`recover_eof`, then `ts_stack_pop_all`): 8 KB of `/*\n` are 2.3 GB for Python's grammar, four times as much for twice the text.
Where it gets no memory, it writes to address 0. Nothing that it tells before shows that it is going to. So a text of somebody else's is
parsed in a process that may end (`workers/indexer`); and no parse is ended by an end of its text that isn't there.
"""

import threading
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from tree_sitter import Parser, Point, Tree

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

GiveUp: TypeAlias = Callable[[], None]
"""Called when nothing is left to spend in the middle of an operation. It may end the process; where it returns, the operation goes on."""

_CHUNK_BYTES: Final = 4_096
"""Bytes that the parser is given at once."""


def go_on() -> None:
    """Let the operation come to its end: for texts that nobody made to cost much."""


def parse(source: bytes, language: Language, give_up: GiveUp = go_on) -> Tree:
    """The tree of a UTF-8 text, without errors in it. A byte order mark at its beginning is no part of any node.

    Some texts end the process, for want of memory or of stack.

    Raises:
        Unindexed: `resource-limit` or `parse-error`.
    """
    if len(source) > MAX_SOURCE_BYTES:
        raise Unindexed(Limit.RESOURCE)
    budget, chunks = _Budget(), _chunks.of

    def read(offset: int, _: Point) -> memoryview:
        if budget.is_spent():
            give_up()
        return chunks(source, offset)

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

    def __init__(self) -> None:
        self.is_over = False
        self._steps = 0
        self._began = time.thread_time()

    def is_spent(self) -> bool:
        """Take one step; whether it was one too many."""
        self._steps += 1
        if self._steps % _LOOK_EVERY == 0 and not self.is_over:
            slow = time.thread_time() - self._began > max(MAX_SLOW_S, self._steps * MAX_STEP_S)
            self.is_over = slow or self._steps > MAX_STEPS
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
