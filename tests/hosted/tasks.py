"""Tasks that do to a worker what real ones should not: hold still, outlive their limits, answer much, fail outside every net."""

import os
import time
from pathlib import Path
from typing import Any, Final

from celery import shared_task

from shared.answer import render
from shared.tasks import READ, TaskKind
from shared.wire.call import Call
from shared.wire.text import Arguments
from workers.mirror.git_process import run_git
from workers.run_call import run_call

ECHO: Final = TaskKind("tests.echo", READ, soft_s=5, hard_s=6, deadline_s=10)
LARGE: Final = TaskKind("tests.large", READ, soft_s=5, hard_s=6, deadline_s=10)
HOLD: Final = TaskKind("tests.hold", READ, soft_s=25, hard_s=30, deadline_s=35)
STUCK: Final = TaskKind("tests.stuck", READ, soft_s=0.3, hard_s=1, deadline_s=10)
BRIEF: Final = TaskKind("tests.brief", READ, soft_s=0.5, hard_s=1, deadline_s=10)
STUCK_GIT: Final = TaskKind("tests.stuck_git", READ, soft_s=0, hard_s=1, deadline_s=10)
TRACE: Final = TaskKind("tests.trace", READ, soft_s=5, hard_s=6, deadline_s=30)
UNATTENDED: Final = TaskKind("tests.unattended", READ, soft_s=5, hard_s=6, deadline_s=None)
BROKEN: Final = TaskKind("tests.broken", READ, soft_s=5, hard_s=6, deadline_s=10)

LARGE_ANSWER: Final = ("שלום" * 32_000).encode()
"""256,000 bytes of Hebrew: what an answer may have at most."""

_POLL_S: Final = 0.01


class Folder(Arguments):
    """Where a task leaves the traces that a test looks at."""

    folder: str


class Text(Arguments):
    text: str


@shared_task(name=ECHO.name, soft_time_limit=ECHO.soft_s, time_limit=ECHO.hard_s, acks_late=False, max_retries=0)
def echo(payload: dict[str, Any]) -> bytes:
    return run_call(payload, Text, lambda arguments, call: render({"ok": True, "id": call.id, "text": arguments.text}))


@shared_task(name=LARGE.name, soft_time_limit=LARGE.soft_s, time_limit=LARGE.hard_s, acks_late=False, max_retries=0)
def large(payload: dict[str, Any]) -> bytes:
    return run_call(payload, Arguments, lambda _arguments, _call: LARGE_ANSWER)


def _hold(arguments: Folder, call: Call) -> bytes:
    """Leave this process' id in a file with the call's name, and wait until the file `go` is there."""
    started = Path(arguments.folder, call.id)
    started.with_suffix(".part").write_text(str(os.getpid()))
    started.with_suffix(".part").rename(started)
    while not Path(arguments.folder, "go").exists():
        time.sleep(_POLL_S)
    return render({"ok": True, "id": call.id})


@shared_task(name=HOLD.name, soft_time_limit=HOLD.soft_s, time_limit=HOLD.hard_s, acks_late=False, max_retries=0)
def hold(payload: dict[str, Any]) -> bytes:
    return run_call(payload, Folder, _hold)


@shared_task(name=BRIEF.name, soft_time_limit=BRIEF.soft_s, time_limit=BRIEF.hard_s, acks_late=False, max_retries=0)
def brief(payload: dict[str, Any]) -> bytes:
    return run_call(payload, Folder, _hold)


@shared_task(name=STUCK.name, soft_time_limit=STUCK.soft_s, time_limit=STUCK.hard_s, acks_late=False, max_retries=0)
def stuck(payload: dict[str, Any]) -> bytes:
    """Neither the soft limit nor anything else interrupts this, as with C code: only the hard limit ends it."""
    Path(payload["arguments"]["folder"], payload["id"]).touch()
    while True:
        try:
            while True:
                time.sleep(_POLL_S)
        except Exception:  # noqa: BLE001, S112 - the soft limit is an exception
            continue


@shared_task(name=BROKEN.name, soft_time_limit=BROKEN.soft_s, time_limit=BROKEN.hard_s, acks_late=False, max_retries=0)
def broken(_payload: dict[str, Any]) -> bytes:
    raise RuntimeError("a secret that must not leave the log")


@shared_task(name=STUCK_GIT.name, time_limit=STUCK_GIT.hard_s, acks_late=False, max_retries=0)
def stuck_git(payload: dict[str, Any]) -> bytes:
    """A git process that waits for ever, in a task without a soft limit, which would end it in good order."""
    run_git("hash-object", "--no-filters", "--", payload["arguments"]["path"], timeout_s=60)
    return b""


@shared_task(name=TRACE.name, soft_time_limit=TRACE.soft_s, time_limit=TRACE.hard_s, acks_late=False, max_retries=0)
def trace(payload: dict[str, Any]) -> bytes:
    """Leave a file with the call's name."""

    def touch(arguments: Folder, call: Call) -> bytes:
        Path(arguments.folder, call.id).touch()
        return render({"ok": True, "id": call.id})

    return run_call(payload, Folder, touch)


@shared_task(name=UNATTENDED.name, soft_time_limit=UNATTENDED.soft_s, time_limit=UNATTENDED.hard_s, acks_late=False, max_retries=0)
def unattended(_name: str, _flag: bool) -> None:
    """A task that nobody waits for."""
    raise RuntimeError("its failure is nobody's answer")
