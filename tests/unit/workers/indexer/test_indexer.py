"""The indexer's process: what it answers, how it is limited, and who it outlives."""

import json
import os
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.unit.workers.parsing.code.reading import JS, PYTHON, read
from workers.indexer import indexer as asking
from workers.indexer.indexer import Indexer
from workers.indexer.limits import MAX_INDEX_BYTES
from workers.own_memory import KEPT_BYTES
from workers.parsing.code.index import Unindexed

ROOT = Path(__file__).parents[4]
SOURCE = (ROOT / "shared/answer.py").read_bytes()


def process_of(indexer: Indexer) -> int:
    assert indexer._process is not None
    return indexer._process.pid


def test_it_says_what_a_reading_in_this_process_says(indexer: Indexer) -> None:
    for source, language in ((SOURCE, PYTHON), ("function é() { return '😀' }".encode(), JS), (b"", JS)):
        assert indexer.index(source, language) == json.loads(json.dumps(read(source, language).to_json()))
    with pytest.raises(Unindexed, match="parse-error"):
        indexer.index(b"def f(:\n", PYTHON)


def test_threads_that_ask_together_each_get_their_own_answer(indexer: Indexer) -> None:
    sources = [f"def f{number}(): pass\n".encode() * 50 for number in range(20)]
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda source: indexer.index(source, PYTHON), sources))
    assert [rows[0][0] for rows in answers] == [[f"f{number}"] for number in range(20)]


@pytest.mark.rule("RCC-12")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces a process's share")
def test_it_may_take_what_an_index_may_take_and_leaves_no_core(indexer: Indexer) -> None:
    indexer.index(b"", PYTHON)
    lines = Path(f"/proc/{process_of(indexer)}/limits").read_text(encoding="ascii").splitlines()
    soft = {line[:26].strip(): line[26:].split()[0] for line in lines}
    own = 32 * 1024 * 1024  # a Python with four grammars
    assert MAX_INDEX_BYTES < int(soft["Max data size"]) < MAX_INDEX_BYTES + KEPT_BYTES + own
    assert int(soft["Max cpu time"]) <= 4
    assert soft["Max core file size"] == "0"


GROWN = "from workers.indexer import program; program.MAX_GROWTH_BYTES = -1; program.main()"


def test_one_that_has_grown_is_replaced(indexer: Indexer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_COMMAND", (sys.executable, "-c", GROWN))
    for _ in range(2):
        assert len(indexer.index(b"a = 1\n", PYTHON)) == 1
        assert indexer._process is None


def test_one_that_was_killed_is_replaced(indexer: Indexer) -> None:
    indexer.index(b"", PYTHON)
    first = process_of(indexer)
    indexer.index(SOURCE, PYTHON)
    assert process_of(indexer) == first
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert len(indexer.index(b"a = 1\n", PYTHON)) == 1
    assert process_of(indexer) != first


def test_an_answer_that_nobody_waited_for_is_not_the_next_ones(indexer: Indexer, monkeypatch: pytest.MonkeyPatch) -> None:
    class SoftTimeLimit(Exception):  # noqa: N818
        pass

    def interrupted(process: subprocess.Popen[bytes], _source: bytes, _language: object) -> None:
        assert process.stdin is not None
        process.stdin.write(b"python 6\na = 1\n")
        process.stdin.flush()
        raise SoftTimeLimit

    with monkeypatch.context() as patched:
        patched.setattr(asking, "_ask", interrupted)
        with pytest.raises(SoftTimeLimit):
            indexer.index(b"", PYTHON)
    assert indexer.index(b"", PYTHON) == []


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "print('indexed 9 0'); raise SystemExit(3)"])
def test_one_that_ends_by_itself_is_our_own_defect(indexer: Indexer, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(asking, "_COMMAND", (sys.executable, "-c", program))
    with pytest.raises(RuntimeError, match="exit code 3"):
        indexer.index(b"a = 1\n", PYTHON)


PARENT = """
import os, sys
from workers.indexer.indexer import indexer
from workers.parsing.code.languages import Language

assert indexer.index(b"a = 1\\n", Language.PYTHON)
if not os.fork():
    assert indexer.index(b"a = 1\\n", Language.PYTHON)  # by a process of its own
    os._exit(0)
assert os.wait()[1] == 0
assert len(indexer.index(b"a = 1\\nb = 1\\n", Language.PYTHON)) == 2
print(indexer._process.pid, flush=True)
sys.stdin.read()
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Linux tells when somebody else's process ends")
def test_a_fork_has_one_of_its_own_and_none_outlives_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        process = os.pidfd_open(int(parent.stdout.readline()))
        parent.stdin.close()
        assert parent.wait() == 0
    assert select.select([process], [], [], 30)[0] == [process]
    os.close(process)
