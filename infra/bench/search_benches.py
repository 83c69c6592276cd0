"""Search: git in the search copy, with and without the filter, against git at the commit in the bare mirror and in a work tree."""

import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Final

from infra.bench.ground import CODEKEEPER, Ground
from infra.bench.measure import Row, Subject, compared, in_turn, shown
from infra.bench.search_sources import COMMON, DJANGO_FILES, EXPRESSION, RARE, change_some, make_large_source
from shared.tasks import SYNC_REPOSITORY
from workers.filter import trigram_index
from workers.filter.narrow import narrowed
from workers.mirror.search_folder import copies_of, search_folder, trigrams_path

_QUERIES: Final = ((RARE, False), (COMMON, False), (EXPRESSION, True))
_COMMON: Final = (
    "Nearly every file matches: none can be ruled out, and finding and printing the lines, which no copy makes faster, is the greater part."
)
_MIB: Final = 1024 * 1024
_ROUNDS: Final = 5
_AFTER_SYNC_ROUNDS: Final = 3


class _Repository:
    """One repository, mirrored by the command line, with its work tree."""

    def __init__(self, ground: Ground, count: int) -> None:
        self.count = count
        self.name = f"search-{count}"
        self._environment = ground.environment
        self._search = ground.folder / "data" / "search"
        self.copies = copies_of(self._search, self.name)
        self.mirror = ground.folder / "data" / "mirrors" / f"{self.name}.git"
        self.source = ground.folder / f"{self.name}-source.git"
        self.work_tree = ground.folder / f"{self.name}-tree"
        make_large_source(self.source, count)
        subprocess.run(["git", "clone", "-q", str(self.source), str(self.work_tree)], check=True)
        began = time.perf_counter()
        self.commit = self._told("add", self.name, str(self.source))
        while not trigram_index.is_complete(trigrams_path(self.copies), self.commit):
            self.sync()
        self.first_sync_s = time.perf_counter() - began

    def _told(self, *arguments: str) -> str:
        command = [CODEKEEPER, "repo", *arguments]
        done = subprocess.run(command, env=self._environment, capture_output=True, check=True, timeout=SYNC_REPOSITORY.hard_s)
        return str(json.loads(done.stdout)["last_synced_sha"])

    def sync(self) -> float:
        """Seconds of a sync by command."""
        began = time.perf_counter()
        self.commit = self._told("sync", self.name)
        return time.perf_counter() - began

    def in_mirror(self, query: str, *, regex: bool) -> bytes:
        return _grep(["--git-dir", str(self.mirror)], query, self.commit, regex=regex)

    def in_work_tree(self, query: str, *, regex: bool) -> bytes:
        return _grep(["-C", str(self.work_tree)], query, None, regex=regex)

    def in_copy(self, query: str, *, regex: bool) -> bytes:
        with search_folder(self._search, self.mirror, self.name, self.commit) as folder:
            return _grep(["--git-dir", str(folder.git_dir)], query, self.commit, regex=regex, threads=1)

    def filtered(self, query: str, *, regex: bool) -> bytes:
        with (
            search_folder(self._search, self.mirror, self.name, self.commit) as folder,
            narrowed(folder, self.commit, query, regex=regex, case_sensitive=False) as (git_dir, tree),
        ):
            return _grep(["--git-dir", str(git_dir)], query, tree, regex=regex, threads=1)


def _grep(where: list[str], query: str, tree: str | None, *, regex: bool, threads: int | None = None) -> bytes:
    """What `git grep` prints, as a results pass asks it, without the tree's name before each path. Git's own number of threads, or ours."""
    arguments = ["-I", "-n", "-z", "-i", "-m", "20", "-E" if regex else "-F", *([] if threads is None else [f"--threads={threads}"])]
    command = ["git", *where, "grep", *arguments, "-e", query, *([] if tree is None else [tree])]
    done = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, env={"LC_ALL": "C.UTF-8", "PATH": _PATH})
    if done.returncode not in (0, 1):
        raise RuntimeError("git grep failed")
    return done.stdout if tree is None else done.stdout.replace(f"{tree}:".encode(), b"")


_PATH: Final = "/usr/local/bin:/usr/bin:/bin"


async def search(ground: Ground) -> list[Row]:
    """Three queries in a repository of Django's size and, unless quick, in one ten times larger; then the first search after a sync."""
    rows: list[Row] = []
    for count in (DJANGO_FILES,) if ground.quick else (DJANGO_FILES, 10 * DJANGO_FILES):
        print(f"codekeeper: making and syncing {count} files", file=sys.stderr)
        repository = _Repository(ground, count)
        for query, regex in _QUERIES:
            rows.extend(await _compare(repository, query, regex=regex, rounds=_ROUNDS))
        rows.extend(_after_a_sync(repository))
        rows.append(_price(repository))
    return rows


async def _compare(repository: _Repository, query: str, *, regex: bool, rounds: int) -> list[Row]:
    ways = (repository.in_mirror, repository.in_work_tree, repository.in_copy, repository.filtered)
    if len({way(query, regex=regex) for way in ways}) != 1:
        raise RuntimeError("git doesn't find the same everywhere")

    def subject(way: int) -> Subject:
        async def run() -> None:
            ways[way](query, regex=regex)

        return run

    mirror, work_tree, copy, filtered = (await in_turn({str(way): subject(way) for way in range(4)}, rounds, warm_up=1)).values()
    what = f"{'-E ' if regex else ''}{query!r}, {repository.count} files"
    return [
        compared(f"{what}: copy and filter : mirror", filtered, mirror, 0.2, cause=_COMMON if query == COMMON else ""),
        compared("the same : work tree", filtered, work_tree, 1.0),
        compared("the same, copy alone : mirror", copy, mirror),
    ]


def _after_a_sync(repository: _Repository) -> list[Row]:
    ours, floor, syncs = [], [], []
    for number in range(_AFTER_SYNC_ROUNDS):
        change_some(repository.source, number)
        syncs.append(repository.sync())
        for way, times in ((repository.filtered, ours), (repository.in_mirror, floor)):
            began = time.perf_counter()
            way(RARE, regex=False)
            times.append(time.perf_counter() - began)
    what = f"first search after a sync of 20 changed files, {repository.count} files : mirror"
    return [compared(what, median(ours), median(floor), 0.2), Row("that sync, by command, to its end", shown(median(syncs)))]


def _price(repository: _Repository) -> Row:
    def size(*paths: Path) -> str:
        return f"{sum(path.stat().st_size for path in paths) / _MIB:.0f} MiB"

    index = trigrams_path(repository.copies)
    packs = size(*repository.copies.glob("*.git/objects/pack/*.pack"))
    mirror = size(*repository.mirror.glob("objects/pack/*.pack"))
    what = f"disk of {repository.count} files: copy, filter; and the first sync"
    return Row(what, f"{packs}, {size(index)}; {shown(repository.first_sync_s)}", f"{mirror} mirror")
