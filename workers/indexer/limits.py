"""What one index may cost: limits of the process that makes it. They are the same on every machine, and so is the answer (RCC-12)."""

from typing import Final

from workers.own_memory import KEPT_BYTES

MAX_INDEX_BYTES: Final = 96 * 1024 * 1024
"""Bytes of memory that one index may take. Of all shapes that `infra/bench/index_memory.py` tries, those within the other quotas took
62 MiB at the most on 2026-12-01, and ordinary code 25 times its size."""

MAX_STACK_BYTES: Final = 16 * 1024 * 1024
"""Bytes of stack: tree-sitter recurses when it lets go of a tree, by about 100 bytes a level, and `MAX_DEPTH` is refused anyway."""

MAX_INDEX_CPU_S: Final = 2
"""CPU seconds of one index, in whole ones, as the kernel counts: half a second by the budget of its parse, as much for the walk, and what
one operation takes that fills the memory. It is the last resort, for an operation that neither reads nor takes memory."""

MAX_GROWTH_BYTES: Final = KEPT_BYTES
"""Bytes that the process may have kept when an index is made: one that has more ends, and the next text has a new one."""
