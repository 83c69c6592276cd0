"""What a read answers when its process has too little memory: the right answer or `resource_limit`, never a wrong word about it."""

import json
import os
import random
import resource
import subprocess
import sys
import time
from typing import Any

import pytest

from shared.budget import GIT_READ_BYTES, MIB
from shared.wire.get_repo_file import GetRepoFileArguments
from shared.wire.list_repo_tree import ListRepoTreeArguments
from tests.fake_git import FakeGit
from tests.git_repositories import git, git_line, new_repository
from tests.service import Service
from workers import own_memory
from workers.mirror.git_process import GIT_MAPPED_BYTES, GitFailed, GitOutOfMemory, run_git
from workers.run_call import run_call
from workers.tasks.get_repo_file import get_repo_file
from workers.tasks.list_repo_tree import list_repo_tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces a process's share")

OBJECTS = 20_000
LARGE = 4 * MIB


@pytest.fixture
def mirrored(service: Service) -> str:
    """A mirror whose pack (24 MB) and whose pack's index (600 KB) are too large for a process that may map little. Returns its commit."""
    mirror = new_repository(service.mirror())
    chance = random.Random(5)  # noqa: S311 - the same bytes every time
    stream = [b"commit refs/heads/main\ncommitter a <a@b.invalid> 1 +0000\ndata 1\nx\n"]
    large = [chance.randbytes(LARGE // 2).hex().encode() for _ in range(6)]
    stream += [b"M 100644 inline large-%d\ndata %d\n%b\n" % (number, LARGE, content) for number, content in enumerate(large)]
    stream += [b"M 100644 inline small/%d\ndata 6\n%06d\n" % (number, number) for number in range(OBJECTS)]
    git(mirror, "-c", "core.compression=0", "-c", "pack.compression=0", "fast-import", "--quiet", "--depth=0", stdin=b"".join(stream))
    service.add("repo", mirror)
    commit = git_line(mirror, "rev-parse", "main")
    service.write(default_branch="main", last_synced_sha=commit)
    return commit


def in_a_process_with(limits: dict[int, int], tool: Any, arguments: Any) -> dict[str, Any]:
    """The call's answer from a process that may take that many bytes beside what it has."""
    call = {"id": "1", "caller": {"user": "u", "scopes": ["read"], "admin": True}, "entered": time.time(), "deadline": time.time() + 20}
    payload = call | {"arguments": arguments.model_dump()}
    reader, writer = os.pipe()
    if child := os.fork():
        os.close(writer)
        with os.fdopen(reader, "rb") as told:
            said = told.read()
        os.waitpid(child, 0)
        answer: dict[str, Any] = json.loads(said)
        return answer
    try:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        found = own_memory._status("VmData", "VmSize")
        assert found is not None
        has = dict(zip((resource.RLIMIT_DATA, resource.RLIMIT_AS), found, strict=True))
        for kind, more in limits.items():
            resource.setrlimit(kind, (has[kind] + more, resource.RLIM_INFINITY))
        sent = run_call(payload, type(arguments), tool)
        while sent:
            sent = sent[os.write(writer, sent) :]
    finally:
        os._exit(0)


READS = {
    "by the default branch": (get_repo_file, GetRepoFileArguments(repo="repo", path="large-1", lines=[1, 1]), "answer_too_large"),
    "by name": (get_repo_file, GetRepoFileArguments(repo="repo", path="small/77", ref="main"), None),
    "a tree": (list_repo_tree, ListRepoTreeArguments(repo="repo", ref="main", per_page=5, include_stats=True), None),
    "no such ref": (get_repo_file, GetRepoFileArguments(repo="repo", path="small/77", ref="no-such-branch"), "ref_not_mirrored"),
}
LIMITS = [
    *((resource.RLIMIT_AS, int(more * MIB)) for more in (0, 0.5, 2, 5, 10, 25, 40, 300)),
    *((resource.RLIMIT_DATA, int(more * MIB)) for more in (0, 2, 5, 10, 64)),
]


@pytest.mark.rule("REF-37")
def test_a_mirror_that_can_not_be_mapped_or_loaded_is_resource_limit_and_nothing_else(service: Service, mirrored: str) -> None:
    service.engine.dispose()
    for what, (tool, arguments, refusal) in READS.items():
        right = in_a_process_with({}, tool, arguments)
        assert right.get("error") == refusal
        assert refusal is not None or mirrored == right.get("file", {}).get("resolved_commit") or right["total"] == OBJECTS + 6
        answers = [(limit, in_a_process_with(dict([limit]), tool, arguments)) for limit in LIMITS]
        wrong = [(what, limit, answer) for limit, answer in answers if answer != right and answer["error"] != "resource_limit"]
        assert wrong == []
        assert [answer == right for limit, answer in answers if limit[1] >= 64 * MIB] == [True, True]
        assert any(answer != right for _, answer in answers)


def test_a_pool_process_may_take_its_share_of_memory_and_map_packs_beside() -> None:
    program = (
        "import resource; from workers.own_memory import _status, limit_own_memory, address_space_left;"
        "assert address_space_left() is None; before = _status('VmData', 'VmSize'); limit_own_memory(50 << 20);"
        "print(*before, *resource.getrlimit(resource.RLIMIT_DATA), *resource.getrlimit(resource.RLIMIT_AS), address_space_left())"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    data, size, data_limit, data_hard, size_limit, size_hard, left = map(int, printed.split())
    assert data_limit == data + (50 + 16) * MIB
    assert size_limit == size + (50 + 16 + 256) * MIB
    assert data_hard == size_hard == resource.RLIM_INFINITY
    assert abs(left - (50 + 16 + 256) * MIB) < 4 * MIB


def test_git_is_started_with_limits_of_its_own(fake_git: FakeGit) -> None:
    # The limits are set by whoever started it, just after the start: this git waits until the second of them is there.
    fake_git.instead_of(("version",), 'until grep -q "^Max address space  *[0-9]" /proc/$$/limits; do :; done; cat /proc/$$/limits')
    limits = run_git("version", timeout_s=20, memory_bytes=GIT_READ_BYTES).decode().splitlines()
    soft = {line[:26].strip(): line[26:].split()[0] for line in limits}
    assert soft["Max data size"] == str(GIT_READ_BYTES)
    assert soft["Max address space"] == str(GIT_READ_BYTES + GIT_MAPPED_BYTES)


@pytest.mark.parametrize(
    "script",
    [
        "echo 'fatal: Out of memory, malloc failed (tried to allocate 104857601 bytes)' >&2; exit 128",
        "echo 'fatal: mmap failed: Cannot allocate memory' >&2; exit 128",
        "echo 'error: index-pack died of signal 9' >&2; exit 128",
        "kill -9 $$",
    ],
)
def test_a_git_without_memory_says_nothing_of_the_mirror(fake_git: FakeGit, script: str) -> None:
    fake_git.instead_of(("rev-parse",), script)
    with pytest.raises(GitOutOfMemory) as caught:
        run_git("rev-parse", timeout_s=20)
    assert caught.value.reason.startswith("git rev-parse: exit code ")


def test_what_a_remote_says_of_its_own_memory_is_the_remotes_failure(fake_git: FakeGit) -> None:
    fake_git.instead_of(("fetch",), "echo 'remote: fatal: Out of memory, malloc failed' >&2; exit 128")
    with pytest.raises(GitFailed):
        run_git("fetch", timeout_s=20)
