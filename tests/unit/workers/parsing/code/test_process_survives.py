"""Texts whose depth would end the process in tree-sitter: each is read in a process of its own, which must live to answer."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[5]

DEEP = """
import threading
from workers.parsing.code.index import Unindexed
from workers.parsing.code.languages import Language
from workers.parsing.code.read import read_index

def read(shape):
    try:
        read_index(shape * 400_000, Language.TYPESCRIPT)
    except Unindexed as refused:
        print(refused.reason.value)

def read_all():
    for shape in (b"a:{", b"{a:"):
        read(shape)
"""

IN_THE_MAIN_THREAD = """
import resource
before = resource.getrlimit(resource.RLIMIT_STACK)
read_all()
assert resource.getrlimit(resource.RLIMIT_STACK) == before  # what is started later has the stacks that it had
"""

IN_A_THREAD = "thread = threading.Thread(target=read_all)\nthread.start()\nthread.join()\n"

IN_A_CHILD = """
import os
thread = threading.Thread(target=read_all)
thread.start()
thread.join()
child = os.fork()
if not child:
    thread = threading.Thread(target=read, args=(b"{a:",))
    thread.start()
    thread.join()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def run(code: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT).stdout.split()


@pytest.mark.rule("RCC-12")
@pytest.mark.parametrize(
    ("where", "texts"), [(IN_THE_MAIN_THREAD, 2), (IN_A_THREAD, 2), (IN_A_CHILD, 3)], ids=["main thread", "thread", "child"]
)
def test_a_text_of_any_depth_is_refused_by_a_process_that_lives(where: str, texts: int) -> None:
    assert run(DEEP + where) == ["resource-limit"] * texts
