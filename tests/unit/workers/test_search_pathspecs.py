"""The contract's table of pathspecs against the installed git, row by row: an upgrade that changes a row shows here."""

from collections.abc import Iterator

import pytest

from tests.git_repositories import commit_files, new_repository
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import found_paths

TREE = (
    "docs/index.html",
    "docs/deep/a.html",
    "docs/deep/x/b.html",
    "top.html",
    "top.HTML",
    "deep/c.txt",
    "assets/vendor/v.js",
    "assets/own.js",
    "config/.env",
    "static/lib.min.js",
    "node_modules/p/i.js",
    "a/node_modules/q/j.js",
    "my_node_modules.txt",
)
DOCS = ["docs/deep/a.html", "docs/deep/x/b.html", "docs/index.html"]
LEFT_OUT = {"config/.env", "static/lib.min.js", "node_modules/p/i.js", "a/node_modules/q/j.js"}


pytestmark = pytest.mark.usefixtures("service")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with pytest.MonkeyPatch.context() as monkeypatch, running_service(tmp_path_factory.mktemp("data"), monkeypatch) as running:
        commit_files(new_repository(running.mirror("case")), dict.fromkeys(TREE, b"needle\n"))
        running.add("case", "https://h/case", "main")
        yield running


@pytest.mark.rule("SRC-64", "SRC-65", "SRC-66", "SRC-67", "SRC-68", "SRC-70", "SRC-52")
@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        (None, sorted(set(TREE) - LEFT_OUT)),
        ("docs", DOCS),
        ("*.html", [*DOCS, "top.html"]),
        ("docs/*.html", DOCS),
        ("docs/**/*.html", ["docs/deep/a.html", "docs/deep/x/b.html"]),
        (":(exclude)assets/vendor", sorted(set(TREE) - LEFT_OUT - {"assets/vendor/v.js"})),
        (":(icase)*.html", [*DOCS, "top.HTML", "top.html"]),
        ("deep", ["deep/c.txt"]),
        ("docs,deep", []),
        ("docs deep", []),
        ("config/.env", []),
        ("static/lib.min.js", []),
        ("my_node_modules.txt", ["my_node_modules.txt"]),
        (":(literal)docs/*.html", []),
        (":(literal)top.html", ["top.html"]),
    ],
)
def test_a_pattern_catches_what_the_contract_says(pattern: str | None, paths: list[str]) -> None:
    assert found_paths(file_pattern=pattern) == paths


@pytest.mark.rule("SRC-66", "SRC-70")
@pytest.mark.parametrize("case_sensitive", [False, True])
def test_the_case_of_the_query_is_not_that_of_the_pattern(case_sensitive: bool) -> None:
    assert found_paths(file_pattern="*.html", case_sensitive=case_sensitive) == [*DOCS, "top.html"]
    assert found_paths(file_pattern=":(icase)*.html", case_sensitive=case_sensitive) == [*DOCS, "top.HTML", "top.html"]


@pytest.mark.rule("SRC-69", "SRC-68", "SRC-70")
def test_a_pattern_brings_vendored_files_back_when_they_are_asked_for_and_never_a_secret() -> None:
    assert found_paths(file_pattern="static/lib.min.js", include_vendored=True) == ["static/lib.min.js"]
    assert found_paths(file_pattern="config/.env", include_vendored=True) == []
    assert found_paths(include_vendored=True) == sorted(set(TREE) - {"config/.env"})
