"""Repositories for tests, built by git itself: the cases of `tests/cases/`, and trees of any names and modes."""

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Entry:
    """An entry that is no plain file: a link (`120000`), an executable (`100755`) or a submodule (`160000`, `content` is its commit)."""

    mode: str
    content: bytes


def link(target: str) -> Entry:
    return Entry("120000", target.encode())


def submodule(commit: str = "1" * 40) -> Entry:
    return Entry("160000", commit.encode())


def git(repository: Path, *arguments: str | bytes, stdin: bytes = b"", **environment: str) -> bytes:
    """What git writes to stdout; a failure fails the test with git's words."""
    command = ["git", "-C", str(repository), *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, env=os.environ | environment)
    if done.returncode != 0:
        raise AssertionError(f"git {arguments!r}: {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def git_line(repository: Path, *arguments: str | bytes, stdin: bytes = b"") -> str:
    return git(repository, *arguments, stdin=stdin).decode().strip()


def new_repository(folder: Path) -> Path:
    """An empty bare repository whose HEAD names the unborn branch `main`."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "--bare", "-b", "main", ".")
    return folder


def write_blobs(repository: Path, contents: Iterable[bytes]) -> dict[bytes, str]:
    """The ids of blobs of these contents, written by one process of git."""
    with TemporaryDirectory(dir=repository) as folder:
        files = {content: Path(folder) / str(number) for number, content in enumerate(contents)}
        for content, file in files.items():
            file.write_bytes(content)
        ids = git_line(repository, "hash-object", "-w", "--stdin-paths", stdin="\n".join(map(str, files.values())).encode())
    return dict(zip(files, ids.splitlines(), strict=True))


def write_tree(repository: Path, files: Mapping[str | bytes, bytes | Entry]) -> str:
    """The id of a tree of `files` by full path. Names are bytes to git; a `str` is UTF-8."""
    entries = {path: value if isinstance(value, Entry) else Entry("100644", value) for path, value in files.items()}
    blobs = write_blobs(repository, {entry.content for entry in entries.values() if entry.mode != "160000"})
    lines = []
    for path, entry in entries.items():
        oid = entry.content.decode() if entry.mode == "160000" else blobs[entry.content]
        name = path.encode() if isinstance(path, str) else path
        lines.append(f"{entry.mode} {oid}\t".encode() + name + b"\0")
    index = repository / "index-of-a-test"
    index.unlink(missing_ok=True)
    git(repository, "update-index", "-z", "--index-info", stdin=b"".join(lines), GIT_INDEX_FILE=str(index))
    tree = git(repository, "write-tree", "--missing-ok", GIT_INDEX_FILE=str(index)).decode().strip()
    index.unlink()
    return tree


def commit_files(
    repository: Path, files: Mapping[str | bytes, bytes | Entry], ref: str = "refs/heads/main", message: str = "a commit"
) -> str:
    """The id of a new commit that holds exactly `files`; `ref` is set to it, on top of what it was."""
    tree = write_tree(repository, files)
    known = subprocess.run(["git", "-C", str(repository), "rev-parse", "-q", "--verify", ref], capture_output=True, check=False)
    parents = ["-p", known.stdout.decode().strip()] if known.returncode == 0 else []
    commit = git_line(repository, "commit-tree", tree, *parents, "-m", message)
    git(repository, "update-ref", ref, commit)
    return commit


def loose_object(repository: Path, oid: str) -> Path:
    """The file of an object that isn't packed, so that a test can lose or damage it."""
    return repository / "objects" / oid[:2] / oid[2:]


def case_repository(name: str, folder: Path) -> Path:
    """The mirror (all refs, bare) of a case, built anew below `folder`. `name` is the case's folder, or how it begins."""
    (case,) = [found for found in CASES.iterdir() if found.name.startswith(name)]
    source, mirror = folder / f"{case.name}-source", folder / f"{case.name}.git"
    subprocess.run(["sh", str(case / "make.sh"), str(source)], check=True, capture_output=True)
    git(folder, "clone", "-q", "--mirror", str(source), str(mirror))
    return mirror
