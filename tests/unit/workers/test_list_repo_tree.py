"""`codekeeper_list_repo_tree` as a function: its filter, its pages, its records and its refusals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql

from shared.database import line_index, repositories
from shared.database.engine import writing
from shared.database.line_index import Changes
from tests.git_repositories import Entry, case_repository, commit_files, git, git_line, link, loose_object, new_repository, submodule
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import BUDGET, as_sent, list_tree, queries, read_file
from workers import resources


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch) as running:
        yield running
    resources.secret_paths.cache_clear()


def serve(service: Service, files: dict[str | bytes, bytes | Entry]) -> str:
    commit = commit_files(new_repository(service.mirror("case")), files)
    service.add("case", "https://h/case", "main")
    return commit


def served_case(service: Service, number: str, branch: str | None = None) -> None:
    service.mirrors.mkdir(parents=True)
    case_repository(number, service.data_dir).rename(service.mirror("case"))
    service.add("case", "https://h/case", branch)


def index_lines(service: Service, lines: dict[str, int | None], commit: str) -> None:
    service.write("case", last_synced_sha=commit)
    with writing(service.engine) as connection:
        line_index.apply_changes(connection, service.record("case").id, Changes([], [(path, "b", count) for path, count in lines.items()]))


@pytest.mark.rule("TREE-7", "TREE-16", "TREE-17", "TREE-20", "TREE-23", "TREE-29")
def test_a_list_answers_exactly_these_fields(service: Service) -> None:
    serve(service, {"docs/index.rst": b"a\n", "docs/mcp-server.rst": b"b\n", "a.txt": b"c\n"})
    answer = {"ok": True, "repo": "case", "ref": "refs/heads/main", "path": "docs", "total": 2, "page": 1, "per_page": 200,
              "paths": ["docs/index.rst", "docs/mcp-server.rst"], "truncated": False}  # fmt: skip
    assert list_tree(path="docs") == answer
    stats = list_tree(path="docs", include_stats=True)
    assert [entry["path"] for entry in stats.pop("entries")] == answer["paths"]
    assert stats == answer
    assert list_tree()["path"] is None


@pytest.mark.rule("TREE-17", "TREE-18", "TREE-20", "TREE-21", "TREE-42")
@pytest.mark.parametrize(
    ("path", "total"),
    [(None, 9), ("", 9), (" ", 9), ("/", 9), ("docs", 8), ("/docs/", 8), ("docs/", 8), ("//docs", 8), (" lead and trail ", 1),
    ("lead and trail", 0), (" docs", 0),
     ("docs/caf\u00e9.md", 1), ("docs/cafe\u0301.md", 0), ("doc", 0), ("docs/caf", 0), ("docs/tab\there.md", 1),
     ("docs/latin-caf\ufffd.txt", 0), ("nosuch", 0)],
)  # fmt: skip
def test_a_filter_is_a_path_and_no_run_of_characters(service: Service, path: str | None, total: int) -> None:
    served_case(service, "05")
    answer = list_tree(path=path)
    assert (answer["ok"], answer["total"], len(answer["paths"]), answer["path"]) == (True, total, total, path)
    if total == 9:
        assert answer["paths"][0] == " lead and trail "
        assert answer["paths"][5] == "docs/latin-caf\ufffd.txt"


@pytest.mark.rule("TREE-18")
@pytest.mark.parametrize(
    ("path", "paths"),
    [("app/[id]", ["app/[id]/page.tsx"]), ("docs/*.md", ["docs/*.md"]), (":!notes.md", [":!notes.md"]), (":(top)", []), ("docs/?.md", [])],
)
def test_a_filter_is_literal(service: Service, path: str, paths: list[str]) -> None:
    served_case(service, "04")
    answer = list_tree(path=path)
    assert (answer["paths"], answer["total"]) == (paths, len(paths))


@pytest.mark.rule("TREE-18")
def test_a_folder_does_not_keep_its_namesakes(service: Service) -> None:
    serve(service, {"docs/a": b"", "docsecret/x": b"", "docs.md": b"", "x/docs/a": b""})
    assert list_tree(path="docs")["paths"] == ["docs/a"]
    assert list_tree(path="docs.md")["paths"] == ["docs.md"]


@pytest.mark.rule("REF-25", "TREE-42")
def test_every_path_of_a_list_that_is_utf8_can_be_read_as_it_is(service: Service) -> None:
    served_case(service, "05")
    for path in list_tree()["paths"]:
        answer = read_file(path)
        if "\ufffd" in path:
            assert answer["error"] == "not_found"
        else:
            assert (answer["status"], answer["file"]["path"]) == ("ok", path)


@pytest.mark.rule("TREE-19", "TREE-20", "REF-75", "REF-79")
def test_secret_paths_are_neither_listed_nor_counted(service: Service) -> None:
    served_case(service, "16")
    answer = list_tree()
    assert answer["paths"] == ["client.ts", "credential_store.py", "docs/secrets-guide.md", "env.sample", "signing-howto.txt"]
    assert answer["total"] == 5
    assert [list_tree(path=path)["total"] for path in ("deploy", ".env.sample", "keys", "docs")] == [0, 0, 0, 1]
    assert [list_tree(page=page, per_page=2)["paths"] for page in (1, 2, 3)] == [
        answer["paths"][:2],
        answer["paths"][2:4],
        answer["paths"][4:],
    ]


@pytest.mark.rule("TREE-19", "TREE-42")
def test_a_secret_name_that_is_not_utf8_is_not_listed_either(service: Service) -> None:
    serve(service, {b"id_rsa\xff": b"", b"caf\xe9/.env": b"", b"caf\xe9/a": b""})
    assert list_tree()["paths"] == ["caf\ufffd/a"]


@pytest.mark.rule("TREE-20", "TREE-21", "TREE-26")
@pytest.mark.parametrize("per_page", [1, 2, 3, 7, 24, 25, 26, 1_000])
def test_pages_put_together_are_the_list_in_the_order_of_git(service: Service, per_page: int) -> None:
    serve(service, {f"{folder}{number}.txt": b"" for folder in ("", "a/", "a-", "a.b/c/", "\u05e9/") for number in range(5)})
    all_paths = git_line(service.mirror("case"), "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "main").splitlines()
    pages = [list_tree(page=page, per_page=per_page) for page in range(1, 25 // per_page + 3)]
    assert [path for page in pages for path in page["paths"]] == all_paths
    assert {page["total"] for page in pages} == {25}
    assert pages[-1]["paths"] == []
    assert list_tree(page=10**9)["paths"] == []


@pytest.mark.rule("TREE-24", "TREE-25", "TREE-26", "TREE-32", "TREE-40", "TREE-41")
def test_a_page_over_the_budget_is_refused_whole_and_a_smaller_one_loses_nothing(service: Service) -> None:
    names = [f"{number:03}-" + "\u05e9" * 120 for number in range(1_000)]
    serve(service, dict.fromkeys(names, b"x\n"))
    base = {"ok": True, "repo": "case", "ref": "refs/heads/main", "path": None, "total": 1_000, "page": 1}
    # 247 bytes a path with its quotes and comma: 1,000 fit, and their records do not.
    whole = base | {"per_page": 1_000, "paths": names, "truncated": False}
    assert len(as_sent(whole)) <= BUDGET
    assert list_tree(per_page=1_000) == whole
    entries = [{"path": name, "size": 2, "lines": None, "lines_commit_sha": None} for name in names]
    refused = list_tree(per_page=1_000, include_stats=True)
    size = len(as_sent(base | {"per_page": 1_000, "paths": names, "entries": entries, "truncated": False}))
    assert refused == {"ok": False, "error": "page_too_large", "bytes": size, "max": BUDGET, "per_page": 1_000}
    pages = [list_tree(page=page, per_page=250, include_stats=True) for page in range(1, 5)]
    assert [entry for page in pages for entry in page["entries"]] == entries
    assert [path for page in pages for path in page["paths"]] == names


@pytest.mark.rule(
    "TREE-22", "TREE-28", "TREE-29", "TREE-30", "TREE-31", "TREE-32", "TREE-33", "TREE-34", "TREE-36", "TREE-38", "TREE-40", "TREE-42"
)
def test_records_have_gits_sizes_and_the_indexs_lines_with_their_commit_by_one_query(service: Service) -> None:
    files: dict[str | bytes, bytes | Entry] = {
        "a.py": b"one\ntwo\n", "big": b"\0" * 100_000, "l": link("a.py"), "new.py": b"x", b"odd-\xe9": b"12345", "odd-\ufffd": b"1",
        "vendor/sub": submodule(),
    }  # fmt: skip
    commit = serve(service, files)
    index_lines(service, {"a.py": 2, "big": None, "odd-\ufffd": 1, "vendor/sub": 9, "gone": 7, "l": 1}, "2" * 40)
    with queries(service.engine) as seen:
        answer = list_tree(ref=commit, include_stats=True)
    rows = {entry["path"] + str(entry["size"]): (entry["lines"], entry["lines_commit_sha"]) for entry in answer["entries"]}
    assert rows == {
        "a.py8": (2, "2" * 40), "big100000": (None, None), "l4": (1, "2" * 40), "new.py1": (None, None),
        "odd-\ufffd5": (None, None), "odd-\ufffd1": (1, "2" * 40), "vendor/subNone": (None, None),
    }  # fmt: skip
    assert [entry["path"] for entry in answer["entries"]] == answer["paths"]
    assert all(list(entry) == ["path", "size", "lines", "lines_commit_sha"] for entry in answer["entries"])
    assert len(seen) == 1
    listed = git(service.mirror("case"), "ls-tree", "-r", "-l", "-z", "main").split(b"\0")[:-1]
    assert ["-" if entry["size"] is None else str(entry["size"]) for entry in answer["entries"]] == [
        line.split()[3].decode() for line in listed
    ]


@pytest.mark.rule("TREE-29", "TREE-36")
def test_without_the_index_the_list_stands_and_every_count_is_unknown(service: Service) -> None:
    serve(service, {"a.py": b"one\n", "b.py": b"two\n"})
    with writing(service.engine) as connection:
        connection.execute(sql("DROP TABLE repository_files"))
    answer = list_tree(include_stats=True)
    assert answer["paths"] == ["a.py", "b.py"]
    assert answer["entries"] == [{"path": path, "size": 4, "lines": None, "lines_commit_sha": None} for path in ("a.py", "b.py")]


def test_with_no_database_at_all_the_list_is_that_of_head(service: Service) -> None:
    serve(service, {"a.py": b"one\n"})
    with writing(service.engine) as connection:
        for table in ("repository_files", "repositories"):
            connection.execute(sql(f"DROP TABLE {table}"))
    answer = list_tree(include_stats=True)
    assert (answer["ref"], answer["paths"]) == ("HEAD", ["a.py"])


@pytest.mark.rule("TREE-6", "TREE-7", "TREE-16", "REF-6")
def test_the_tree_is_that_of_the_commit_that_the_ref_resolves_to(service: Service) -> None:
    served_case(service, "14", "trunk")
    expected = {"v1.0": ["f.txt"], "feature/caching": ["docs/a.md", "f.txt"], "twin": ["f.txt"], "heads/twin": ["docs/a.md", "f.txt"]}
    for ref, paths in expected.items():
        answer = list_tree(ref=ref)
        assert (answer["paths"], answer["ref"]) == (paths, ref)
    assert list_tree()["ref"] == "refs/heads/trunk"
    assert list_tree(ref=" ")["ref"] == "refs/heads/trunk"


@pytest.mark.rule("TREE-4", "TREE-8", "TREE-9", "TREE-11", "TREE-12", "TREE-13", "TREE-14", "REF-14", "REF-26", "REF-31")
@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"repo": " ", "ref": "x" * 4_097}, {"error": "missing_repo"}),
        ({"path": "x" * 4_097, "ref": "x" * 4_097}, {"error": "path_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        ({"repo": "a/b", "ref": "x" * 4_097}, {"error": "ref_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        ({"repo": "nosuch", "ref": "x" * 4_097}, {"error": "ref_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        ({"repo": "a/b", "ref": "-x"}, {"error": "invalid_input"}),
        ({"path": "../a", "ref": "-x"}, {"error": "invalid_input"}),
        ({"path": "a//b", "repo": "nosuch"}, {"error": "invalid_input"}),
        ({"repo": "nosuch", "ref": "-x"}, {"error": "repo_not_mirrored", "repo": "nosuch"}),
        ({"ref": "--help"}, {"error": "invalid_ref", "repo": "case", "ref": "--help"}),
        ({"ref": "-h", "path": "/d/"}, {"error": "invalid_ref", "repo": "case", "path": "/d/", "ref": "-h"}),
        ({"ref": "gone", "path": "d"}, {"error": "ref_not_mirrored", "repo": "case", "path": "d", "ref": "gone"}),
        ({"repo": "broken"}, {"error": "read_failed", "repo": "broken"}),
    ],
)
def test_the_first_check_that_fails_decides(service: Service, arguments: dict[str, Any], refusal: dict[str, Any]) -> None:
    serve(service, {"d/f": b""})
    service.mirror("broken").mkdir()
    answer = list_tree(**arguments)
    answer.pop("message", None)
    assert answer == {"ok": False, **refusal}


@pytest.mark.rule("TREE-15", "REF-28", "REF-29")
def test_a_list_that_fails_while_a_sync_runs_asks_to_wait_and_one_that_succeeds_does_not(service: Service) -> None:
    serve(service, {"d/f": b"", "e/g": b"x"})
    service.mirror("broken").mkdir()
    for name in ("broken", "absent"):
        service.add(name, f"https://h/{name}")
    for name in ("case", "broken", "absent"):
        assert repositories.lock(service.engine, name, "a sync")
    assert list_tree()["ok"]
    assert list_tree(path="nosuch")["total"] == 0
    assert list_tree(ref="-x")["error"] == "invalid_ref"
    assert list_tree(ref="x" * 4_097)["error"] == "ref_too_long"
    for arguments in ({"ref": "nosuch"}, {"repo": "broken"}, {"repo": "absent"}):
        answer = list_tree(**arguments)  # type: ignore[arg-type]
        assert (answer["error"], answer["retry_after"]) == ("sync_in_progress", 30)
    mirror = service.mirror("case")
    loose_object(mirror, git_line(mirror, "rev-parse", "main:e/g")).unlink()
    assert list_tree()["ok"]  # a list needs no blob
    assert list_tree(include_stats=True)["error"] == "sync_in_progress"
    loose_object(mirror, git_line(mirror, "rev-parse", "main:d")).unlink()
    assert list_tree()["error"] == "sync_in_progress"
    assert repositories.unlock(service.engine, "case", "a sync", {})
    assert list_tree()["error"] == "read_failed"
