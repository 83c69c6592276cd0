"""Which documentation pages are served, and where a caller's path leads: the contract's worked examples and the gates."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.docs_policy import DocsPolicy, docs_root, resolve_docs_target, served
from shared.errors import Refused

POLICIES = {"CodeBot": DocsPolicy("docs/", ".rst"), "amir-bug-patterns": DocsPolicy("", ".md"), "unlisted": DocsPolicy("", ".md")}
ALLOWED = ("CodeBot", "amir-bug-patterns", "other-docs")


def outcome(repo: str | None, path: str, allowed: tuple[str, ...] = ALLOWED) -> Any:
    try:
        return resolve_docs_target(repo, path, allowed, POLICIES)
    except Refused as refused:
        return dict(refused.answer())


def outside(repo: str, root: str) -> dict[str, object]:
    return {"ok": False, "error": "path_outside_root", "root": root, "repo": repo}


@pytest.mark.rule("REF-47", "REF-54", "REF-55", "REF-56", "REF-59", "REF-60", "REF-62", "REF-63", "REF-64", "REF-71")
@pytest.mark.parametrize(
    ("repo", "path", "target"),
    [
        ("CodeBot", "mcp-server", "docs/mcp-server.rst"),
        ("CodeBot", "mcp-server.rst", "docs/mcp-server.rst"),
        ("CodeBot", "docs/mcp-server", "docs/mcp-server.rst"),
        ("CodeBot", "docs/observability/error_codes", "docs/observability/error_codes.rst"),
        ("CodeBot", "docs/../docs/mcp-server", "docs/mcp-server.rst"),
        ("amir-bug-patterns", "CRITICAL-PATTERNS", "CRITICAL-PATTERNS.md"),
        ("amir-bug-patterns", "bugbot-rules/race-toctou", "bugbot-rules/race-toctou.md"),
        ("amir-bug-patterns", "bugbot-rules/../README.md", "README.md"),
        ("amir-bug-patterns", "hook.sh", "hook.sh.md"),
        ("amir-bug-patterns", ".claude/settings.json", ".claude/settings.json.md"),
        ("amir-bug-patterns", ".claude/deep/er/notes.md", ".claude/deep/er/notes.md"),
    ],
)
def test_a_path_is_anchored_completed_and_normalised(repo: str, path: str, target: str) -> None:
    assert outcome(repo, path) == (repo, target)


@pytest.mark.rule("REF-56", "REF-60", "REF-61", "REF-62", "REF-65")
@pytest.mark.parametrize("path", ["observability/error_codes", "docsecret/x", "docs/../secrets", "/etc/hosts", "../docs/x/../../y", "//"])
def test_a_path_that_lands_outside_the_root_is_refused_with_the_root(path: str) -> None:
    assert outcome("CodeBot", path) == outside("CodeBot", "docs/")


@pytest.mark.rule("REF-64", "REF-65")
@pytest.mark.parametrize("path", ["../README.md", "a/../../b", "/etc/hosts", "/"])
def test_an_empty_root_still_ends_at_the_repository(path: str) -> None:
    assert outcome("amir-bug-patterns", path) == outside("amir-bug-patterns", "")


@pytest.mark.rule("REF-57", "REF-58")
def test_another_repositorys_format_is_refused_by_name_and_not_completed() -> None:
    for repo, path, suffix in (("CodeBot", "CRITICAL-PATTERNS.md", ".rst"), ("amir-bug-patterns", "mcp-server.rst", ".md")):
        refusal = {"ok": False, "error": "suffix_not_allowed", "repo": repo, "requested_path": path, "allowed_suffixes": [suffix]}
        assert outcome(repo, path) == refusal


@pytest.mark.rule("REF-48", "REF-49", "REF-50")
def test_a_repository_must_pass_both_gates() -> None:
    assert outcome("unlisted", "x") == {"ok": False, "error": "repo_not_allowed", "requested_repo": "unlisted"}
    assert outcome("nowhere", "x") == {"ok": False, "error": "repo_not_allowed", "requested_repo": "nowhere"}
    assert outcome("other-docs", "x") == {"ok": False, "error": "repo_not_configured", "requested_repo": "other-docs"}
    assert outcome(None, "x", allowed=("other-docs", "CodeBot"))["error"] == "repo_not_configured"  # no fallback to the next
    assert outcome(None, "x", allowed=())["error"] == "repo_not_allowed"
    assert len(outcome("n" * 10_000, "x")["requested_repo"]) == 100


@pytest.mark.rule("REF-51")
def test_the_first_repository_of_the_list_is_the_default_and_decides_root_and_format() -> None:
    assert outcome(None, "mcp-server") == outcome(" ", "mcp-server") == ("CodeBot", "docs/mcp-server.rst")
    assert outcome(None, "mcp-server", allowed=("amir-bug-patterns", "CodeBot")) == ("amir-bug-patterns", "mcp-server.md")


@pytest.mark.rule("REF-66", "REF-67", "REF-68")
def test_a_missing_and_a_too_long_path_are_told_apart_and_the_length_comes_first() -> None:
    for path in ("", "  ", "\t"):
        assert outcome("CodeBot", path) == {"ok": False, "error": "missing_path"}
    too_long = {"ok": False, "error": "path_too_long", "max_chars": 4096, "actual_chars": 4097}
    assert outcome("nowhere", "p" * 4_097) == too_long
    assert outcome("CodeBot", "p" * 4_096) == ("CodeBot", "docs/" + "p" * 4_096 + ".rst")
    assert outcome("nowhere", "")["error"] == "repo_not_allowed"  # the gates before the path


@pytest.mark.rule("REF-52", "REF-53")
def test_the_served_repositories_pass_both_gates_in_the_lists_order() -> None:
    assert served(ALLOWED, POLICIES) == ["CodeBot", "amir-bug-patterns"]
    assert served(("amir-bug-patterns", "other-docs", "CodeBot"), POLICIES) == ["amir-bug-patterns", "CodeBot"]
    assert served((), POLICIES) == []


@pytest.mark.rule("REF-61")
@given(st.text(alphabet="docs/.x~ ", max_size=24))
def test_whatever_is_asked_the_target_is_below_the_root_and_has_its_suffix(path: str) -> None:
    found = outcome("CodeBot", path)
    if isinstance(found, tuple):
        segments = found[1].split("/")
        assert segments[0] == "docs"
        assert len(segments) > 1
        assert ".." not in segments
        assert found[1].endswith(".rst")


@pytest.mark.parametrize(
    ("folder", "root"), [("docs/", "docs/"), ("docs", "docs/"), ("/docs/", "docs/"), ("doc/source", "doc/source/"), ("", ""), ("/", "")]
)
def test_a_root_is_a_folder_with_a_slash_at_its_end(folder: str, root: str) -> None:
    assert docs_root(folder) == root


@pytest.mark.parametrize("folder", ["..", "../docs", "a/../b", "./docs", "a//b", "a\0b"])
def test_a_root_that_no_folder_is_called_is_refused(folder: str) -> None:
    with pytest.raises(Refused, match="invalid_input"):
        docs_root(folder)
