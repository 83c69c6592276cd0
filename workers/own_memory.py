"""What a process may take of memory: limits of its own, set once before its first task, and what they leave. Linux; elsewhere no limits.

Two limits, because neither says enough: own memory (`RLIMIT_DATA`) is what a task really takes from the host, exactly its share; the
address space (`RLIMIT_AS`) also counts what is mapped from files, which the kernel can drop, and bounds that.
"""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MAPPED_BYTES: Final = 256 * 1024 * 1024
"""Bytes of address space beside the share, for windows on packs (as many bytes as libgit2 maps at once) and packs' indexes."""

KEPT_BYTES: Final = 16 * 1024 * 1024
"""Bytes that a pool process may keep from call to call (caches, holes in its heap) without its calls' share becoming smaller."""

_KIB: Final = 1024


def limit_own_memory(task_bytes: int) -> None:
    """From now on this process may take `task_bytes` more than it has. A task that wants more meets `MemoryError`.

    The hard limits stay as they are: a git process that is started here is given limits of its own.
    """
    found = _status("VmData", "VmSize")
    if found is None:
        return
    data, address_space = found
    _limit(resource.RLIMIT_DATA, data + KEPT_BYTES + task_bytes)
    _limit(resource.RLIMIT_AS, address_space + KEPT_BYTES + task_bytes + MAPPED_BYTES)


@contextmanager
def own_memory_limited(task_bytes: int) -> Iterator[None]:
    """`limit_own_memory` for as long as something runs, in a process that others may go on with."""
    kinds = (resource.RLIMIT_DATA, resource.RLIMIT_AS)
    before = [resource.getrlimit(kind) for kind in kinds]
    limit_own_memory(task_bytes)
    try:
        yield
    finally:
        for kind, limits in zip(kinds, before, strict=True):
            resource.setrlimit(kind, limits)


def limit_memory_of(process_id: int, own_bytes: int, mapped_bytes: int) -> None:
    """Let a process that was started just now, and what it starts, take `own_bytes` of memory and map `mapped_bytes` beside.

    It is done from here, so that no program on the way and no code between fork and exec is needed. A process that has ended meanwhile
    needs no limit.
    """
    if not hasattr(resource, "prlimit"):
        return
    for kind, value in ((resource.RLIMIT_DATA, own_bytes), (resource.RLIMIT_AS, own_bytes + mapped_bytes)):
        try:
            _, hard = resource.prlimit(process_id, kind)
            resource.prlimit(process_id, kind, (_at_most(value, hard), hard))
        except (ProcessLookupError, PermissionError):
            return


def address_space_left() -> int | None:
    """Bytes that this process may still map; None without a limit."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    found = _status("VmSize")
    return None if limit == resource.RLIM_INFINITY or found is None else max(limit - found[0], 0)


def memory_left() -> int | None:
    """Bytes of own memory that this process may still take, by both limits; None where there is none.

    Own memory is at its share's end before the address space is, where nothing is mapped from files.
    """
    limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
    found = _status("VmData")
    own = None if limit == resource.RLIM_INFINITY or found is None else max(limit - found[0], 0)
    return min((left for left in (own, address_space_left()) if left is not None), default=None)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (_at_most(value, hard), hard))


def _at_most(value: int, hard: int) -> int:
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


def _status(*names: str) -> list[int] | None:
    """These figures of this process in bytes; None where the kernel doesn't tell them."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    found = {name: int(rest.split()[0]) * _KIB for name, _, rest in (line.partition(":") for line in lines) if name in names}
    return [found[name] for name in names] if len(found) == len(names) else None
