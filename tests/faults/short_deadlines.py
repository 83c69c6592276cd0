"""`codekeeper` as it is, but for the calls' deadline: `python -m tests.faults.short_deadlines serve`. A test needn't wait for 20 s."""

from typing import Final

from gateway.commands.main import main
from shared.tasks import TASKS

DEADLINE_S: Final = 5
"""Seconds from a call's entry to its answer, at the most."""

if __name__ == "__main__":
    for kind in TASKS:
        if kind.deadline_s is not None:
            object.__setattr__(kind, "deadline_s", DEADLINE_S)
    main()
