"""`codekeeper files import` or `export` in a process that kills itself in the middle of the file with a given number.

Usage: python -m tests.store.killed import|export DIR NUMBER
"""

import os
import signal
import sys
from itertools import count
from typing import Any

from workers.commands.files import files
from workers.moving import import_folder, target
from workers.store.put_file import Put


def kill_at(number: int) -> None:
    """Die within the transaction that saves that file, or between writing its text and giving it its name."""
    calls = count(1)
    save, rename = import_folder.put_file, os.rename

    def save_and_die(*arguments: Any) -> Put:
        saved = save(*arguments)
        if next(calls) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return saved

    def die_or_rename(*arguments: Any, **named: Any) -> None:
        if next(calls) == number:
            os.kill(os.getpid(), signal.SIGKILL)
        rename(*arguments, **named)

    import_folder.put_file = save_and_die  # type: ignore[assignment]
    target.os.rename = die_or_rename  # type: ignore[assignment]


if __name__ == "__main__":
    kill_at(int(sys.argv[3]))
    files(sys.argv[1:3])
