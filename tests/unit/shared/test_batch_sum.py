"""How long a batch takes at the most when nothing hangs: the sum of the contract, made of the constants and found in what is written."""

import re
from pathlib import Path

import pytest

from shared.budget import DEAREST_READ_CPU_S, Host, make_budget
from shared.settings import Settings
from shared.tasks import BATCH_READS_S, READ_BATCH

ROOT = Path(__file__).parents[3]
TWO_CPUS = Host(memory_bytes=2**33, memory_from="physical memory", cpus=2.0, cpus_from="CPUs of this process")


@pytest.mark.rule("BAT-75", "BAT-80", "BAT-81")
def test_the_last_read_of_a_batch_ends_long_before_its_task_and_its_caller_are_out_of_time() -> None:
    share = make_budget(Settings(), TWO_CPUS).share_cpus
    longest_s = BATCH_READS_S + DEAREST_READ_CPU_S / share
    written = f"{BATCH_READS_S} + {DEAREST_READ_CPU_S:g} / {share:g} = {longest_s:g} s"
    for document in ("README.md", "shared/contract/read-batch.md"):
        text = re.sub(r"\s+", " ", (ROOT / document).read_text(encoding="utf-8"))
        assert written in text, f"{document} doesn't say {written}"
    assert longest_s < READ_BATCH.soft_s
    assert READ_BATCH.deadline_s is not None
    assert READ_BATCH.deadline_s < 60  # the strictest timer of a client, until the first byte of an answer
