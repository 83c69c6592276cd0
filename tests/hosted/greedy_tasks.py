"""Tasks that want more memory than they should: at once, piece by piece, and through git."""

import os
from typing import Any, Final

from celery import shared_task

from shared.answer import render
from shared.tasks import READ, TaskKind
from shared.wire.call import Call
from shared.wire.text import Arguments
from workers.mirror.git_process import run_git
from workers.run_call import run_call

GREEDY: Final = TaskKind("tests.greedy", READ, soft_s=10, hard_s=12, deadline_s=20)
GREEDY_GIT: Final = TaskKind("tests.greedy_git", READ, soft_s=10, hard_s=12, deadline_s=20)


class Wanted(Arguments):
    total_bytes: int
    piece_bytes: int


class Commit(Arguments):
    git_dir: str
    memory_bytes: int


def _take(arguments: Wanted, _call: Call) -> bytes:
    """Hold `total_bytes`, in pieces of `piece_bytes`, until the answer is made."""
    held = [os.urandom(8) * (arguments.piece_bytes // 8) for _ in range(arguments.total_bytes // arguments.piece_bytes)]
    return render({"ok": True, "held": sum(map(len, held)), "process": os.getpid()})


@shared_task(name=GREEDY.name, soft_time_limit=GREEDY.soft_s, time_limit=GREEDY.hard_s, acks_late=False, max_retries=0)
def greedy(payload: dict[str, Any]) -> bytes:
    return run_call(payload, Wanted, _take)


def _resolve(arguments: Commit, _call: Call) -> bytes:
    command = ("rev-parse", "--verify", "--end-of-options", "main^{commit}")
    commit = run_git(*command, git_dir=arguments.git_dir, timeout_s=8, memory_bytes=arguments.memory_bytes)
    return render({"ok": True, "commit": commit.decode().strip()})


@shared_task(name=GREEDY_GIT.name, soft_time_limit=GREEDY_GIT.soft_s, time_limit=GREEDY_GIT.hard_s, acks_late=False, max_retries=0)
def greedy_git(payload: dict[str, Any]) -> bytes:
    return run_call(payload, Commit, _resolve)
