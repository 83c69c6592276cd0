"""The tool against plain `git grep` with the same flags, over sources that are installed beside the tests: paths, lines and totals."""

import os
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

from shared.secret_paths import SecretPaths
from tests.git_repositories import git, new_repository
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import places, search
from workers.search.escapes import undefined_escape

PACKAGES: Final = ("docutils", "celery", "hypothesis")
"""The tests' own dependencies, so that they are installed."""

TEXTS: Final = {
    "notes/עברית.md": "# שלום עולם\n\nקריאה מדויקת של קבצים, בתוך גבולות.\nשורה עם CamelCase ועם Ünïcode\n" * 3,
    "notes/日本語.txt": "検索は正確に数える。\nファイルの行\n全角　空白\n" * 3,
    "notes/mixed Case.TXT": "Größe GRÖSSE größe\nΣίσυφος ΣΊΣΥΦΟΣ\nİstanbul ıstanbul\r\nstraße STRASSE\r\n",
    "config/.env": "SECRET_KEY=def class return\n",
    "node_modules/x/index.js": "function def class return() {}\n",
    "static/app.min.js": "def class return",
    "no-newline-at-end.txt": "the last line: return self",
}
"""What sources in English lack, and what a search leaves out."""

PATHSPECS: Final = (
    "*.py",
    "*.PY",
    ":(icase)*.PY",
    "notes",
    "*/__init__.py",
    ":(exclude)*.py",
    ":(glob)**/*.txt",
    "docs",
    ":!notes",
    "*e*",
    ":(literal)*",
    ":(top)notes",
    "[a-m]*",
    "notes/*",
    ":(glob)*/*.py",
    "notes/**/*.md",
    "?otes",
)


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, dict[str, list[str]]]]:
    """A repository of each package, mirrored, with the lines that queries are made of."""
    with pytest.MonkeyPatch.context() as monkeypatch, running_service(tmp_path_factory.mktemp("data"), monkeypatch) as service:
        lines = {}
        for name in PACKAGES:
            spec = find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            package = Path(spec.origin).parent
            work = tmp_path_factory.mktemp(name)
            (work / name).symlink_to(package)
            for path, text in TEXTS.items():
                (work / path).parent.mkdir(parents=True, exist_ok=True)
                (work / path).write_text(text, encoding="utf-8", newline="")
            mirror = new_repository(service.mirror(name))
            _commit_all(mirror, work, [*TEXTS, *(str(path.relative_to(package.parent)) for path in package.rglob("*") if _is_source(path))])
            service.add(name, f"https://h/{name}", "main")
            lines[name] = [line for text in TEXTS.values() for line in text.splitlines() if line] + _lines_of(package)
        yield service, lines


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and path.suffix in {".py", ".txt", ".dtd", ".css", ".tex", ".xml", ".js"}


def _lines_of(package: Path) -> list[str]:
    files = sorted(path for path in package.rglob("*.py") if _is_source(path))[::7]
    return [line for path in files for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if len(line) > 3]


def _commit_all(mirror: Path, work: Path, paths: list[str]) -> None:
    index = {"GIT_INDEX_FILE": str(mirror / "index-of-a-test")}
    hashed = git(mirror, "hash-object", "-w", "--no-filters", "--stdin-paths", stdin="\n".join(f"{work}/{path}" for path in paths).encode())
    entries = (f"100644 {oid}\t{path}\0" for oid, path in zip(hashed.decode().split(), paths, strict=True))
    git(mirror, "update-index", "-z", "--index-info", stdin="".join(entries).encode(), **index)
    tree = git(mirror, "write-tree", **index).decode().strip()
    git(mirror, "update-ref", "refs/heads/main", git(mirror, "commit-tree", tree, "-m", "all").decode().strip())
    git(mirror, "repack", "-a", "-d", "-q")


def queries(lines: list[str], seed: int, number: int) -> Iterator[dict[str, Any]]:
    """Literals cut out of the text, expressions made of them, changed in case, with and without a pathspec."""
    drawn = random.Random(seed)  # noqa: S311 - the same queries on every run
    while number:
        line = drawn.choice(lines)
        start = drawn.randrange(len(line))
        text = line[start : start + drawn.choice((2, 3, 5, 8, 20, 80))]
        kind = drawn.choice(("literal", "swapped", "regex", "words", "alternatives"))
        regex = kind in {"regex", "words", "alternatives"}
        if kind == "swapped":
            text = text.swapcase()
        elif kind == "regex":
            text = drawn.choice(("{}.*", "^ *{}", "{}$", "[{}]+x?", "({})+", r"{}\b", r"\w+{}", "{}{{1,2}}")).format(
                re.escape(text).replace(r"\ ", " ")
            )
        elif kind == "words":
            text = r"\<" + "".join(filter(str.isalnum, text)) + r"\>"
        elif kind == "alternatives":
            other = drawn.choice(lines)[:6]
            text = "|".join(re.sub(r"[][\\.^$*+?(){}|]", ".", part) for part in (text, other))
        if not text.strip() or len(text) < 2 or (regex and undefined_escape(text) is not None):
            continue
        number -= 1
        yield {
            "query": text,
            "regex": regex,
            "case_sensitive": drawn.random() < 0.5,
            "include_vendored": drawn.random() < 0.3,
            "file_pattern": drawn.choice(PATHSPECS) if drawn.random() < 0.4 else None,
            "max_results": drawn.choice((1, 3, 20, 50, 100)),
        }


def plain_git_grep(mirror: Path, asked: dict[str, Any]) -> list[tuple[str, int]] | None:
    """Every matching line that may be shown, in git's order; None when git refuses the query."""
    flags = ["-E" if asked["regex"] else "-F", *([] if asked["case_sensitive"] else ["-i"])]
    pattern = [] if asked["file_pattern"] is None else [asked["file_pattern"]]
    command = ["git", "-C", str(mirror), "grep", "-I", "-n", "-z", *flags, "-e", asked["query"], "main", "--", *pattern]
    done = subprocess.run(command, capture_output=True, check=False, env=os.environ | {"LC_ALL": "C.UTF-8"})
    if done.returncode not in {0, 1}:
        return None
    assert done.stderr == b""
    records = re.findall(rb"main:([^\0]+)\0(\d+)\0[^\n]*\n", done.stdout)
    found = [(path.decode(), int(line)) for path, line in records]
    assert len(found) == done.stdout.count(b"\n")
    vendored = re.compile(r"(?:^|/)node_modules/|\.(?:bundle\.js|min\.js|min\.css|map)$")
    policy = SecretPaths()
    return [
        (path, line) for path, line in found if not policy.denies(path) and (asked["include_vendored"] or vendored.search(path) is None)
    ]  # fmt: skip


def page_of(found: list[tuple[str, int]], max_results: int) -> list[tuple[str, int]]:
    """The first hits, of each file at most `min(max_results, 20)`."""
    of_file: Counter[str] = Counter()
    page = []
    for path, line in found:
        of_file[path] += 1
        if of_file[path] <= min(max_results, 20):
            page.append((path, line))
    return page[:max_results]


def compare(service: Service, name: str, asked: dict[str, Any]) -> bool:
    """Whether git took the query; the tool's answer must be git's either way."""
    expected = plain_git_grep(service.mirror(name), asked)
    answer = search(repo=name, **asked)
    if expected is None:
        assert answer["error"] == "invalid_regex", asked
        return False
    assert answer["ok"], (asked, answer)
    assert (places(answer), answer["total"]) == (page_of(expected, asked["max_results"]), len(expected)), asked
    assert answer["truncated"] == (len(expected) > answer["count"])
    return True


@pytest.mark.rule("SRC-20", "SRC-21", "SRC-22", "SRC-25", "SRC-39", "SRC-45", "SRC-64", "SRC-66")
def test_sixty_queries_find_what_plain_git_grep_finds(repositories: tuple[Service, dict[str, list[str]]]) -> None:
    service, lines = repositories
    taken = [compare(service, name, asked) for name in lines for asked in queries(lines[name], 5, 20)]
    assert sum(taken) > 50


@pytest.mark.deep
@pytest.mark.timeout(900)
def test_twelve_hundred_queries_find_what_plain_git_grep_finds(repositories: tuple[Service, dict[str, list[str]]]) -> None:
    service, lines = repositories
    taken = [compare(service, name, asked) for name in lines for asked in queries(lines[name], 11, 1_200 // len(lines))]
    assert sum(taken) > 1_000
