"""The sum over all pools of the host, worked out by hand, and what the kernel says of a host in its two dialects."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shared import budget
from shared.budget import MIB, Budget, Host, make_budget, rate_limit, read_host
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY, MAX_PATH_CHARS, MAX_REF_CHARS
from shared.settings import Settings
from shared.tasks import BATCH, READ, SYNC

CPUS = float(len(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else float(os.cpu_count() or 1)


def host_of(folder: Path, files: Mapping[str, str], **settings: Any) -> Host:
    for name, text in {"proc/meminfo": "MemTotal:        8388608 kB\nMemFree: 1 kB\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="ascii")
    return read_host(Settings(**settings), folder)


@pytest.mark.parametrize(
    ("files", "memory", "from_"),
    [
        ({}, 8192, "physical memory"),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 512, "cgroup"),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 8192, "physical memory"),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": str(99 * 2**40)}, 8192, "physical memory"),
        # Of all groups above, the narrowest holds.
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max", "sys/fs/cgroup/a/memory.max": str(2**30),
          "sys/fs/cgroup/memory.max": str(2**31)}, 1024, "cgroup"),
        ({"proc/self/cgroup": "0::/not/seen/from/here\n", "sys/fs/cgroup/memory.max": str(2**30)}, 1024, "cgroup"),
        # Version 1.
        ({"proc/self/cgroup": "9:name=systemd:/x\n4:memory:/docker/f00\n0::/\n",
          "sys/fs/cgroup/memory/docker/f00/memory.limit_in_bytes": str(2**30)}, 1024, "cgroup"),
        ({"proc/self/cgroup": "4:memory:/docker/f00\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": str(2**30)}, 1024, "cgroup"),
        ({"proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712"}, 8192,
         "physical memory"),
        ({"proc/self/cgroup": "nonsense\n\n:::\n"}, 8192, "physical memory"),
    ],
)  # fmt: skip
def test_memory_is_the_narrowest_limit_of_the_groups_or_what_there_is(
    tmp_path: Path, files: Mapping[str, str], memory: int, from_: str
) -> None:
    host = host_of(tmp_path, files)
    assert (host.memory_bytes, host.memory_from) == (memory * MIB, from_)
    assert (host.cpus, host.cpus_from) == (CPUS, "CPUs of this process")
    as_set = host_of(tmp_path, files, memory_limit="3G")
    assert (as_set.memory_bytes, as_set.memory_from) == (3072 * MIB, "CODEKEEPER_MEMORY_LIMIT")


@pytest.mark.parametrize(
    ("files", "cpus"),
    [
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "50000 100000\n"}, 0.5),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, CPUS),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "99999900000 100000\n"}, CPUS),
        ({"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "70000 100000", "sys/fs/cgroup/cpu.max": "25000 100000"}, 0.25),
        ({"proc/self/cgroup": "3:cpu,cpuacct:/a\n", "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "75000",
          "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000"}, 0.75),
        ({"proc/self/cgroup": "1:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
          "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000"}, CPUS),
        ({"proc/self/cgroup": "1:cpuset:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "1", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "9"}, CPUS),
    ],
)  # fmt: skip
def test_cpus_are_the_narrowest_quota_of_the_groups_or_those_of_the_process(tmp_path: Path, files: Mapping[str, str], cpus: float) -> None:
    host = host_of(tmp_path, files)
    assert (host.cpus, host.cpus_from) == (cpus, "CPUs of this process" if cpus == CPUS else "cgroup")


@pytest.mark.parametrize(
    ("written", "size"),
    [("1", 1), ("1048576", 2**20), ("5K", 5 * 2**10), ("512M", 2**29), ("512m", 2**29), (" 2G ", 2**31), ("2g", 2**31)],
)
def test_a_memory_limit_is_bytes_or_a_number_with_a_suffix(monkeypatch: pytest.MonkeyPatch, written: str, size: int) -> None:
    monkeypatch.setenv("CODEKEEPER_MEMORY_LIMIT", written)
    assert Settings().memory_limit == size


@pytest.mark.parametrize("written", ["0", "0G", "-1", "1.5G", "1T", "1GB", "G", "1 G", "lots", "٣"])
def test_another_memory_limit_stops_the_start_and_is_named(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("CODEKEEPER_MEMORY_LIMIT", written)
    with pytest.raises(ValueError, match="memory_limit"):
        Settings()


@pytest.fixture
def round_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs easily added: 100 + 30 + 20 + 3 * 100 = 450; 50 for each process of a pool, 150 for a batcher's, 170 for a reader's."""
    for name, mib in {
        "GATEWAY_BYTES": 100, "BEAT_BYTES": 30, "ENCODING_BYTES": 20, "WORKER_MAIN_BYTES": 100, "POOL_PROCESS_BYTES": 50,
        "GIT_READ_BYTES": 100, "INDEXER_BYTES": 20, "DEAREST_READ_BYTES": 40,
    }.items():  # fmt: skip
        monkeypatch.setattr(budget, name, mib * MIB)


def a_budget(memory_mib: int, read: int = 2, batch: int = 1, sync: int = 1) -> Budget:
    return Budget(Host(memory_mib * MIB, "cgroup", 2, "cgroup"), read, batch, sync)


@pytest.mark.rule("PLT-71")
@pytest.mark.usefixtures("round_costs")
@pytest.mark.parametrize(
    ("memory", "pools", "fixed", "share", "least"),
    [
        # 450 + 2 * 170 + 150 + 50 = 990; 4 tasks.
        (2000, (2, 1, 1), 990, 1010 / 4, 990 + 160),
        (1150, (2, 1, 1), 990, 40, 1150),
        (1149, (2, 1, 1), 990, 159 / 4, 1150),
        (900, (2, 1, 1), 990, 0, 1150),
        # 450 + 10 * 170 + 150 + 2 * 50 = 2400; 13 tasks.
        (2920, (10, 1, 2), 2400, 40, 2920),
    ],
)
def test_what_the_processes_leave_is_divided_by_all_tasks_of_the_host(
    memory: int, pools: tuple[int, int, int], fixed: int, share: float, least: int
) -> None:
    found = a_budget(memory, *pools)
    assert (found.tasks, found.fixed_bytes) == (sum(pools), fixed * MIB)
    assert found.share_bytes == int(share * MIB)
    assert found.share_cpus == 2 / sum(pools)
    assert found.least_memory_bytes == least * MIB
    assert found.fits is (memory >= least)
    assert (found.refusal(READ) is None) is (memory >= least)


@pytest.mark.usefixtures("round_costs")
def test_the_refusal_names_a_memory_limit_and_a_width_that_each_suffice() -> None:
    # 450 + 4 * 170 + 150 + 50 = 1330 for 6 tasks; 4 readers need 1570, and 1390 are enough for 3 (1330 - 170 + 200).
    assert a_budget(1390, 4).refusal(READ) == (
        "The memory of this host (1390M, cgroup) leaves each of 6 tasks 10M, and the dearest read takes 40M: raise CODEKEEPER_MEMORY_LIMIT "
        "to at least 1570M, if the host has that, or lower CODEKEEPER_READ_POOL to at most 3."
    )
    assert a_budget(1570, 4).refusal(READ) is None
    assert a_budget(1390, 3).refusal(READ) is None
    # A batcher is told of its own pool first, and of another where its own can't be made narrow enough.
    assert "lower CODEKEEPER_BATCH_POOL to at most 2." in (a_budget(1390, 2, 9).refusal(BATCH) or "")
    assert "lower CODEKEEPER_READ_POOL to at most 3." in (a_budget(1390, 9, 1).refusal(BATCH) or "")
    # Where no pool is wide, only memory helps.
    assert (a_budget(900, 1, 1, 1).refusal(READ) or "").endswith("to at least 940M, if the host has that.")
    assert a_budget(900, 1, 1, 1).refusal(SYNC) is None


@pytest.mark.usefixtures("round_costs")
@pytest.mark.parametrize("memory", range(800, 3000, 97))
@pytest.mark.parametrize("queue", [READ, BATCH, SYNC])
def test_the_widest_pool_fits_and_one_more_does_not(memory: int, queue: str) -> None:
    widest = a_budget(memory).widest_pool(queue)
    assert a_budget(memory, **{queue: widest + 1}).fits is False
    if widest:
        assert a_budget(memory, **{queue: widest}).fits is True


def test_a_sync_may_take_more_than_a_small_share_and_a_large_share_whole() -> None:
    small = Host(0, "cgroup", 2, "cgroup")
    assert make_budget(Settings(), small).task_bytes(SYNC) == budget.SYNC_BYTES
    roomy = make_budget(Settings(), Host(64 * 1024 * MIB, "cgroup", 2, "cgroup"))
    assert roomy.task_bytes(SYNC) == roomy.task_bytes(READ) == roomy.share_bytes > budget.SYNC_BYTES


def test_pools_are_those_of_the_settings_or_those_a_worker_was_started_with() -> None:
    host = Host(0, "cgroup", 2, "cgroup")
    of_settings = make_budget(Settings(read_pool=7, batch_pool=3, sync_pool=2), host)
    assert (of_settings.read_pool, of_settings.batch_pool, of_settings.sync_pool) == (7, 3, 2)
    started = make_budget(Settings(read_pool=7), host, started_with={READ: 9})
    assert (started.read_pool, started.batch_pool, started.sync_pool) == (9, 1, 1)


@pytest.mark.rule("PLT-85", "PLT-88")
@pytest.mark.parametrize(("cpus", "units"), [(2, 120), (1, 60), (0.5, 30), (8, 480), (1.99, 119), (0.001, 1)])
def test_the_rate_limit_follows_from_the_cpus_unless_it_is_set(cpus: float, units: int) -> None:
    host = Host(2**30, "cgroup", cpus, "cgroup")
    assert rate_limit(Settings(), host) == (units, 60)
    assert rate_limit(Settings(rate_limit="7/30"), host) == (7, 30)


@pytest.mark.rule("PLT-87")
def test_a_user_at_the_limit_fills_the_cpus_with_the_dearest_reads_and_no_more() -> None:
    assert budget.RATE_UNITS_PER_CPU * budget.DEAREST_READ_CPU_S <= budget.RATE_WINDOW_S
    # What keeps a unit's price bounded: the lengths of what a caller may send, far below what a body may hold.
    assert (MAX_PATH_CHARS, MAX_REF_CHARS, MAX_FILE_SIZE_FOR_DISPLAY) == (4_096, 4_096, 512_000)


def test_without_any_file_of_the_kernel_the_host_is_still_measured(tmp_path: Path) -> None:
    host = read_host(Settings(), tmp_path)
    assert host.memory_bytes == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert host.cpus == CPUS
