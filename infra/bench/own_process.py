"""What a piece of work costs in a process of its own, forked from one that has loaded everything, as pool processes are; Linux.

Peak is the resident memory above what the process had when its peak was reset; CPU is that of the process and of the processes it started.
"""

import os
import resource
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from shared.errors import Refused
from workers.own_memory import limit_own_memory

Read = Callable[[], bytes]
"""A call of a tool's function."""


@dataclass(frozen=True)
class Spent:
    """What one piece of work took."""

    peak_bytes: int
    cpu_s: float
    said: str
    """What the work returned, or `MemoryError`."""


def spent_by(work: Callable[[], str], limit_bytes: int | None = None) -> Spent:
    """Run `work` in a child, which may take `limit_bytes` above what it has when that is given.

    Raises:
        RuntimeError: `work` raised something else than MemoryError, which the child says on stderr.
    """
    reader, writer = os.pipe()
    if child := os.fork():
        os.close(writer)
        with os.fdopen(reader) as told:
            line = told.read()
        os.waitpid(child, 0)
        if not line:
            raise RuntimeError("a measured piece of work failed")
        peak, cpu_s, said = line.split("\t")
        return Spent(int(peak), float(cpu_s), said)
    os.close(reader)
    if limit_bytes is not None:
        limit_own_memory(limit_bytes)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before, began = _resident()["VmRSS"], _cpu_s()
    try:
        said = work()
    except MemoryError:
        said = "MemoryError"
    finally:
        if exception := sys.exception():
            traceback.print_exception(exception)
            os._exit(1)
    os.write(writer, f"{_resident()['VmHWM'] - before}\t{_cpu_s() - began}\t{said}".encode())
    os._exit(0)


def said(read: Read) -> Callable[[], str]:
    """A read as such work: it returns the answer's size, or the code that the read was refused with."""

    def work() -> str:
        try:
            return f"{len(read()):,} bytes"
        except Refused as refused:
            return refused.code.value

    return work


def _resident() -> Mapping[str, int]:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.startswith(("VmRSS", "VmHWM"))}


def _cpu_s() -> float:
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
