"""Programs that stand in for git on PATH, so that a test sees what git was given, or lets it fail in ways the real one does rarely."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

REAL_GIT = shutil.which("git") or "git"

# Calls of the test itself, and git's own of itself, are the real git's: only the runner names the folder first.
_RECORD = """\
#!{python}
import json, os, sys
if sys.argv[1] != "--git-dir":
    os.execv({real!r}, [{real!r}, *sys.argv[1:]])
with open({calls!r}, "a", encoding="utf-8") as out:
    out.write(json.dumps({{"argv": sys.argv[1:], "env": dict(os.environ)}}) + "\\n")
command = next((word for word in sys.argv[1:] if word in {commands!r}), None)
if command is None:
    os.execv({real!r}, [{real!r}, *sys.argv[1:]])
os.execv("/bin/sh", ["sh", "-c", {script!r}, "git", *sys.argv[1:]])
"""


class FakeGit:
    """A `git` that writes down how it was called, and runs a shell script in place of some commands."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._calls = folder / "calls"
        folder.mkdir()
        self.instead_of((), "")
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def instead_of(self, commands: tuple[str, ...], script: str) -> None:
        """Run `script` for these commands; all others are the real git's."""
        program = self._folder / "git"
        program.write_text(
            _RECORD.format(python=sys.executable, calls=str(self._calls), commands=commands, real=REAL_GIT, script=script), encoding="utf-8"
        )
        program.chmod(0o755)

    def calls(self) -> list[dict[str, Any]]:
        """How it was called so far: `argv` without the program, and `env`."""
        return [json.loads(line) for line in self._calls.read_text(encoding="utf-8").splitlines()] if self._calls.exists() else []

    def commands(self) -> list[str]:
        """The git commands so far, without their arguments."""
        known = {"ls-remote", "fetch", "init", "symbolic-ref", "update-ref", "repack", "pack-refs", "fsck", "rev-parse", "ls-tree"}
        return [next(word for word in call["argv"] if word in known) for call in self.calls()]
