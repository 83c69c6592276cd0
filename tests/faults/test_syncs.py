"""A sync meets a git that hangs, or a full disk: it ends with its reason, leaves nothing behind, and the old mirror goes on being read."""

import asyncio
import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway import tokens
from shared.database.engine import open_engine
from tests.end_to_end.services import codekeeper
from tests.faults.clients import FILE, Clients, clients_of
from tests.faults.parts import Deployment, Template
from tests.git_repositories import commit_files, git, new_repository
from tests.hosted.processes import is_alive, until

pytestmark = pytest.mark.anyio

DISK_BYTES = 4 << 20
"""What the small disk holds, or the largest file that may be written."""


async def repo(deployment: Deployment, *arguments: str, code: int = 0) -> dict[str, Any]:
    """A command of `codekeeper repo`, while calls go on: the record that it prints."""
    printed = await asyncio.to_thread(codekeeper, deployment.environment, "repo", *arguments, code=code)
    record: dict[str, Any] = json.loads(printed)
    return record


async def content(clients: Clients, name: str) -> str:
    ended = await clients.call(FILE, repo=name, path="a.txt", ref="main")
    found: str = ended.answer["content"]
    return found


@pytest.mark.rule("PLT-121", "PLT-120")
@pytest.mark.parametrize("command", ["fetch", pytest.param("ls-remote", marks=pytest.mark.deep)])
async def test_a_git_that_hangs_and_ignores_sigterm_ends_at_its_timeout(deployment: Deployment, tmp_path: Path, command: str) -> None:
    name = f"hangs-{command}"
    source = new_repository(tmp_path / "source")
    commit_files(source, {"a.txt": b"old\n"})
    async with clients_of(deployment) as clients:
        await repo(deployment, "add", name, str(source))
        commit_files(source, {"a.txt": b"new\n"})
        deployment.git.hang(command)
        sync = asyncio.create_task(repo(deployment, "sync", name, code=1))
        await until(lambda: len(deployment.git.processes()) == 2)
        hung = deployment.git.processes()
        assert all(map(is_alive, hung))
        assert await content(clients, name) == "old\n"
        failed = await sync
        assert failed["sync_status"] == "failed"
        assert failed["sync_error"].startswith(f"git {command}: it did not end in time")
        assert not any(map(is_alive, hung))
        assert await content(clients, name) == "old\n"
        deployment.git.work()
        assert (await repo(deployment, "sync", name))["sync_status"] == "ok"
        assert await content(clients, name) == "new\n"


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A file system of `DISK_BYTES` at `folder`; False where this user may not mount one."""
    folder.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    mounted = (
        mount is not None and os.geteuid() == 0 and subprocess.run([mount, *options], capture_output=True, check=False).returncode == 0
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def _noise(size: int) -> bytes:
    return os.urandom(size // 2).hex().encode()


@pytest.mark.rule("PLT-120")
async def test_a_full_disk_fails_the_sync_with_its_reason_and_the_old_mirror_is_read(template: Template, tmp_path: Path) -> None:
    """Everything is on that disk, the database too. Where no disk can be mounted, the largest file that may be written is limited."""
    source = new_repository(tmp_path / "source")
    commit_files(source, {"a.txt": b"old\n", "b.txt": _noise(200_000)})
    with small_disk(tmp_path / "disk") as mounted:
        deployment = Deployment(tmp_path / "parts", template.copy(tmp_path / "disk" / "data"), template.token, TESTS_GIT_S="20")
        try:
            deployment.start(deployment.gateways[0], deployment.reader, deployment.syncer)
            async with clients_of(deployment) as clients:
                await repo(deployment, "add", "grows", str(source))
                if not mounted:
                    for process in (deployment.syncer.pid, *deployment.syncer.pool()):
                        resource.prlimit(process, resource.RLIMIT_FSIZE, (DISK_BYTES, DISK_BYTES))
                commit_files(source, {"a.txt": b"new\n", "large.bin": os.urandom(2 * DISK_BYTES)})
                failed = await repo(deployment, "sync", "grows", code=1)
                assert failed["sync_status"] == "failed"
                assert failed["sync_error"]
                if mounted:
                    assert "No space left on device" in failed["sync_error"]
                assert await content(clients, "grows") == "old\n"
                assert not list(deployment.data.rglob("tmp_*")), "what didn't fit is gone, or nothing else would"
                engine = open_engine(f"sqlite:///{deployment.data / 'codekeeper.sqlite3'}")
                late = tokens.issue(engine, "admin", ["read"])["token"]  # the database can still be written
                engine.dispose()
                # The remote is small again.
                git(source, "update-ref", "-d", "refs/heads/main")
                commit_files(source, {"a.txt": b"newer\n"})
                assert (await repo(deployment, "sync", "grows"))["sync_status"] == "ok"
                assert await content(clients, "grows") == "newer\n"
            async with clients_of(deployment, token=late) as clients:
                await clients.serves(*range(5))
        finally:
            deployment.end()
