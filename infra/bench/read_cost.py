"""What the dearest reads cost, for the constants in `shared/budget.py`: `python -m infra.bench.read_cost`, some minutes; Linux.

Each input is read in a process of its own, as `own_process.py` says.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from unittest import mock

from infra.bench.own_process import Read, said, spent_by
from shared.budget import DEAREST_READ_BYTES, DEAREST_READ_CPU_S
from shared.database import repositories
from shared.database.migrate import migrate
from shared.docs_policy import DocsPolicy
from shared.limits import LIST_REPOS_MAX, MAX_FILE_SIZE_FOR_DISPLAY, RANGE_READ_MAX_BYTES, TREE_PER_PAGE_MAX
from shared.settings import settings
from shared.wire.call import Call, Caller
from shared.wire.docs_get_section import DocsGetSectionArguments
from shared.wire.file_routes import FileHistoryParameters
from shared.wire.get_repo_file import GetRepoFileArguments
from shared.wire.list_repo_tree import ListRepoTreeArguments
from shared.wire.list_repos import ListReposArguments
from shared.wire.read_batch import ReadBatchArguments
from workers.resources import engine
from workers.tasks.docs_get_section import docs_get_section
from workers.tasks.file_history import file_history
from workers.tasks.get_repo_file import get_repo_file
from workers.tasks.list_repo_tree import list_repo_tree
from workers.tasks.list_repos import list_repos
from workers.tasks.read_batch import read_batch
from workers.tasks.sync import sync_repository

SEED: Final = 3
LARGE: Final = RANGE_READ_MAX_BYTES
PATHS: Final = 100_000
COMMITS: Final = 100_000
MIB: Final = 1024 * 1024


def _of_size(unit: bytes, size: int = LARGE, end: bytes = b"") -> bytes:
    room = size - len(end)
    return unit * (room // len(unit)) + b"x" * (room % len(unit)) + end


def _files() -> Mapping[str, bytes]:
    """Path to content, each as large as it may be."""
    line = b"A line of code, or of prose, as long as lines mostly are.\n"
    words = random.Random(SEED).randbytes(LARGE // 2).hex().encode()  # noqa: S311 - text that neither repeats nor packs well
    head = b"plain text\n" * 745  # the head alone says whether a file is binary
    return {
        "ascii": _of_size(line),
        "one-line": _of_size(b"x"),
        "one-emoji": _of_size(line, end="😀\n".encode()),
        "four-bytes": _of_size("😀".encode()),
        "four-bytes-lines": _of_size("😀😀😀😀😀😀😀😀😀\n".encode()),
        "newlines": _of_size(b"\n"),
        "controls": head + _of_size(b"\1", LARGE - len(head)),
        "controls-lines": head + _of_size(b"\1\2\3\4\5\6\7\n", LARGE - len(head)),
        "latin-1": _of_size(line, end=b"\xff\n"),
        "one-emoji-latin-1": _of_size(line, end="😀".encode() + b"\xff\n"),
        "marked": b"\xef\xbb\xbf" + _of_size(line, LARGE - 3),
        "full-ascii": _of_size(line, MAX_FILE_SIZE_FOR_DISPLAY),
        "full-controls": head + _of_size(b"\1", MAX_FILE_SIZE_FOR_DISPLAY - len(head)),
        **{f"delta-{number}": words[:-9] + f"{number:08}\n".encode() for number in range(8)},
    }


def _pages() -> Mapping[str, bytes]:
    """Documentation pages, each as large as a page may be, of the forms that cost a heading parser most."""
    page = MAX_FILE_SIZE_FOR_DISPLAY
    return {
        "rst/one-character-headings.rst": _of_size(b"A\n=\n", page),
        "rst/deep.rst": b"".join(b" " * (number % 200) + b"x\n\n" for number in range(4_900))[:page],
        "rst/literal-marks.rst": _of_size(b"a::\n\n", page),
        "md/headings.md": b"# a\n" * 14_900,
        "md/lists.md": b"".join(b"  " * (number % 12) + b"- a\n" for number in range(14_900))[:page],
        "md/quotes.md": (b"> " * 15 + b"a\n") * 14_900,
        "md/lazy-quotes.md": b"> " * 20 + b"a\n" + b"a\n" * 14_900,
        "md/tables.md": (b"|a" * 60 + b"|\n" + b"|-" * 60 + b"|\n" + b"x\n" * 200 + b"\n") * 60,
        "md/definitions.md": b"".join(b"[a%d]: /u\n" % number for number in range(14_900)),
        "md/long-lines.md": (b"word " * 6_000 + b"\n\n") * 17,
        "md/one-heading-of-marks.md": b"# " + _of_size(b"*_`[", page - 2),
    }


def _changes() -> Iterable[Mapping[str, bytes]]:
    """A commit for each: 5,000 files in folders of folders, then one of them changed at a time."""
    paths = [f"folder-{number // 250:02}/folder-{number % 25:02}/module_{number:04}.py" for number in range(5_000)]
    yield dict.fromkeys(paths, b"x\n")
    for number in range(1, COMMITS):
        yield {paths[number * 7_919 % len(paths)]: b"%d\n" % number}


def _mirror(folder: Path, name: str, commits: Iterable[Mapping[str, bytes]]) -> None:
    """A repository of those commits, each on top of the one before, registered and mirrored as any other."""
    source = folder / f"{name}-source.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(source)], check=True)
    with subprocess.Popen(["git", "-C", str(source), "fast-import", "--quiet"], stdin=subprocess.PIPE) as importing:
        if importing.stdin is None:
            raise RuntimeError("no pipe")
        for files in commits:
            importing.stdin.write(b"commit refs/heads/main\ncommitter Bench <bench@example.invalid> 1760000000 +0000\ndata 6\nbench\n\n")
            for path, content in files.items():
                importing.stdin.write(f"M 100644 inline {path}\ndata {len(content)}\n".encode() + content + b"\n")
    subprocess.run(["git", "-C", str(source), "repack", "-adfq", "--depth=50", "--window=10"], check=True)
    repositories.add(engine(), name, str(source), None)
    sync_repository(name, "bench", True)
    found = repositories.find(engine(), name)
    if found is None or found.sync_status != "ok":
        raise RuntimeError(f"{name} was not mirrored: {found and found.sync_error}")


def _make(folder: Path) -> bytes:
    migrate(engine(), folder)
    _mirror(folder, "files", [_files()])
    _mirror(folder, "paths", [{f"folder-{number % 200:03}/module_{number:06}.py": b"x\n" * (number % 99) for number in range(PATHS)}])
    _mirror(folder, "pages", [_pages()])
    _mirror(folder, "commits", _changes())
    for number in range(LIST_REPOS_MAX):
        repositories.add(engine(), f"repository-{number:03}", f"https://example.invalid/{number}", None)
    return b""


def _call(tool: Callable[[Any, Call], bytes], arguments: Any) -> Read:
    caller = Caller(user="bench", scopes=frozenset({"read"}), admin=True)

    def read() -> bytes:
        now = time.time()  # a batch looks how long ago its call came in
        return tool(arguments, Call(id="bench", caller=caller, entered=now, deadline=now + 600, arguments={}))

    return read


def _range(path: str, start: int, end: int, **more: Any) -> Read:
    return _call(get_repo_file, GetRepoFileArguments(repo="files", path=path, lines=[start, end], **more))


def _batch(*paths: str) -> Read:
    items = [{"kind": "file", "repo": "files", "path": path, "lines": [1, LARGE]} for path in paths]
    return _call(read_batch, ReadBatchArguments(items=items))


def _tree(*, stats: bool) -> Read:
    last = PATHS // TREE_PER_PAGE_MAX
    arguments = ListRepoTreeArguments(repo="paths", per_page=TREE_PER_PAGE_MAX, page=last, include_stats=stats)
    return _call(list_repo_tree, arguments)


def _page(path: str, **more: Any) -> Read:
    """A page of the documentation tool, parsed anew: no two reads of the table have a blob in common."""
    policies = {"pages": DocsPolicy("", Path(path).suffix)}

    def read() -> bytes:
        with mock.patch.object(repositories, "docs_policies", return_value=policies):
            return _call(docs_get_section, DocsGetSectionArguments(repo="pages", path=path, **more))()

    return read


def _reads() -> Mapping[str, Read]:
    everything = (1, LARGE)
    history = FileHistoryParameters(repo="commits", file="folder-00/folder-00/module_0000.py")
    head = subprocess.run(
        ["git", "-C", str(settings().mirrors_dir / "files.git"), "rev-parse", "--short=7", "main"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    return {
        "range of ASCII": _range("ascii", 1, 2_000),
        "the same, all lines asked for": _range("ascii", *everything),
        "the same, ref that only git resolves": _range("ascii", 1, 2_000, ref=f"v1-g{head}"),
        "range of one line of ASCII": _range("one-line", *everything),
        "range of ASCII with one emoji": _range("one-emoji", *everything),
        "range of four-byte characters, one line": _range("four-bytes", *everything),
        "range of four-byte characters": _range("four-bytes-lines", *everything),
        "range of newlines": _range("newlines", *everything),
        "range of newlines, its last line": _range("newlines", LARGE, LARGE),
        "range of control characters, one line": _range("controls", 746, LARGE),
        "range of control characters": _range("controls-lines", *everything),
        "range of Latin-1": _range("latin-1", *everything),
        "range of Latin-1 with an emoji's bytes": _range("one-emoji-latin-1", *everything),
        "range after a byte order mark": _range("marked", *everything),
        "range of a delta": _range("delta-0", *everything),
        "range of the last delta": _range("delta-7", *everything),
        "batch of ranges of six deltas": _batch(*(f"delta-{number}" for number in range(2, 8))),
        "batch of ranges of four files": _batch("marked", "one-emoji", "controls-lines", "one-emoji-latin-1"),
        "full read of 512,000 bytes": _call(get_repo_file, GetRepoFileArguments(repo="files", path="full-ascii")),
        "the same of control characters": _call(get_repo_file, GetRepoFileArguments(repo="files", path="full-controls")),
        f"tree of {PATHS:,} paths": _tree(stats=False),
        "the same with stats": _tree(stats=True),
        **{f"map of {path}": _page(path) for path in _pages()},
        "section that no heading is close to": _page("rst/one-character-headings.rst", section="q" * 4_096, ref="refs/heads/main"),
        f"history in {COMMITS:,} commits": _call(file_history, history),
        f"list of {LIST_REPOS_MAX} repositories": _call(list_repos, ListReposArguments(limit=LIST_REPOS_MAX)),
    }


def main() -> None:
    """Make the inputs, read each, print the table."""
    with tempfile.TemporaryDirectory(prefix="codekeeper-bench-") as folder:
        os.environ["CODEKEEPER_DATA_DIR"] = folder
        os.environ["CODEKEEPER_DOCS_REPOS"] = "pages"
        print("codekeeper: making the inputs", file=sys.stderr)
        # In a process of its own too: what it leaves free on its heap would hide what the reads take.
        spent_by(said(lambda: _make(Path(folder))))
        reads = _reads()
        git = subprocess.run(["git", "--version"], check=True, capture_output=True, text=True).stdout.strip()
        print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}, {git}\n")
        print(f"| {'what is read':40} | peak MiB | CPU s | answer                | within {DEAREST_READ_BYTES // MIB} MiB |")
        print(f"|{'-' * 42}|---------:|------:|-----------------------|---------------|")
        peaks, times = [], []
        for what, read in reads.items():
            spent = spent_by(said(read))
            limited = spent_by(said(read), DEAREST_READ_BYTES).said
            peaks.append(spent.peak_bytes)
            times.append(spent.cpu_s)
            within = "yes" if limited == spent.said else limited
            print(f"| {what:40} | {spent.peak_bytes / MIB:8.1f} | {spent.cpu_s:5.2f} | {spent.said:21} | {within:13} |")
    print(f"\ndearest: {max(peaks) / MIB:.1f} MiB of {DEAREST_READ_BYTES // MIB}, {max(times):.2f} CPU s of {DEAREST_READ_CPU_S}")


if __name__ == "__main__":
    main()
