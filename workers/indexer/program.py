"""The indexer's process: it answers on standard output what it is asked on standard input, until that ends.

A question is a line of language and size, and the text; an answer is a line of outcome, size and whether it is the last, and JSON. A text
may end the process instead, by a signal: for want of memory (tree-sitter writes to address 0), of stack, or of CPU time.
"""

import gc
import json
import os
import resource
import sys
import time
from typing import Final, NoReturn

from workers.indexer.limits import MAX_GROWTH_BYTES, MAX_INDEX_BYTES, MAX_INDEX_CPU_S, MAX_STACK_BYTES
from workers.own_memory import limit_own_memory, memory_left
from workers.parsing.code.index import Limit, Unindexed
from workers.parsing.code.languages import Language
from workers.parsing.code.read import read_index

INDEXED: Final = "indexed"
"""The outcome of a text that has an index; of one that has none it is the reason."""


def main() -> None:
    """Limit this process, and answer until nothing more is asked or it has grown."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_STACK, MAX_STACK_BYTES)
    limit_own_memory(MAX_INDEX_BYTES)
    gc.freeze()  # what is loaded stays
    at_first = memory_left()
    while asked := sys.stdin.buffer.readline():
        language, size = asked.split()
        source = sys.stdin.buffer.read(int(size))
        _limit(resource.RLIMIT_CPU, int(time.process_time()) + 1 + MAX_INDEX_CPU_S)
        try:
            outcome, made = INDEXED, json.dumps(read_index(source, Language(language.decode()), _give_up).to_json()).encode()
        except Unindexed as refused:
            outcome, made = refused.reason.value, b""
        except MemoryError:
            _give_up()
        left = memory_left()
        is_last = left is not None and at_first is not None and at_first - left > MAX_GROWTH_BYTES
        _answer(outcome, made, is_last=is_last)
        if is_last:
            return


def _give_up() -> NoReturn:
    """Refuse the text from the middle of an operation, which only an end of the process ends."""
    _answer(Limit.RESOURCE.value, b"", is_last=True)
    os._exit(0)


def _answer(outcome: str, made: bytes, *, is_last: bool) -> None:
    sys.stdout.buffer.write(f"{outcome} {len(made)} {is_last:d}\n".encode() + made)
    sys.stdout.buffer.flush()


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


if __name__ == "__main__":
    main()
