"""Indexing in a process that is short of memory, where tree-sitter would end it: tried in one that must live to answer."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]

SHORT_OF_MEMORY = """
import resource
from workers.context.indexed import indexed
from workers.own_memory import limit_own_memory
from workers.parsing.code.index import Unindexed

assert indexed("a.py", "def f(): pass\\n", None).definitions
limit_own_memory(60 * 1024 * 1024)
for path, shape in (("a.js", "("), ("a.js", "!"), ("a.ts", "a<"), ("a.py", "f'{")):
    try:
        indexed(path, shape * 1_000_000, None)
    except Unindexed as refused:
        print(refused.reason.value)
assert indexed("a.py", "def f(): pass\\n" * 1_000, None).definitions
limit_own_memory(8 * 1024 * 1024)
try:
    indexed("a.py", "def f(): pass\\n", None)
except Unindexed as refused:
    print(refused.reason.value)
"""


def run(code: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT).stdout.split()


@pytest.mark.rule("RCC-13")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces a process's share")
def test_a_process_short_of_memory_refuses_by_name_and_indexes_the_next_file() -> None:
    assert run(SHORT_OF_MEMORY) == ["resource-limit"] * 5
