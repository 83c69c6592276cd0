"""The sum that ties pools, memory and CPUs together: what one task may cost on this host, and whether its dearest one fits.

Pure arithmetic over the settings and what the kernel says of the host. All sizes are bytes, CPUs are a count that may be a fraction.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from shared.limits import MAX_CALLS_IN_FLIGHT, OUTPUT_BYTE_BUDGET
from shared.settings import Settings
from shared.tasks import BATCH, READ, SYNC

MIB: Final = 1024 * 1024

DEAREST_READ_BYTES: Final = 192 * MIB
"""What the dearest read takes above what its process had before it, with room: the outline of a file at the read ceiling.
`infra/bench/outline_cost.py` and `read_cost.py` measure it again. On 2026-12-01 the first found 165 MiB for Python as dense as its scanner
takes, which refuses at 180, and 162 for a template of open braces in a style, with one character of four bytes; the second found 31 for a
range of a 10 MiB file that is stored as a delta against another such file, 27 for one that isn't, whatever its characters, 7 for a page of
1,000 paths with stats of a tree of 100,000, and 22 for the dearest documentation page it tries, one that meets the token ceiling.
A code context takes 51 for a file of 8 MiB with one character of four bytes, while its indexer may take 112 (`workers/indexer/limits.py`).
`infra/bench/parse_cost.py` searches for the dearest page: 18 MiB for its parse alone. A batch of six such ranges took 39 to 42, and so do
six calls of one in the same process: beside the dearest read it is what the one before left in the heap, for which `KEPT_BYTES` in
`workers/own_memory.py` has room.

`saved_file_cost.py` found 133 MiB for a text looked for in a saved file of the most characters that can be set, 10,000,000, each of which
folds to three. As many characters of four bytes, 40 MB, are `resource_limit`: while Python decodes them it reserves five times that. With
the default of 512,000 characters no read of a saved file takes more than a documentation page does."""

DEAREST_READ_CPU_S: Final = 1.0
"""CPU seconds of the dearest read, with room. The scripts found 0.66 for that page of the tree, 0.19 for that range, and for parsing
the dearest documentation page 0.77 in Markdown (`workers/parsing/markdown/limits.py`) and 0.68 in reStructuredText. A tree of
`TREE_ENTRIES_MAX` entries takes ten times as much; the soft limit of its task bounds it, and no real repository is near. A file's
history takes 0.84 in 100,000 commits, and more in more of them until `GIT_HISTORY_TIMEOUT_S` ends it.

Nor is the map of each large file within: 0.5 s for each MiB of JavaScript that people wrote, 0.25 of HTML; of text made to cost 2 s for
each MiB of JavaScript (`a;`), 1.5 of reStructuredText (`1. a` or `- .. _` on each line), 0.7 of HTML (`<div>`), 0.5 of style sheets (`{`).
The soft limit bounds these too.

A text that stands in every second line of a saved file of 10,000,000 characters takes 1.3 s to be counted, in one of 512,000 0.07.

A search is git's work and has a bound of its own, `GIT_GREP_TIMEOUT_S` for each of two passes. In 50,000 files a text of few of them takes
0.2 s, one of every file or an expression 2 (`infra/bench/README.md`).
"""

GATEWAY_BYTES: Final = 128 * MIB + MAX_CALLS_IN_FLIGHT * OUTPUT_BYTE_BUDGET
"""The gateway, and the largest answers of all calls in flight. `infra/bench/run memory` measures this and the workers again; on 2026-12-01
a gateway without calls had 106 MiB resident. Sixteen code contexts of 4 MiB at once, which no user's rate limit allows, took 50 beside."""

WORKER_MAIN_BYTES: Final = 90 * MIB
"""A worker's main process. With two pool processes it had 160 MiB after 1,500 calls, shared pages counted once; this sum says 190."""

ENCODING_BYTES: Final = 72 * MIB
"""What tokens are counted with, in the reader's main process: on 2026-12-01 loading it took 68 MiB there (`infra/bench/run memory`), and
its pool processes, which count with the same pages, none."""

BEAT_BYTES: Final = 80 * MIB
"""The schedule's process: 75 MiB on 2026-12-01."""

POOL_PROCESS_BYTES: Final = 50 * MIB
"""A pool process between two calls, without what it shares with the process that it was forked from: 28 and 49 MiB in that measurement."""

INDEXER_BYTES: Final = 32 * MIB
"""The process beside a pool process in which `read_code_context` has texts parsed, between two texts: 15 MiB at its start, 18 after the
largest, and one that has grown by `KEPT_BYTES` ends."""

GIT_READ_BYTES: Final = 128 * MIB
"""Memory of one git process of a read: the largest blob that the large hosting services take is 100 MB, and a search loads each whole."""

SYNC_BYTES: Final = 2 * 1024 * MIB
"""Memory that a sync, and each git process of it, may take at the least, whatever the share: indexing the pack of a repository with ten
million objects takes about 1.5 GB. It is a bound on what runs away and no part of the sum; on a smaller host the kernel's is met first."""

RATE_WINDOW_S: Final = 60
"""Seconds of the rate limit's window unless the operator set one."""

RATE_UNITS_PER_CPU: Final = 60
"""Units a user may spend in that window for every CPU: a unit's worst cost is `DEAREST_READ_CPU_S`, so that one user at the limit, with
the worst call every time, can fill this host's CPUs and no more."""

_V1_CPU: Final = ("cpu", "cpu,cpuacct", "cpuacct,cpu")
"""Folders of the CPU controller, version 1."""


@dataclass(frozen=True)
class Host:
    """What there is to divide."""

    memory_bytes: int
    memory_from: str
    """Where that number is from: `CODEKEEPER_MEMORY_LIMIT`, `cgroup` or `physical memory`."""
    cpus: float
    cpus_from: str
    """`cgroup` or `CPUs of this process`."""


def read_host(configured: Settings, root: Path = Path("/")) -> Host:
    """The memory limit that was set, else the control group's, else physical memory; the CPU quota, else the CPUs this process may use.

    `root` is where `proc` and `sys` are.
    """
    physical = _physical_memory(root)
    grouped = min(_group_values(root, ("memory",), "memory.max", "memory.limit_in_bytes"), default=physical)
    if configured.memory_limit is not None:
        memory, memory_from = configured.memory_limit, "CODEKEEPER_MEMORY_LIMIT"
    else:
        memory, memory_from = (int(grouped), "cgroup") if grouped < physical else (physical, "physical memory")
    usable = float(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    quota = min(_cpu_quotas(root), default=usable)
    return Host(memory, memory_from, *((quota, "cgroup") if quota < usable else (usable, "CPUs of this process")))


def _physical_memory(root: Path) -> int:
    for line in _read(root / "proc/meminfo").splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _read(path: Path) -> str:
    """The file's text, without white space around; empty when there is none."""
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _groups(root: Path, controllers: tuple[str, ...]) -> Iterator[Path]:
    """This process's control groups and all above them: version 2's, and of version 1 those of the controller by these names.

    A limit of any group above holds too. In a container the group's own path may not be there; then its top is what the container sees.
    """
    for line in _read(root / "proc/self/cgroup").splitlines():
        named, _, path = line.partition(":")[2].partition(":")
        if named and not set(named.split(",")) & set(controllers):
            continue
        tops = [root / "sys/fs/cgroup" / name for name in controllers] if named else [root / "sys/fs/cgroup"]
        relative = PurePosixPath(path.lstrip("/"))
        yield from (top / part for top in tops for part in (relative, *relative.parents))


def _group_values(root: Path, controllers: tuple[str, ...], *names: str) -> Iterator[float]:
    for group in _groups(root, controllers):
        yield from (float(text) for name in names if (text := _read(group / name)).isdecimal())


def _cpu_quotas(root: Path) -> Iterator[float]:
    """Quotas as a number of CPUs."""
    for group in _groups(root, _V1_CPU):
        pair = _read(group / "cpu.max").split() or [_read(group / "cpu.cfs_quota_us"), _read(group / "cpu.cfs_period_us")]
        if len(pair) == 2 and all(value.isdecimal() and int(value) for value in pair):  # noqa: PLR2004 - quota and period
            yield int(pair[0]) / int(pair[1])


@dataclass(frozen=True)
class Cost:
    """One line of the fixed costs."""

    what: str
    count: int
    each_bytes: int

    @property
    def bytes(self) -> int:
        """What all of them take."""
        return self.count * self.each_bytes


@dataclass(frozen=True)
class Budget:
    """The host divided by its pools."""

    host: Host
    read_pool: int
    batch_pool: int
    sync_pool: int

    @property
    def tasks(self) -> int:
        """Tasks that run at once on this host, at the most."""
        return self.read_pool + self.batch_pool + self.sync_pool

    @property
    def costs(self) -> tuple[Cost, ...]:
        """What is taken before any task runs."""
        return (
            Cost("gateway", 1, GATEWAY_BYTES),
            Cost("schedule", 1, BEAT_BYTES),
            Cost("worker main processes", 3, WORKER_MAIN_BYTES),
            Cost("token encoding of the reader", 1, ENCODING_BYTES),
            Cost("pool processes", self.tasks, POOL_PROCESS_BYTES),
            Cost("indexers of reads", self.read_pool, INDEXER_BYTES),
            Cost("git of reads and batch items", self.read_pool + self.batch_pool, GIT_READ_BYTES),
        )

    @property
    def fixed_bytes(self) -> int:
        """The sum of `costs`."""
        return sum(cost.bytes for cost in self.costs)

    @property
    def share_bytes(self) -> int:
        """What one task may take; 0 when the fixed costs leave nothing."""
        return max(self.host.memory_bytes - self.fixed_bytes, 0) // self.tasks

    @property
    def share_cpus(self) -> float:
        """CPUs of one task while all others run too."""
        return self.host.cpus / self.tasks

    @property
    def fits(self) -> bool:
        """Whether the dearest task fits in the share."""
        return self.host.memory_bytes >= self.least_memory_bytes

    @property
    def least_memory_bytes(self) -> int:
        """The smallest memory limit with which the dearest task fits, for these pools."""
        return self.fixed_bytes + self.tasks * DEAREST_READ_BYTES

    def widest_pool(self, queue: str) -> int:
        """The largest width of that queue's pool with which the dearest task fits, the others as they are; 0 when even 1 is too wide."""
        without, with_one = (self._with(queue, width).least_memory_bytes for width in (0, 1))
        return max(self.host.memory_bytes - without, 0) // (with_one - without)

    def _with(self, queue: str, width: int) -> "Budget":
        widths = {READ: self.read_pool, BATCH: self.batch_pool, SYNC: self.sync_pool} | {queue: width}
        return Budget(self.host, widths[READ], widths[BATCH], widths[SYNC])

    def refusal(self, queue: str) -> str | None:
        """Why a worker of that queue must not start, in one sentence that names the number to change; None when it may.

        A sync is bounded by its own ceiling, so a syncer always may.
        """
        if self.fits or queue == SYNC:
            return None
        lower = ""
        for narrowed in dict.fromkeys((queue, READ, BATCH, SYNC)):
            if width := self.widest_pool(narrowed):  # wider than it is, it would fit already
                lower = f", or lower CODEKEEPER_{narrowed.upper()}_POOL to at most {width}"
                break
        return (
            f"The memory of this host ({in_mib(self.host.memory_bytes)}, {self.host.memory_from}) leaves each of {self.tasks} tasks "
            f"{in_mib(self.share_bytes)}, and the dearest read takes {in_mib(DEAREST_READ_BYTES)}: raise CODEKEEPER_MEMORY_LIMIT to at "
            f"least {in_mib(self.least_memory_bytes)}, if the host has that{lower}."
        )

    def task_bytes(self, queue: str) -> int:
        """Where a task of that queue, beside what its process has at its start, is ended: its share; a sync's is `SYNC_BYTES` at least."""
        return max(self.share_bytes, SYNC_BYTES) if queue == SYNC else self.share_bytes


def in_mib(size: int) -> str:
    """Bytes as `CODEKEEPER_MEMORY_LIMIT` takes them, rounded up to whole MiB: `1234M`."""
    return f"{-(-size // MIB)}M"


def make_budget(configured: Settings, host: Host | None = None, started_with: Mapping[str, int] | None = None) -> Budget:
    """The sum for these settings. `started_with` names, by queue, widths of pools that a worker really has, whatever the settings say."""
    read, batch, sync = ((started_with or {}).get(queue, configured.pool_of(queue)) for queue in (READ, BATCH, SYNC))
    return Budget(host or read_host(configured), read, batch, sync)


def rate_limit(configured: Settings, host: Host | None = None) -> tuple[int, int]:
    """Units a user may spend and the seconds of their window: as set, else `RATE_UNITS_PER_CPU` for every CPU of the host."""
    if configured.rate_units_and_seconds is not None:
        return configured.rate_units_and_seconds
    cpus = (host or read_host(configured)).cpus
    return max(1, int(RATE_UNITS_PER_CPU * cpus)), RATE_WINDOW_S
