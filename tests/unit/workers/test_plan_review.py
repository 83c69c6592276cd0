"""The plan of a review against git's own diff, and what a plan leaves out."""

import json
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from shared import limits
from shared.database import repositories
from shared.errors import Refused
from shared.wire.call import Call, Caller
from shared.wire.plan_review import PlanReviewArguments, Position
from tests.examples import examples
from tests.git_repositories import Entry, commit_files, git, git_line, link, new_repository, submodule
from tests.service import Service, running_service
from workers import resources
from workers.review import documents, files, ranges
from workers.tasks import plan_review as task
from workers.tasks.plan_review import plan_review

Files = dict[str | bytes, bytes | Entry]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with pytest.MonkeyPatch.context() as patch:
        resources.secret_paths.cache_clear()
        with running_service(tmp_path_factory.mktemp("plans") / "data", patch, DOCS_REPOS="docs") as running:
            running.add("plain", "https://h/plain", "main")
            running.add("docs", "https://h/docs", "main")
            repositories.set_docs_policy(running.engine, "docs", "docs/", ".md")
            yield running


@pytest.fixture
def mirror(service: Service) -> Iterator[Path]:
    yield from _new(service.mirror("plain"))


@pytest.fixture
def docs_mirror(service: Service) -> Iterator[Path]:
    yield from _new(service.mirror("docs"))


def _new(folder: Path) -> Iterator[Path]:
    yield new_repository(folder)
    shutil.rmtree(folder)


def page(repo: str = "plain", base: str = "base", head: str = "head", **more: Any) -> dict[str, Any]:
    caller = Caller(user="local", scopes=frozenset({"read"}), admin=True)
    call = Call(id="1", caller=caller, entered=time.time(), deadline=time.time() + 20, arguments={})
    answer: dict[str, Any] = json.loads(plan_review(PlanReviewArguments(repo=repo, base=base, head=head, **more), call))
    return answer


def plan(repo: str = "plain", **more: Any) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """All items, page after page, and what was left out."""
    items: list[dict[str, Any]] = []
    left_out: dict[str, int] = {}
    following: dict[str, int] | None = {}
    while following is not None:
        answer = page(repo, begin=Position(**following), **more)
        items += answer["items"]
        for reason, times in answer["left_out"].items():
            left_out[reason] = left_out.get(reason, 0) + times
        following = answer["next"]
    return items, left_out


def change(repository: Path, before: Mapping[str | bytes, bytes | Entry], after: Mapping[str | bytes, bytes | Entry]) -> str:
    """Branches `base` and `head`, one commit apart; the id of the second."""
    commit_files(repository, before, "refs/heads/base")
    git(repository, "update-ref", "refs/heads/head", "refs/heads/base")
    return commit_files(repository, after, "refs/heads/head")


def read_by(items: list[dict[str, Any]], kind: str) -> list[tuple[str, Any]]:
    return [(item["path"], item.get("lines")) for item in items if item["kind"] == kind]


def git_says(repository: Path, context: int) -> dict[str, list[list[int]]]:
    """Path to the head side's ranges, from git's patch of the whole change: counted line by line, with no look at a hunk's own numbers."""
    found: dict[str, list[list[int]]] = {}
    patch = git(repository, "diff", "-M", f"-U{context}", "--no-prefix", "base...head").decode().split("\n")[:-1]
    path, line, left = "", 0, (0, 0)
    for text in patch:
        if left == (0, 0):
            if text.startswith("+++ "):
                path = text[4:]
            if hunk := re.match(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", text):
                line, left = int(hunk[2]), (int(hunk[1] or 1), int(hunk[3] or 1))
                ours = found.setdefault(path, []) if left[1] else []
                if left[1]:
                    ours.append([line, line - 1])
            continue
        left = (left[0] - (text[:1] in "- "), left[1] - (text[:1] in "+ "))
        if text[:1] in "+ ":
            ours[-1][1] += 1
    return found


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "@@ -1 +1 @@", "+++ x", "--- y"]), max_size=30)
NAMES = st.sampled_from(["a.txt", "src/b.py", "src/c.py", "d", "e/f/g.css"])
TREES = st.dictionaries(NAMES, st.tuples(LINES, st.booleans()), min_size=1, max_size=5)


def tree_of(drawn: dict[str, tuple[list[str], bool]]) -> Files:
    return {path: ("\n".join(lines) + "\n" * ended).encode() for path, (lines, ended) in drawn.items()}


@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=TREES, after=TREES, moved_on=TREES, context=st.integers(0, 4))
def test_the_changed_ranges_are_those_of_gits_own_diff_since_the_merge_base(
    mirror: Path, before: Any, after: Any, moved_on: Any, context: int
) -> None:
    git(mirror, "update-ref", "-d", "refs/heads/base")
    head = change(mirror, tree_of(before), tree_of(after))
    commit_files(mirror, tree_of(moved_on), "refs/heads/base")
    items, _ = plan(context=context)
    expected = git_says(mirror, context)
    names = git(mirror, "diff", "-M", "--name-only", "-z", "--diff-filter=d", "base...head").decode().split("\0")[:-1]
    assert read_by(items, "file") == [(path, lines) for path in names for lines in expected.get(path, [])]
    assert read_by(items, "outline") == [(path, None) for path in names if path.endswith((".py", ".css"))]
    assert {(item["repo"], item["ref"]) for item in items} <= {("plain", head)}


def lines_of(count: int) -> bytes:
    return b"".join(b"line %d\n" % number for number in range(count))


def test_what_has_no_lines_to_read_is_counted_by_its_reason(mirror: Path) -> None:
    same = {"kept.txt": b"kept\n"}
    before: Files = {
        **same,
        "gone.py": lines_of(30),
        "picture.bin": b"\0" * 50,
        "old.py": lines_of(40),
        "mode.sh": b"x\n",
        "was-link": link("kept.txt"),
    }
    after: Files = {
        **same,
        "picture.bin": b"\0" * 51,
        "new.bin": b"\0\1\2",
        "pkg/moved.py": lines_of(40),
        "mode.sh": Entry("100755", b"x\n"),
        "was-link": lines_of(3),
        "link": link("kept.txt"),
        "vendor": submodule(),
        ".env": b"TOKEN=1\n",
        "keys/id_rsa": b"secret\n",
        b"latin-\xe9.py": b"x = 1\n",
        "empty.py": b"",
        "huge.py": b"x = 1\n" * (limits.REVIEW_FILE_BYTES // 6 + 1),
    }
    change(mirror, before, after)
    items, left_out = plan()
    assert left_out == {"deleted": 1, "binary": 2, "secret": 2, "symlink": 1, "submodule": 1, "unreadable_name": 1, "too_large": 1}
    assert read_by(items, "outline") == [("empty.py", None), ("huge.py", None), ("pkg/moved.py", None)]
    assert read_by(items, "file") == [("was-link", [1, 3])]


def test_an_added_file_is_read_whole_in_ranges_that_fit(mirror: Path) -> None:
    change(mirror, {"a": b"a"}, {"a": b"a", "long.txt": lines_of(4_500), "short.txt": b"one\ntwo"})
    assert read_by(plan()[0], "file") == [
        ("long.txt", [1, 2_000]),
        ("long.txt", [2_001, 4_000]),
        ("long.txt", [4_001, 4_500]),
        ("short.txt", [1, 2]),
    ]


def test_a_file_with_too_many_changed_places_is_read_from_the_first_to_the_last(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "REVIEW_RANGES_MAX", 3)
    before = [b"line\n"] * 200
    after = [b"changed\n" if number % 40 == 20 else line for number, line in enumerate(before)]
    change(mirror, {"a": b"".join(before)}, {"a": b"".join(after)})
    assert read_by(plan(context=0)[0], "file") == [("a", [21, 181])]


PAGES: Files = {
    "docs/by-path.md": b"# One\n\nSee `pkg/app.py`.\n",
    "docs/by-module.md": b"# Two\n\nUse pkg.app.run.\n",
    "docs/by-old-path.md": b"# Three\n\nIn old/name.py.\n",
    "docs/neither.md": b"# Four\n\nSee `pkg/other.py` and pkg.other.\n",
    "docs/credentials.md": b"# Five\n\nSee `pkg/app.py`.\n",
    "docs/not-served.rst": b"pkg/app.py\n",
    "outside.md": b"pkg/app.py\n",
    "docs/large.md": b"pkg/app.py\n" * 60_000,
    "docs/binary.md": b"pkg/app.py\0",
    "docs/link.md": link("by-path.md"),
}
CODE: Files = {"pkg/app.py": b"x = 1\n", "pkg/other.py": b"y = 1\n", "old/name.py": lines_of(50), "docs/changed.md": b"# Changed\n\nold\n"}
CODE_AFTER: Files = {
    "pkg/app.py": b"x = 2\n", "pkg/other.py": b"y = 1\n", "new/name.py": lines_of(50),
    "docs/changed.md": b"# Changed\n\nSee pkg/app.py\n", ".env": b"x",
}  # fmt: skip


def test_served_pages_that_name_a_changed_file_come_last_whole_and_at_the_heads_commit(docs_mirror: Path) -> None:
    head = change(docs_mirror, PAGES | CODE, PAGES | CODE_AFTER | {"docs/env.md": b"# Env\n\nSee .env\n"})
    items, left_out = plan("docs")
    whole = {"whole_document": True, "max_chars": 100_000}
    tied = ["docs/by-module.md", "docs/by-old-path.md", "docs/by-path.md"]
    assert items[-3:] == [{"kind": "section", "repo": "docs", "path": path, "ref": head, **whole} for path in tied]
    assert [item for item in items[:-3] if item["kind"] == "section"] == [
        {"kind": "section", "repo": "docs", "path": path, "ref": head} for path in ("docs/changed.md", "docs/env.md")
    ]
    assert ("docs/changed.md", [1, 3]) in read_by(items, "file")
    assert left_out == {"secret": 1, "document_not_searched": 1}


def test_a_repository_that_is_not_served_has_no_documents(mirror: Path) -> None:
    change(mirror, PAGES | CODE, PAGES | CODE_AFTER)
    items, _ = plan()
    assert [item for item in items if item["kind"] == "section"] == []


def test_documents_above_the_ceilings_are_counted(docs_mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: Files = {f"docs/{number:02}.md": b"pkg/app.py" + b" " * 90 for number in range(20)}
    change(docs_mirror, pages | {"pkg/app.py": b"1"}, pages | {"pkg/app.py": b"2"})
    monkeypatch.setattr(documents, "REVIEW_DOCUMENTS_MAX", 5)
    monkeypatch.setattr(documents, "REVIEW_DOCUMENT_BYTES", 1_200)
    items, left_out = plan("docs")
    assert [item["path"] for item in items if item["kind"] == "section"] == [f"docs/{number:02}.md" for number in range(5)]
    assert left_out == {"document": 7, "document_not_searched": 8}


@pytest.mark.parametrize(("per_page", "room"), [(1, 256_000), (3, 256_000), (100, 2_600), (2, 2_900)])
def test_pages_together_are_the_plan_whatever_ends_them(
    docs_mirror: Path, monkeypatch: pytest.MonkeyPatch, per_page: int, room: int
) -> None:
    change(docs_mirror, PAGES | CODE, PAGES | CODE_AFTER | {f"src/{number}.py": lines_of(5_000) for number in range(5)})
    whole = plan("docs")
    monkeypatch.setattr(task, "REVIEW_FILES_PER_PAGE", per_page)
    monkeypatch.setattr(task, "OUTPUT_BYTE_BUDGET", room)
    assert page("docs")["next"] is not None
    assert plan("docs") == whole


def refused(**more: Any) -> dict[str, Any]:
    with pytest.raises(Refused) as caught:
        page(**more)
    return dict(caught.value.answer())


def test_what_cannot_be_planned_says_why(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(mirror, {"a": b"a"}, {"a": b"b", "b": b"b", "c": b"c"})
    git(mirror, "update-ref", "refs/heads/lonely", commit_files(mirror, {"z": b"z"}, "refs/heads/other"))
    assert refused(repo="")["error"] == "missing_repo"
    assert refused(repo="gone")["error"] == "repo_not_mirrored"
    assert refused(base="nowhere")["error"] == "ref_not_mirrored"
    assert refused(head="-x")["error"] == "invalid_ref"
    assert refused(base="a" * 4_097)["error"] == "ref_too_long"
    assert "no commit in common" in refused(base="lonely")["message"]
    monkeypatch.setattr(task, "REVIEW_FILES_MAX", 2)
    assert refused()["error"] == "resource_limit"
    assert "3 files changed" in refused()["message"]


def test_equal_commits_have_nothing_to_review(mirror: Path) -> None:
    commit = commit_files(mirror, {"a": b"a"}, "refs/heads/base")
    answer = page(head="base")
    assert answer == {"ok": True, "base_commit": commit, "head_commit": commit, "files": 0, "items": [], "left_out": {}, "next": None}
    assert git_line(mirror, "rev-parse", "base") == commit


def test_a_missing_object_is_the_repositorys_fault(mirror: Path) -> None:
    change(mirror, {"a": b"a\n"}, {"a": b"b\n"})
    oid = git_line(mirror, "rev-parse", "head:a")
    (mirror / "objects" / oid[:2] / oid[2:]).unlink()
    assert refused()["error"] == "read_failed"


def test_the_reasons_are_all_different() -> None:
    reasons = [files.DELETED, files.SECRET, files.SYMLINK, files.SUBMODULE, files.UNREADABLE_NAME, files.BINARY, files.TOO_LARGE,
               documents.NOT_SEARCHED, documents.DOCUMENT]  # fmt: skip
    assert len(set(reasons)) == len(reasons)
