"""`codekeeper_search_repo` through the front door of each form: the cases about search, and what a client is told of it."""

import json
from typing import Any

import pytest

from tests.end_to_end.services import Service

TOOL = "codekeeper_search_repo"
BUDGET = 256_000


def search(service: Service, repo: str, query: str, **arguments: Any) -> dict[str, Any]:
    return service.call(TOOL, repo=repo, query=query, **arguments).json


def hits(answer: dict[str, Any]) -> list[tuple[str, int, str]]:
    """Path, line and snippet of every hit of a search that found all there is."""
    assert (answer["count"], answer["total"], answer["truncated"]) == (len(answer["results"]), len(answer["results"]), False)
    assert "truncation_reason" not in answer
    return [(hit["path"], hit["line"], hit["snippet"]) for hit in answer["results"]]


def paths(answer: dict[str, Any]) -> list[str]:
    return [path for path, _, _ in hits(answer)]


@pytest.mark.rule("SRC-56", "SRC-60")
def test_case_02_only_a_line_feed_ends_a_line(service: Service) -> None:
    assert hits(search(service, "case-02", "NEEDLE")) == [
        ("progress.log", 2, "50%\r100% NEEDLE"),
        ("report.py", 5, 'sep = "x\x1cy\x85z"  # NEEDLE, FS and NEL before it'),
    ]


@pytest.mark.rule("SRC-21", "SRC-53", "SRC-56", "SRC-57", "SRC-61", "SRC-64")
def test_case_03_colons_digits_and_dashes_in_paths(service: Service) -> None:
    assert hits(search(service, "case-03", "NEEDLE")) == [
        ("a-7-b.py", 2, "NEEDLE three"),
        ("foo:42:bar.py", 1, "NEEDLE two: at 7: here"),
        ("logs:2024/app.txt", 2, "NEEDLE one"),
        ("plain.txt", 1, "12:NEEDLE four"),
    ]
    assert paths(search(service, "case-03", "NEEDLE", file_pattern="foo:42:bar.py")) == ["foo:42:bar.py"]
    assert paths(search(service, "case-03", "NEEDLE", file_pattern="logs:2024")) == ["logs:2024/app.txt"]
    three = search(service, "case-03", "three", context_lines=1)
    around = {"context_before": ["before"], "context_after": ["after"]}
    assert three["results"] == [{"path": "a-7-b.py", "line": 2, "snippet": "NEEDLE three", **around}]
    assert three["total"] == 1


@pytest.mark.rule("SRC-36", "SRC-64")
def test_case_04_a_pattern_is_a_pathspec_as_git_reads_it(service: Service) -> None:
    every = [":!notes.md", "app/(auth)/page.tsx", "app/[...slug]/page.tsx", "app/[id]/page.tsx", "app/d/page.tsx", "app/i/page.tsx",
             "docs/*.md", "docs/a.md", "docs/sub/b.md"]  # fmt: skip
    caught = {
        "app/[id]/page.tsx": ["app/[id]/page.tsx", "app/d/page.tsx", "app/i/page.tsx"],
        "app/[id]": ["app/[id]/page.tsx"],
        "docs/*.md": ["docs/*.md", "docs/a.md", "docs/sub/b.md"],
        "app/(auth)": ["app/(auth)/page.tsx"],
        "app": every[1:6],
        ":!notes.md": every,
        ":(top)": every,
        ":/": every,
        ":(literal)app/[id]/page.tsx": ["app/[id]/page.tsx"],
        ":(literal)docs/*.md": ["docs/*.md"],
        ":(literal):!notes.md": [":!notes.md"],
        ":(literal):(top)": [],
    }
    for pattern, expected in caught.items():
        found = hits(search(service, "case-04", "needle", file_pattern=pattern))
        assert sorted(path for path, _, _ in found) == expected, pattern
        assert {line for _, line, _ in found} <= {1}
    for pattern in (":(nosuch)x", "../x"):
        reply = service.call(TOOL, repo="case-04", query="needle", file_pattern=pattern)
        assert (reply.json["error"], bool(reply.json["message"])) == ("invalid_file_pattern", True)
        assert service.environment["CODEKEEPER_DATA_DIR"] not in reply.text


@pytest.mark.rule("SRC-57", "SRC-64")
def test_case_05_paths_are_whole_and_not_normalised(service: Service) -> None:
    assert hits(search(service, "case-05", "three")) == [('docs/a "quoted" name.md', 1, "three")]
    assert paths(search(service, "case-05", "eight")) == ["docs/caf\u00e9-cafe\u0301.md"]
    assert paths(search(service, "case-05", "one", file_pattern="docs/caf\u00e9.md")) == ["docs/caf\u00e9.md"]


@pytest.mark.rule("SRC-13", "SRC-14", "SRC-18", "SRC-60")
def test_case_10_case_is_folded_for_letters_beyond_ascii(service: Service) -> None:
    exact = search(service, "case-10", "Gr\u00f6\u00dfe", case_sensitive=True)
    assert hits(exact) == [("labels.py", 6, '"""Gibt die Gr\u00f6\u00dfe zur\u00fcck."""')]
    assert [(path, line) for path, line, _ in hits(search(service, "case-10", "Gr\u00f6\u00dfe"))] == [
        ("labels.py", 5), ("labels.py", 6), ("labels.py", 10),
    ]  # fmt: skip


@pytest.mark.rule("SRC-2", "SRC-5", "SRC-7", "SRC-11", "SRC-64", "REF-5", "REF-7", "PLT-140")
def test_case_13_values_that_look_like_options_are_values(service: Service) -> None:
    assert hits(search(service, "case-13", "--output=stolen.txt")) == [("-rf", 2, "--output=stolen.txt")]
    assert hits(search(service, "case-13", "-e beta")) == [("-rf", 3, "-e beta")]
    assert hits(search(service, "case-13", "--all")) == [("notes.txt", 1, "gamma --all epsilon")]
    assert hits(search(service, "case-13", "alpha", file_pattern="-rf")) == [("-rf", 1, "alpha")]
    with_ref = service.call(TOOL, repo="case-13", query="gamma", ref="--all")
    assert (with_ref.json["error"], with_ref.json["arguments"], with_ref.is_error) == ("unknown_argument", ["ref"], True)
    assert "--all" not in with_ref.text
    assert "gamma" not in with_ref.text


@pytest.mark.rule("SRC-2", "REF-8", "REF-9")
def test_case_14_the_default_branch_is_searched(service: Service) -> None:
    assert ("f.txt", 1, "v2") in hits(search(service, "case-14", "v2"))
    assert search(service, "case-14", "v1")["total"] == 0
    unborn = search(service, "empty", "any")
    assert (unborn["error"], unborn["repo"], "path" in unborn) == ("ref_not_mirrored", "empty", False)
    assert search(service, "nowhere", "any")["error"] == "repo_not_mirrored"


@pytest.mark.rule("SRC-47", "SRC-56", "SRC-58", "SRC-68", "REF-79", "PLT-125")
def test_case_16_only_the_path_decides_what_is_secret(service: Service) -> None:
    assert [(path, line) for path, line, _ in hits(search(service, "case-16", "PRIVATE KEY"))] == [
        ("signing-howto.txt", 2), ("signing-howto.txt", 4),
    ]  # fmt: skip
    assert hits(search(service, "case-16", "TOKEN")) == [("client.ts", 5, 'const HINT = "export TOKEN=<paste your token>";')]
    assert hits(search(service, "case-16", "PORT=8000")) == [("env.sample", 1, "PORT=8000")]
    assert hits(search(service, "case-16", "PORT=8000", file_pattern="deploy")) == []
    assert [(path, line) for path, line, _ in hits(search(service, "case-16", "password"))] == [("client.ts", 7)]
    assert hits(search(service, "case-16", "password", file_pattern="secrets.py")) == []


@pytest.mark.rule("SRC-71", "SRC-6")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_client_is_told_every_form_of_a_pattern_and_that_a_folder_can_be_left_out(service: Service, mode: str) -> None:
    tool = service.connection(mode=mode).tools()[TOOL]
    described = tool.input_schema["properties"]["file_pattern"]["description"]
    for form in (
        "`docs`",
        "`*.html`",
        "`docs/*.html`",
        "`docs/**/*.html`",
        "`:(exclude)assets/vendor`",
        "`:(icase)*.html`",
        "`:(literal)PATH`",
    ):
        assert form in described
    assert ":(exclude)" in tool.description
    assert "ref" not in tool.input_schema["properties"]


@pytest.mark.rule("SRC-26", "SRC-58", "SRC-62", "LIN-31")
def test_a_line_that_a_read_cannot_send_comes_as_a_bounded_snippet(service: Service) -> None:
    refused = service.call("codekeeper_get_repo_file", repo="shapes", path="one-long-line.txt", lines=[1, 1]).json
    assert TOOL in refused["hint"]
    (hit,) = search(service, "shapes", "wwww", file_pattern="one-long-line.txt")["results"]
    assert hit == {"path": "one-long-line.txt", "line": 1, "snippet": "w" * 500, "snippet_truncated": True}
    controls = service.call(TOOL, repo="shapes", query="bbbb", file_pattern="controls.txt", context_lines=10)
    assert (controls.json["count"], controls.json["total"]) == (20, 40_000)
    assert len(controls.text.encode()) <= BUDGET
    assert controls.text.encode() == json.dumps(controls.json, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.rule("SRC-9", "SRC-10")
def test_a_query_that_is_too_short_is_an_answer_and_no_protocol_error(service: Service) -> None:
    for query in ("", "   ", "a"):
        reply = service.call(TOOL, repo="shapes", query=query)
        assert (reply.json, reply.is_error) == ({"ok": False, "error": "query_too_short"}, False)
