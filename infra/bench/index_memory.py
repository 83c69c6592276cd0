"""What indexing one file takes of memory above its process: `python -m infra.bench.index_memory`. Each text has a process of its own.

The texts are the shapes of node that were found to cost most for their bytes, in sizes up to the index's own ceiling.
"""

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
SIZES: Final = (16_384, 131_072, MIB, 8 * MIB)

_ONE = """
import sys
from pathlib import Path
from workers.parsing.code.index import Unindexed
from workers.parsing.code.languages import Language
from workers.parsing.code.read import read_index
from workers.own_memory import _status
language, shape, size = Language(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3])
read_index(b"a", language)
text = (shape * (size // len(shape) + 1))[:size]
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024
looks = []
def has_room():
    looks.append(_status("VmData")[0])
    return True
before = peak()
try:
    read_index(text, language, has_room)
except Unindexed as refused:
    outcome = refused.reason.value
else:
    outcome = "indexed"
print(peak() - before, max((b - a for a, b in zip(looks, looks[1:])), default=0), outcome)
"""


def main() -> None:
    """Print a line for every text, the dearest at the end."""
    dearest = (0, "")
    for language, shapes in SHAPES.items():
        for shape in shapes:
            for size in SIZES:
                command = [sys.executable, "-c", _ONE, language.value, shape, str(size)]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                taken, growth, outcome = done.stdout.split()
                mib, growth_mib = int(taken) / MIB, int(growth) / MIB
                line = f"{language.value:10} {shape!r:20} {size:8} bytes: {mib:6.1f} MiB, {growth_mib:5.1f} between looks, {outcome}"
                print(line, flush=True)
                dearest = max(dearest, (int(taken), line))
    print(f"\ndearest: {dearest[1]}")


if __name__ == "__main__":
    main()
