"""`codekeeper_list_repo_tree` and `codekeeper_list_repos`, through the front door of each form."""

import pytest

from tests.end_to_end.repositories import DOCUMENTATION, SHAPES, SOURCES
from tests.end_to_end.services import Service

TOOL = "codekeeper_list_repo_tree"
PATHS = sorted(str(path) for path in SHAPES)


@pytest.mark.rule("TREE-3", "TREE-16", "TREE-20", "TREE-21", "TREE-22", "TREE-23", "TREE-26")
def test_pages_of_any_size_together_are_the_tree(service: Service) -> None:
    for per_page in (700, 1_000):
        listed: list[str] = []
        for page in range(1, len(PATHS) // per_page + 2):
            answer = service.call(TOOL, repo="shapes", page=page, per_page=per_page, path=None).json
            assert list(answer) == ["ok", "repo", "ref", "path", "total", "page", "per_page", "paths", "truncated"]
            assert (answer["total"], answer["page"], answer["per_page"]) == (len(PATHS), page, per_page)
            assert answer["path"] is None
            listed += answer["paths"]
        assert listed == PATHS
    beyond = service.call(TOOL, repo="shapes", page=10**12, per_page=-5).json
    assert (beyond["paths"], beyond["total"], beyond["page"], beyond["per_page"]) == ([], len(PATHS), 10**9, 1)
    assert service.call(TOOL, repo="shapes", per_page=5_000, path="src").json["per_page"] == 1_000


@pytest.mark.rule("TREE-24", "TREE-25", "TREE-41")
def test_a_page_that_does_not_fit_is_refused_whole(service: Service) -> None:
    assert service.call(TOOL, repo="shapes", path="many", per_page=1_000).json["ok"] is True
    fat = service.call(TOOL, repo="shapes", path="many", per_page=1_000, include_stats=True).json
    assert (fat["error"], fat["max"], fat["per_page"]) == ("page_too_large", 256_000, 1_000)
    assert fat["bytes"] > 256_000
    assert set(fat) == {"ok", "error", "bytes", "max", "per_page"}


@pytest.mark.rule("TREE-28", "TREE-29", "TREE-32", "TREE-36", "TREE-43")
def test_stats_stand_beside_the_same_paths(service: Service) -> None:
    plain = service.call(TOOL, repo="shapes", per_page=20).json
    with_stats = service.call(TOOL, repo="shapes", per_page=20, include_stats="yes").json
    assert [entry["path"] for entry in with_stats.pop("entries")] == plain["paths"]
    assert with_stats == plain
    expected = {"abc.txt": 3, "empty.txt": 0, "binary.bin": None, "over-range-ceiling.txt": None, "over-ceiling.txt": 256_001}
    for path, lines in expected.items():
        (entry,) = service.call(TOOL, repo="shapes", path=path, include_stats=True).json["entries"]
        assert (entry["lines"], entry["lines_commit_sha"] is None) == (lines, lines is None)
    (sub,) = service.call(TOOL, repo="shapes", path="vendor", include_stats=True).json["entries"]
    assert sub == {"path": "vendor/sub", "size": None, "lines": None, "lines_commit_sha": None}


@pytest.mark.rule("TREE-18")
def test_a_folder_is_a_path_and_not_a_run_of_characters(service: Service) -> None:
    assert service.call(TOOL, repo="shapes", path="src").json["paths"] == ["src/app.py", "src/lib/util.py"]
    assert service.call(TOOL, repo="shapes", path="sr").json["total"] == 0
    assert service.call(TOOL, repo="shapes", path="/src/lib/").json["paths"] == ["src/lib/util.py"]
    assert service.call(TOOL, repo="shapes", path="src/app.py").json["paths"] == ["src/app.py"]
    assert service.call(TOOL, repo="shapes", path="/").json["total"] == len(PATHS)


def test_the_list_names_every_repository_with_what_its_sync_found(service: Service) -> None:
    answer = service.call("codekeeper_list_repos").json
    assert [repo["repo_name"] for repo in answer["repos"]] == sorted(SOURCES)
    assert answer["count"] == len(SOURCES)
    fields = {"repo_name", "repo_url", "default_branch", "last_sync_time", "last_synced_sha", "total_files", "sync_status"}
    documented = {repo["repo_name"] for repo in answer["repos"] if repo.pop("docs", None)}
    assert documented == set(DOCUMENTATION)
    assert all(set(repo) == fields for repo in answer["repos"])
    shapes = next(repo for repo in answer["repos"] if repo["repo_name"] == "shapes")
    assert (shapes["default_branch"], shapes["total_files"], shapes["sync_status"]) == ("main", len(PATHS), "ok")
    assert service.call("codekeeper_list_repos", limit=2).json["count"] == 2
    assert service.call("codekeeper_list_repos", limit=0).json["count"] == 1
