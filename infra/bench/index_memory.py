"""What indexing one file takes of memory above its process: `python -m infra.bench.index_memory`.

Each text has a process of its own, which may take no more than the indexer's (`workers/indexer/limits.py`). The texts are the shapes of
node that were found to cost most for their bytes, in sizes up to the index's own ceiling.
"""

import signal
import subprocess
import sys
from typing import Final

from workers.parsing.code.languages import Language

MIB: Final = 1024 * 1024

SHAPES: Final = {
    Language.JAVASCRIPT: (
        "a",
        "(",
        "[",
        "{",
        "a,",
        "a;",
        "a\n",
        "//\n",
        "/**/",
        "`${",
        "<a>",
        "a=>",
        "a?a:",
        "=a",
        "x=[],",
        "function f(){}\n",
        "a.b",
        "!",
        "x=[1,],",
    ),
    Language.TYPESCRIPT: ("a<", "a:{", "type a=b\n", "<", "a|", "(", "a,"),
    Language.TSX: ("<a>", "a<", "{", "<a/>"),
    Language.PYTHON: (
        "a",
        "(",
        "[",
        "a,",
        "a\n",
        "#\n",
        "a=1\n",
        "if a:\n ",
        "@a\n",
        "f'{",
        "a if a else ",
        "a=",
        "def f(): a\n",
        "not ",
        "-",
    ),
}
SIZES: Final = (16_384, 131_072, 196_608, 262_144, 524_288, MIB, 8 * MIB)

_ONE = """
import resource
import sys
from pathlib import Path
from workers.indexer.limits import MAX_INDEX_BYTES
from workers.own_memory import limit_own_memory
from workers.parsing.code.index import Unindexed
from workers.parsing.code.languages import Language
from workers.parsing.code.read import read_index
language, shape, size = Language(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3])
read_index(b"a", language)
text = (shape * (size // len(shape) + 1))[:size]
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024
before = peak()
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
limit_own_memory(MAX_INDEX_BYTES)
try:
    read_index(text, language)
except (MemoryError, Unindexed) as refused:
    outcome = repr(refused)
else:
    outcome = "indexed"
print(peak() - before, outcome)
"""


def main() -> None:
    """Print a line for every text; at the end the dearest that has an index."""
    dearest = (0, "")
    for language, shapes in SHAPES.items():
        for shape in shapes:
            for size in SIZES:
                command = [sys.executable, "-c", _ONE, language.value, shape, str(size)]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                what = f"{language.value:10} {shape!r:20} {size:8} bytes: "
                if done.returncode < 0:
                    print(f"{what}ended by {signal.Signals(-done.returncode).name}", flush=True)
                    continue
                done.check_returncode()
                taken, outcome = done.stdout.split(maxsplit=1)
                line = f"{what}{int(taken) / MIB:6.1f} MiB, {outcome.strip()}"
                print(line, flush=True)
                if outcome.strip() == "indexed":
                    dearest = max(dearest, (int(taken), line))
    print(f"\ndearest: {dearest[1]}")


if __name__ == "__main__":
    main()
