"""`codekeeper files`, as an operator types it: what it prints, how it ends, and that it goes on after it was stopped or killed."""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine
from structlog.testing import capture_logs

from shared.database import engine as database
from shared.settings import settings
from tests.service import Service
from tests.store.folders import make, stored, tree
from tests.store.test_files import texts
from workers import resources
from workers.commands import files as command
from workers.moving import import_folder, target
from workers.moving.manifest import MANIFEST, UNFINISHED
from workers.store.put_file import put_file
from workers.store.transaction import writing_own

FILES = {f"{folder}/{number}.md": f"{folder} {number}\r\n".encode() for folder in ("a", "b") for number in range(3)}
Run = Callable[..., Result]


@pytest.fixture
def run(service: Service, monkeypatch: pytest.MonkeyPatch) -> Run:
    assert service.data_dir.exists()
    monkeypatch.setattr(command, "configure_logging", lambda _level: None)
    return lambda *arguments: CliRunner().invoke(command.files, [str(argument) for argument in arguments], catch_exceptions=False)


def lines(ended: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.rule("PLT-145", "PLT-146", "PLT-147", "PLT-148")
def test_standard_output_names_what_was_skipped_and_ends_with_the_counts(run: Run, tmp_path: Path) -> None:
    folder = make(tmp_path / "folder", {"a.md": b"a", ".hidden": b"h", "latin": b"\xe9"})
    (folder / "link\n").symlink_to("a.md")
    ended = run("import", folder)
    skipped = [(line["ok"], line["error"], line["path"]) for line in lines(ended)[:-1]]
    assert skipped == [(False, "not_utf8", "latin"), (False, "symlink", "link\n")]
    counts = {"created": 1, "new_versions": 0, "described": 0, "unchanged": 0, "skipped": 2, "left_out": 1}
    assert (ended.exit_code, lines(ended)[-1], ended.stderr) == (1, {"ok": False, **counts}, "")
    (folder / "latin").unlink()
    (folder / "link\n").unlink()
    make(folder, {"a.md": b"aa", "b.md": b"b"})
    ended = run("import", folder, "--hidden")
    counts |= {"created": 2, "new_versions": 1, "skipped": 0, "left_out": 0}
    assert (ended.exit_code, lines(ended)) == (0, [{"ok": True, **counts}])
    ended = run("export", tmp_path / "out")
    assert (ended.exit_code, lines(ended)) == (0, [{"ok": True, "exported": 3, "bytes": 4, "renamed": 0}])
    ended = run("import", tmp_path / "out", "--user", "eve")
    assert lines(ended) == [{"ok": True, **counts, "created": 3, "new_versions": 0}]


def test_wrong_usage_writes_nothing(run: Run, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path / "folder", {"a.md": b"a"})
    unfinished = make(tmp_path / "unfinished", {"a.md": b"a", UNFINISHED: b""})
    for arguments in (
        ["import", tmp_path / "gone"],
        ["import", folder / "a.md"],
        ["import", unfinished],
        ["import", folder, "--user", " "],
        ["import", folder, "--user", "u" * 256],
        ["import", folder, "--user", "\udc80"],
        ["export", folder],
        ["export", folder / "a.md" / "below"],
    ):
        ended = run(*arguments)
        assert (ended.exit_code, ended.stdout) == (2, ""), arguments
    monkeypatch.setenv("CODEKEEPER_REDIS_URL", "redis://127.0.0.1:1")
    settings.cache_clear()
    assert run("import", folder).exit_code == run("export", tmp_path / "out").exit_code == 2
    assert (stored(engine, "local"), tree(folder), (tmp_path / "out").exists()) == ([], {"a.md": b"a"}, False)
    assert run("import", folder, "--user", "dana").exit_code == 0


@pytest.mark.rule("PLT-151")
def test_a_store_that_is_locked_for_long_stops_the_import_and_the_same_command_goes_on(
    run: Run, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make(tmp_path / "folder", FILES)
    with writing_own(engine, "local") as own:
        put_file(own, "mine", "x")
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 50)
    resources.engine().dispose()
    resources.engine.cache_clear()
    with writing_own(engine, "local"), capture_logs():
        ended = run("import", folder)
    assert (ended.exit_code, ended.stdout) == (3, "")
    assert "the same command goes on" in ended.stderr
    assert [name for name, *_ in stored(engine, "local")] == ["mine"]
    assert lines(run("import", folder))[-1]["created"] == len(FILES)


def broken(after: int, error: BaseException, real: Callable[..., Any]) -> Callable[..., Any]:
    """`real`, of which every call after the first `after` raises `error`."""
    left = iter(range(after))

    def call(*arguments: Any) -> Any:
        if next(left, None) is None:
            raise error
        return real(*arguments)

    return call


@pytest.mark.rule("PLT-148", "PLT-151")
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=["full", "interrupted"])
def test_a_full_disk_and_an_interruption_stop_it_and_the_same_command_goes_on(
    run: Run, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    folder, out = make(tmp_path / "folder", FILES), tmp_path / "out"
    run("import", folder)
    with monkeypatch.context() as patch:
        written: Callable[[FileIO, bytes], None] = target._write
        patch.setattr(target, "_write", broken(4, error, written))
        ended = run("export", out)
        assert (ended.exit_code, ended.stdout) == (3, "")
        assert "the same command goes on" in ended.stderr
        assert not (out / MANIFEST).exists()
        assert {path: data for path, data in tree(out).items() if not path.startswith(".")}.items() < FILES.items()
        if isinstance(error, KeyboardInterrupt):
            patch.setattr(import_folder, "put_file", broken(2, error, put_file))
            assert run("import", folder, "--user", "eve").exit_code == 3
            assert len(stored(engine, "eve")) == 2
    assert run("export", out).exit_code == 0
    assert tree(out).keys() == {MANIFEST, *FILES}
    assert FILES.items() <= tree(out).items()


def killed(what: str, folder: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "tests.store.killed", what, str(folder), "4"], env=os.environ, capture_output=True, check=False, timeout=60
    )
    assert process.returncode == -signal.SIGKILL, process.stderr


@pytest.mark.rule("PLT-148", "PLT-151")
def test_killed_in_the_middle_both_go_on_to_the_same_end(run: Run, engine: Engine, tmp_path: Path) -> None:
    folder, out = make(tmp_path / "folder", FILES), tmp_path / "out"
    killed("import", folder)
    assert len(stored(engine, "local")) == 3
    ended = lines(run("import", folder))[-1]
    assert (ended["created"], ended["unchanged"]) == (3, 3)
    assert all(len(texts(engine, name)) == 1 for name in FILES)
    killed("export", out)
    there = {path: data for path, data in tree(out).items() if not path.startswith(".")}
    assert len(there) == 3
    assert there.items() < FILES.items()
    assert run("import", out, "--user", "eve").exit_code == 2  # not of half an export
    with (out / UNFINISHED).open("ab") as manifest:  # of more files than there are now
        manifest.write(b"x" * 10_000)
    assert lines(run("export", out))[-1]["exported"] == len(FILES)
    assert {path: data for path, data in tree(out).items() if not path.startswith(".")} == FILES
    assert lines(run("import", out, "--user", "eve"))[-1]["created"] == len(FILES)
