import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pydantic import SecretStr

from tests.fake_git import FakeGit
from tests.git_repositories import commit_files, git, new_repository
from workers.mirror import git_environment, git_process
from workers.mirror.git_environment import GIT_CONFIG, Credentials
from workers.mirror.git_process import EndedBy, GitFailed, GitOutOfMemory, listen_to_git, run_git

ROOT = Path(__file__).parents[3]


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    repository = new_repository(tmp_path / "remote.git")
    commit_files(repository, {"a.txt": b"one\n"})
    return repository


def refusal_of(*arguments: str, protocols: tuple[str, ...] = ("https", "ssh", "file")) -> GitFailed:
    with pytest.raises(GitFailed) as caught:
        run_git(*arguments, timeout_s=20, protocols=protocols)
    return caught.value


def test_the_environment_is_closed_to_all_but_what_is_named(fake_git: FakeGit, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_SSH", "GIT_EXEC_PATH", "GIT_TRACE", "GIT_CONFIG_PARAMETERS", "LD_PRELOAD_X", "XDG_CONFIG_HOME", "EDITOR"):
        monkeypatch.setenv(name, "/planted")
    for name in git_environment._FOR_THE_NETWORK:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    fake_git.instead_of(("version",), "exit 0")
    run_git("version", timeout_s=20)
    run_git("version", timeout_s=20, protocols=("https",))
    local, networked = (call["env"] for call in fake_git.calls())
    assert isinstance(local, dict)
    assert isinstance(networked, dict)
    for name in ("LC_CTYPE", "PWD", "_", "SHLVL"):  # the interpreter's and the shell's own
        local.pop(name, None)
        networked.pop(name, None)
    assert set(local) == {"PATH", "GIT_ALLOW_PROTOCOL", "GIT_CONFIG_COUNT", *git_environment._ENVIRONMENT}
    assert networked == local | {"GIT_ALLOW_PROTOCOL": "https", "https_proxy": "http://proxy.example:3128"}
    assert local["GIT_CONFIG_GLOBAL"] == str(GIT_CONFIG)
    assert "/planted" not in local.values()


@pytest.mark.rule("PLT-123")
def test_a_secret_goes_through_the_environment_and_never_stands_on_the_command_line(fake_git: FakeGit) -> None:
    fake_git.instead_of(("version",), "exit 0")
    run_git("version", timeout_s=20, credentials=Credentials({"http.extraheader": SecretStr("Authorization: Basic c2VjcmV0")}))
    (call,) = fake_git.calls()
    assert "c2VjcmV0" not in str(call["argv"])
    assert call["env"]["GIT_CONFIG_KEY_0"] == "http.extraheader"
    assert call["env"]["GIT_CONFIG_VALUE_0"] == "Authorization: Basic c2VjcmV0"


def test_configuration_given_as_a_secret_is_read_by_git() -> None:
    printed = run_git("config", "--get", "http.extraheader", timeout_s=20, credentials=Credentials({"http.extraheader": SecretStr("X: y")}))
    assert printed == b"X: y\n"


@pytest.mark.rule("REF-46", "PLT-123")
def test_a_password_that_git_prints_is_masked_in_the_failure(fake_git: FakeGit) -> None:
    script = "echo 'fatal: https://u:hunter2@h/x: password=hunter2 plainword' >&2; exit 128"
    fake_git.instead_of(("fetch",), script)
    with pytest.raises(GitFailed) as caught:
        run_git("fetch", timeout_s=20, credentials=Credentials({}, (SecretStr("plainword"),)))
    assert caught.value.stderr == "fatal: https://***@h/x: password=*** ***"
    assert "hunter2" not in str(caught.value) + repr(caught.value) + caught.value.reason
    assert caught.value.exit_code == 128


def test_a_password_is_masked_also_where_a_flood_of_words_is_cut(fake_git: FakeGit) -> None:
    script = "i=0; while [ $i -lt 2000 ]; do echo 'warning: https://user:hunter2@host.example/x'; i=$((i+1)); done >&2; exit 1"
    fake_git.instead_of(("fetch",), script)
    with pytest.raises(GitFailed) as caught:
        run_git("fetch", timeout_s=20)
    assert "hunter2" not in caught.value.stderr
    assert len(caught.value.stderr) == git_process.MAX_STDERR_CHARS


@pytest.mark.rule("PLT-121")
def test_a_git_that_hangs_ends_at_its_timeout_with_everything_it_started(fake_git: FakeGit, tmp_path: Path) -> None:
    os.mkfifo(alive := tmp_path / "alive")
    reader = os.open(alive, os.O_RDONLY | os.O_NONBLOCK)
    # A helper that git started holds the pipe too; the end of the file comes when both are gone.
    fake_git.instead_of(("fetch",), f"exec 3> {alive}; sleep 1000 & echo begun >&3; wait")
    with pytest.raises(GitFailed) as caught:
        run_git("fetch", timeout_s=2)
    assert caught.value.exit_code is None
    assert caught.value.reason == "git fetch: it did not end in time"
    os.set_blocking(reader, True)
    assert os.read(reader, 100) == b"begun\n"
    assert os.read(reader, 100) == b""
    os.close(reader)


def test_output_is_handed_on_as_it_comes_and_a_listener_that_has_enough_ends_git(fake_git: FakeGit) -> None:
    fake_git.instead_of(("grep",), "yes")
    heard: list[int] = []

    def three_pieces(piece: bytes) -> bool:
        heard.append(len(piece))
        return len(heard) < 3

    ended = listen_to_git("grep", on_stdout=three_pieces, timeout_s=20)
    assert (ended.by, ended.exit_code, len(heard)) == (EndedBy.LISTENER, None, 3)
    assert max(heard) <= 65_536


@pytest.mark.parametrize(("script", "code"), [("exit 0", 0), ("exit 1", 1), ("exit 128", 128), ("kill -11 $$", -11)])
def test_an_exit_code_is_the_listeners_to_judge(fake_git: FakeGit, script: str, code: int) -> None:
    fake_git.instead_of(("grep",), f"echo out; echo err >&2; {script}")
    heard: list[bytes] = []
    ended = listen_to_git("grep", on_stdout=lambda piece: not heard.append(piece), timeout_s=20)
    assert (ended.by, ended.exit_code, ended.stderr) == (EndedBy.ITSELF, code, "err")
    assert b"".join(heard) == b"out\n"


def test_a_listeners_git_ends_at_its_timeout_and_one_that_was_killed_met_its_memory(fake_git: FakeGit) -> None:
    fake_git.instead_of(("grep",), "echo out; sleep 1000")
    heard: list[bytes] = []
    ended = listen_to_git("grep", on_stdout=lambda piece: not heard.append(piece), timeout_s=1)
    assert (ended.by, ended.exit_code, heard) == (EndedBy.TIMEOUT, None, [b"out\n"])
    fake_git.instead_of(("grep",), "kill -9 $$")
    with pytest.raises(GitOutOfMemory):
        listen_to_git("grep", on_stdout=lambda piece: True, timeout_s=20)


def test_a_git_that_closes_its_outputs_and_stays_ends_at_its_timeout(fake_git: FakeGit) -> None:
    fake_git.instead_of(("fetch",), "exec >&- 2>&-; sleep 1000")
    with pytest.raises(GitFailed) as caught:
        run_git("fetch", timeout_s=1)
    assert caught.value.exit_code is None


def test_a_git_that_writes_without_end_is_ended_at_the_limit(fake_git: FakeGit) -> None:
    fake_git.instead_of(("ls-remote",), "yes")
    with pytest.raises(GitFailed, match="it wrote more than 1000 bytes"):
        run_git("ls-remote", timeout_s=20, max_stdout_bytes=1000)


def test_what_the_listener_raises_ends_git_and_is_raised(fake_git: FakeGit) -> None:
    fake_git.instead_of(("fetch",), "echo words >&2; sleep 1000")

    def stop(_piece: bytes) -> None:
        raise InterruptedError

    began = time.monotonic()
    with pytest.raises(InterruptedError):
        run_git("fetch", timeout_s=60, on_stderr=stop)
    assert time.monotonic() - began < 30


def test_the_listener_is_called_every_second_also_while_git_only_writes_to_stdout(
    fake_git: FakeGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_process, "_TICK_S", 0.01)
    fake_git.instead_of(("ls-remote",), "yes")
    pieces: list[bytes] = []

    def stop(piece: bytes) -> None:
        pieces.append(piece)
        if len(pieces) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        run_git("ls-remote", timeout_s=30, on_stderr=stop, max_stdout_bytes=10**10)
    assert pieces == [b"", b"", b""]


def test_a_git_that_is_not_there_is_a_failure_with_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    git_process._dying_with_parent.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        with pytest.raises(GitFailed, match="it could not be started: No such file"):
            run_git("version", timeout_s=20)
    finally:
        git_process._dying_with_parent.cache_clear()


@pytest.mark.skipif(git_process._dying_with_parent() == (), reason="util-linux isn't here")
def test_git_dies_with_the_process_that_started_it(fake_git: FakeGit, tmp_path: Path) -> None:
    os.mkfifo(alive := tmp_path / "alive")
    fake_git.instead_of(("fetch",), f"exec > {alive}; echo begun; exec sleep 1000")
    program = "from workers.mirror.git_process import run_git; run_git('fetch', timeout_s=1000)"
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) as parent, alive.open("rb") as git_alive:
        assert git_alive.readline() == b"begun\n"
        parent.send_signal(signal.SIGKILL)
        assert git_alive.read() == b""  # returns when nobody holds the pipe any more


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("ext::sh -c touch% {planted}", "transport 'ext' not allowed"),
        ("fd::7", "transport 'fd' not allowed"),
        ("http://127.0.0.1:1/x", "transport 'http' not allowed"),
        ("git://127.0.0.1:1/x", "transport 'git' not allowed"),
        ("--upload-pack=touch {planted}", "strange pathname"),
        ("-oProxyCommand=touch {planted}:x", "strange"),
        ("ssh://-oProxyCommand=touch%20{planted}/x", "strange hostname"),
    ],
)
def test_an_address_can_not_run_a_command_or_speak_a_protocol_that_is_not_allowed(address: str, words: str, tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    failed = refusal_of("ls-remote", "--", address.format(planted=planted), "HEAD")
    assert words in failed.stderr
    assert not planted.exists()


def test_a_local_path_is_refused_where_file_is_not_allowed(remote: Path) -> None:
    for address in (str(remote), f"file://{remote}"):
        assert "transport 'file' not allowed" in refusal_of("ls-remote", "--", address, protocols=("https", "ssh")).stderr
    assert run_git("ls-remote", "--", str(remote), "HEAD", timeout_s=20, protocols=("file",)).endswith(b"\tHEAD\n")


def test_without_a_mirror_no_repository_around_is_used() -> None:
    with pytest.raises(GitFailed, match="not a git repository"):
        run_git("rev-parse", "--git-dir", timeout_s=20)


def test_nothing_in_a_mirrors_own_configuration_runs_a_command(remote: Path, tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    mirror = new_repository(tmp_path / "mirror.git")
    run = f"touch {planted}"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("reference-transaction", "post-fetch", "pre-auto-gc", "post-checkout"):
        (hooks / hook).write_text(f"#!/bin/sh\n{run}\n", encoding="ascii")
        (hooks / hook).chmod(0o755)
    (mirror / "objects" / "info").mkdir(exist_ok=True)
    (mirror / "objects" / "info" / "alternates").write_text(f"{remote}/objects\n", encoding="ascii")
    address = str(remote)
    for key, value in {
        "core.hooksPath": str(hooks), "core.fsmonitor": run, "core.alternateRefsCommand": run, "core.sshCommand": run, "core.gitProxy": run,
        "core.askPass": run, "core.pager": run, "pager.rev-parse": run, "credential.helper": f"!{run}", "gc.auto": "1",
        "protocol.ext.allow": "always", f"remote.{address}.url": address, f"remote.{address}.uploadpack": run,
        "uploadpack.packObjectsHook": run, "alias.fetch": f"!{run}", "diff.external": run, "gpg.program": run, "core.editor": run,
        "url.ext::sh -c touch% /tmp/x.insteadOf": "https://rewritten.example/",
    }.items():  # fmt: skip
        git(mirror, "config", key, value)
    run_git(
        "fetch", "--upload-pack=git-upload-pack", "--", address, "+refs/*:refs/*", git_dir=mirror, timeout_s=20, protocols=("file",)
    )  # fmt: skip
    assert run_git("rev-parse", "--verify", "refs/heads/main", git_dir=mirror, timeout_s=20)
    for rewritten, words in {
        "https://rewritten.example/x": "transport 'ext' not allowed",
        "ssh://127.0.0.1:1/x": "Could not read",
        "git://127.0.0.1:1/x": "Connection refused",
    }.items():
        with pytest.raises(GitFailed, match=words):
            run_git("fetch", "--", rewritten, git_dir=mirror, timeout_s=20, protocols=("https", "ssh", "git"))
    assert not planted.exists()


def test_a_missing_object_is_never_fetched_lazily(tmp_path: Path) -> None:
    mirror = new_repository(tmp_path / "mirror.git")
    for key, value in {"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
                       "remote.origin.url": f"ext::sh -c touch% {tmp_path}/planted"}.items():  # fmt: skip
        git(mirror, "config", key, value)
    with pytest.raises(GitFailed):
        run_git("cat-file", "-p", "1" * 40, git_dir=mirror, timeout_s=20)
    assert not (tmp_path / "planted").exists()
