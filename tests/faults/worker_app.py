"""The workers' application as it is, but for what a test needs: `celery -A tests.faults.worker_app worker …`.

`TESTS_HOLD`: a folder. A read of a file below `held/`, in a batch or a code context too, leaves `<name>.pid` there and waits until `go` is
there. While `acks` is there, the main process leaves `acking` at its next acknowledgement and waits with it.
`TESTS_BATCH_READS_S`: seconds from its entry after which a batch begins no further read.
`TESTS_CALL_S`: seconds that every other file read takes longer, at most; how much is chosen by its path.
`TESTS_GIT_S`: seconds that git may take to ask a remote, to fetch and to clone.
"""

import os
import random
import time
from functools import wraps
from pathlib import Path
from typing import Any, Final

from kombu.transport.redis import QoS

from shared.wire.call import Call
from shared.wire.get_repo_file import GetRepoFileArguments
from workers import app as real
from workers.batch import batch
from workers.context.mirror_commit import MirrorCommit
from workers.context.source import SourceFile
from workers.files.load import LoadedFile
from workers.mirror import remote, sync_mirror
from workers.mirror.mirrors import Opened
from workers.tasks import get_repo_file, read_batch

HOLD: Final = os.environ.get("TESTS_HOLD")
CALL_S: Final = float(os.environ.get("TESTS_CALL_S", "0"))
GIT_S: Final = os.environ.get("TESTS_GIT_S")
BATCH_READS_S: Final = os.environ.get("TESTS_BATCH_READS_S")

_POLL_S: Final = 0.01
_read = get_repo_file.get_repo_file
_load = batch.load_file
_ack = QoS.ack
_read_of_commit = MirrorCommit.read


def _hold(path: str) -> bool:
    """Wait if reads of that path are held; whether they are."""
    if HOLD is None or not path.startswith("held/"):
        return False
    started = Path(HOLD, Path(path).name).with_suffix(".pid")
    started.with_suffix(".part").write_text(str(os.getpid()))
    started.with_suffix(".part").rename(started)
    while not Path(HOLD, "go").exists():
        time.sleep(_POLL_S)
    return True


def _held_load(opened: Opened, path: str, ceiling: int) -> LoadedFile:
    _hold(path)
    return _load(opened, path, ceiling)


def _held_ack(qos: Any, delivery_tag: str) -> None:
    if HOLD is not None and Path(HOLD, "acks").exists():
        Path(HOLD, "acking").touch()
        while Path(HOLD, "acks").exists():
            time.sleep(_POLL_S)
    _ack(qos, delivery_tag)


def _held_read(self: MirrorCommit, path: str, limit: int) -> SourceFile:
    _hold(path)
    return _read_of_commit(self, path, limit)


@wraps(_read)
def _slowed(arguments: GetRepoFileArguments, call: Call) -> bytes:
    if not _hold(arguments.path) and CALL_S:
        time.sleep(CALL_S * random.Random(arguments.path).random())  # noqa: S311 - no secret
    return _read(arguments, call)


def _shorten(module: Any, *names: str) -> None:
    for name in names:
        assert hasattr(module, name)
        setattr(module, name, float(GIT_S or 0))


setattr(get_repo_file, "get_repo_file", _slowed)  # noqa: B010 - mypy takes no assignment to a function
setattr(batch, "load_file", _held_load)  # noqa: B010
setattr(QoS, "ack", _held_ack)  # noqa: B010
setattr(MirrorCommit, "read", _held_read)  # noqa: B010
if BATCH_READS_S is not None:
    setattr(read_batch, "BATCH_READS_S", float(BATCH_READS_S))  # noqa: B010 - a constant
if GIT_S is not None:
    _shorten(sync_mirror, "GIT_FETCH_TIMEOUT_S", "GIT_CLONE_TIMEOUT_S")
    _shorten(remote, "GIT_LS_REMOTE_TIMEOUT_S")

app = real.app
