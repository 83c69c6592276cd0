"""Large repositories for the search bench: as many files as Django has, and ten times as many, of its mean size, from a fixed seed."""

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from infra.bench.sources import SEED, source_like

DJANGO_FILES: Final = 7_000
"""Files of Django's repository, rounded."""

_MEAN_BYTES: Final = 5_600
"""Bytes of a file of it, rounded: 40 MB in all."""

_PATTERNS: Final = 700
"""Files that are made one by one; each other file is one of them with its own names in place of some words."""

RARE: Final = "handler_1234_"
"""A text that is in one file of every repository made here."""
COMMON: Final = "payload"
"""One that is in nearly every file."""
EXPRESSION: Final = r"handler_12[0-9]+_(account|queue)\("
"""One for `-E` that is in some files."""


def _files(count: int) -> Iterator[tuple[str, bytes]]:
    chance = random.Random(SEED)  # noqa: S311 - the same files every time
    patterns = [source_like(chance, chance.randint(_MEAN_BYTES // 10, 2 * _MEAN_BYTES)) for _ in range(_PATTERNS)]
    for number in range(count):
        text = patterns[number % _PATTERNS]
        own = f"def handler_{number}_{('account', 'queue', 'session')[number % 3]}(request):\n    return request\n".encode()
        for word in (b"client", b"entry", b"notice"):
            text = text.replace(word, b"%s_%d" % (word, number // _PATTERNS))
        yield f"part{number % 40:02}/unit{number // 40 % 50:02}/module_{number}.py", own + text


def make_large_source(source: Path, count: int) -> None:
    """A bare repository of `count` files in one commit on `main`; the blobs are compressed and few are deltas, as the newest ones are."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(source)], check=True)
    _import(source, "", _files(count))


def change_some(source: Path, number: int) -> None:
    """A new commit in which twenty files are others; `number` makes it another than the last."""
    changed = ((path, b"# change %d\n" % number + content) for path, content in list(_files(20)))
    _import(source, "from refs/heads/main^0\n", changed)


def _import(source: Path, parent: str, files: Iterator[tuple[str, bytes]]) -> None:
    command = ["git", "-C", str(source), "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as importing:
        assert importing.stdin is not None  # noqa: S101 - a pipe was asked for
        head = f"commit refs/heads/main\ncommitter Bench <bench@example.invalid> 1760000000 +0000\ndata 6\nbench\n{parent}"
        importing.stdin.write(head.encode())
        for path, content in files:
            importing.stdin.write(f"M 100644 inline {path}\ndata {len(content)}\n".encode() + content + b"\n")
    if importing.returncode != 0:
        raise RuntimeError("git fast-import failed")
