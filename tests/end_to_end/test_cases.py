"""The cases about reading, refs and trees, asked through the front door of each form. Expected values are the cases' own."""

from typing import Any

import pytest

from tests.end_to_end.services import Service

FILE, TREE = "codekeeper_get_repo_file", "codekeeper_list_repo_tree"

ONE, TWO = "ec5de004485ac0b664a5aab150cf2b9a126bbf40", "3467cddc8d75b76b688005ecda1848cd14d83998"


def read(service: Service, repo: str, **arguments: Any) -> dict[str, Any]:
    return service.call(FILE, repo=repo, **arguments).json


def paths(service: Service, repo: str, **arguments: Any) -> list[str]:
    answer = service.call(TREE, repo=repo, **arguments).json
    assert answer["total"] == len(answer["paths"])
    assert answer["truncated"] is False
    listed: list[str] = answer["paths"]
    return listed


@pytest.mark.rule("LIN-1", "LIN-5", "LIN-7", "LIN-9", "LIN-13", "LIN-14", "LIN-25", "LIN-26", "GRF-25")
def test_case_02_only_a_line_feed_ends_a_line(service: Service) -> None:
    whole = read(service, "case-02", path="report.py")
    assert (whole["file"]["lines"], whole["file"]["size"], whole["file"]["encoding"]) == (7, 126, "utf-8")
    progress = read(service, "case-02", path="progress.log")
    assert (progress["file"]["lines"], progress["file"]["size"]) == (3, 26)
    separators = '    sep = "x\x1cy\x85z"  # NEEDLE, FS and NEL before it'
    assert whole["content"].split("\n")[4] == separators
    parts = {
        (5, 5): (separators, {"start": 5, "end": 5, "total_lines": 7, "truncated": False}),
        (4, 4): ('    text = "a\u2028b"', {"start": 4, "end": 4, "total_lines": 7, "truncated": False}),
        (2, 2): ("\f", {"start": 2, "end": 2, "total_lines": 7, "truncated": False}),
        (7, 7): ("last = 7", {"start": 7, "end": 7, "total_lines": 7, "truncated": False}),
        (7, 8): ("last = 7", {"start": 7, "end": 7, "total_lines": 7, "truncated": True}),
    }
    for lines, (content, shown) in parts.items():
        part = read(service, "case-02", path="report.py", lines=list(lines))
        assert (part["content"], part["range"]) == (content, shown)
    assert read(service, "case-02", path="report.py", lines=[8, 8]) == {"ok": False, "error": "range_out_of_bounds", "total_lines": 7}
    assert read(service, "case-02", path="progress.log", lines=[2, 2])["content"] == "50%\r100% NEEDLE"
    assert read(service, "case-02", path="progress.log", lines=[3, 3])["content"] == "\vend"


@pytest.mark.rule("TREE-28", "TREE-30", "TREE-31", "TREE-38", "TREE-40", "TREE-43")
def test_case_02_a_tree_with_stats_counts_the_lines_of_the_synced_commit(service: Service) -> None:
    answer = service.call(TREE, repo="case-02", include_stats=True).json
    main = read(service, "case-02", path="report.py")["file"]["resolved_commit"]
    assert answer["entries"] == [
        {"path": "progress.log", "size": 26, "lines": 3, "lines_commit_sha": main},
        {"path": "report.py", "size": 126, "lines": 7, "lines_commit_sha": main},
    ]


@pytest.mark.rule("REF-25", "TREE-17", "TREE-18")
def test_case_04_a_path_is_taken_literally(service: Service) -> None:
    for path in ("app/[...slug]/page.tsx", "app/[id]/page.tsx", "docs/*.md", "app/(auth)/page.tsx", ":!notes.md"):
        assert read(service, "case-04", path=path)["content"] == f'export const needle = "{path}";\n'
    assert read(service, "case-04", path="app/[id]")["error"] == "not_found"
    assert paths(service, "case-04", path="app/[id]") == ["app/[id]/page.tsx"]
    assert paths(service, "case-04", path="docs/*.md") == ["docs/*.md"]
    assert paths(service, "case-04", path=":!notes.md") == [":!notes.md"]
    assert paths(service, "case-04", path=":(top)") == []


NAMES_05 = {
    " lead and trail ": "seven",
    'docs/a "quoted" name.md': "three",
    "docs/back\\slash.md": "five",
    "docs/caf\u00e9-cafe\u0301.md": "eight",
    "docs/caf\u00e9.md": "one",
    "docs/latin-caf\ufffd.txt": None,
    "docs/tab\there.md": "four",
    "docs/two\nlines.md": "six",
    "docs/\u05de\u05d3\u05e8\u05d9\u05da.md": "two",
}


@pytest.mark.rule("TREE-16", "TREE-17", "TREE-18", "TREE-42", "REF-22", "REF-25")
def test_case_05_names_come_as_they_are_and_can_be_read(service: Service) -> None:
    assert paths(service, "case-05") == list(NAMES_05)
    inside = [name for name in NAMES_05 if name.startswith("docs/")]
    assert paths(service, "case-05", path="docs") == paths(service, "case-05", path="/docs/") == inside
    assert paths(service, "case-05", path=" lead and trail ") == [" lead and trail "]
    assert paths(service, "case-05", path="lead and trail") == paths(service, "case-05", path=" docs") == []
    for name, content in NAMES_05.items():
        answer = read(service, "case-05", path=name)
        if content is None:
            assert answer["error"] == "not_found"
            assert answer["ref"] == "refs/heads/main"
        else:
            assert (answer["content"], answer["file"]["path"]) == (content + "\n", name)


@pytest.mark.rule("TREE-31", "TREE-40", "LIN-2")
def test_case_05_the_tree_and_the_read_count_the_last_empty_line_differently(service: Service) -> None:
    (entry,) = service.call(TREE, repo="case-05", path="docs/café.md", include_stats=True).json["entries"]
    assert (entry["size"], entry["lines"]) == (4, 1)
    assert read(service, "case-05", path="docs/café.md")["file"]["lines"] == 2


@pytest.mark.rule("REF-12", "REF-20", "REF-23", "REF-25", "REF-26", "REF-36", "GRF-35", "TREE-9", "TREE-10", "PLT-140")
def test_case_13_values_that_look_like_options_are_values(service: Service) -> None:
    assert read(service, "case-13", path="-rf")["content"] == "alpha\n--output=stolen.txt\n-e beta\n"
    for ref in ("--output=stolen.txt", "main --", "main:notes.txt"):
        answer = read(service, "case-13", path="notes.txt", ref=ref)
        assert (answer["error"], answer["repo"], answer["ref"], answer["path"]) == ("invalid_ref", "case-13", ref, "notes.txt")
        assert answer["message"]
    for ref in ("--help", "-h"):
        assert service.call(TREE, repo="case-13", ref=ref).json["error"] == "invalid_ref"
    assert read(service, "case-13", path="notes.txt", ref="main..main")["error"] == "ref_not_mirrored"
    for path in ("../notes.txt", "/notes.txt"):
        assert read(service, "case-13", path=path)["error"] == "invalid_input"
    for path in ("", " "):
        assert read(service, "case-13", path=path) == {"ok": False, "error": "missing_path"}
    for path in (".git/config", "config"):
        answer = read(service, "case-13", path=path)
        assert (answer["error"], answer["ref"], len(answer["resolved_commit"])) == ("not_found", "refs/heads/main", 40)
    assert read(service, "--help", path="notes.txt")["error"] == "invalid_input"


@pytest.mark.rule("REF-4", "REF-9", "REF-10", "REF-12", "REF-13", "REF-36", "REF-39", "REF-40", "GRF-8", "GRF-9")
@pytest.mark.parametrize(
    ("refs", "content"),
    [
        (("trunk", "refs/heads/trunk", "HEAD", "feature/caching", "20240817", "deadbeef", "refs/heads/twin"), "v2\n"),
        (("v1.0", "outer", "light", "refs/tags/twin", "twin", "trunk~1", "trunk^", ONE, ONE[:7], "refs/pull/7/head"), "v1\n"),
    ],
)
def test_case_14_a_ref_leads_to_its_commit(service: Service, refs: tuple[str, ...], content: str) -> None:
    commit = {"v1\n": ONE, "v2\n": TWO}[content]
    for ref in refs:
        answer = read(service, "case-14", path="f.txt", ref=ref)
        assert (answer["content"], answer["file"]["ref"], answer["file"]["resolved_commit"]) == (content, ref, commit)


@pytest.mark.rule("REF-9", "REF-10", "REF-36", "REF-39", "REF-20", "REF-22", "REF-23", "TREE-6", "TREE-11", "TREE-12", "TREE-16")
def test_case_14_default_branch_and_refs_that_lead_nowhere(service: Service) -> None:
    for arguments in ({}, {"ref": ""}, {"ref": " "}):
        answer = read(service, "case-14", path="f.txt", **arguments)
        assert (answer["content"], answer["file"]["ref"]) == ("v2\n", "refs/heads/trunk")
    for ref in ("main", "nosuch", "trunk~9", "treetag"):
        answer = read(service, "case-14", path="f.txt", ref=ref)
        assert (answer["error"], answer["repo"], answer["ref"], answer["path"]) == ("ref_not_mirrored", "case-14", ref, "f.txt")
    for ref in ("HEAD:f.txt", ":/one", "trunk@{0}"):
        assert read(service, "case-14", path="f.txt", ref=ref)["error"] == "invalid_ref"
    answer = service.call(TREE, repo="case-14", ref="v1.0").json
    assert (answer["paths"], answer["ref"]) == (["f.txt"], "v1.0")
    assert paths(service, "case-14", ref="feature/caching") == ["docs/a.md", "f.txt"]
    for ref in ("treetag", "main"):
        assert service.call(TREE, repo="case-14", ref=ref).json["error"] == "ref_not_mirrored"
    missing = read(service, "case-14", path="docs/a.md", ref="v1.0")
    assert missing == {"ok": False, "error": "not_found", "ref": "v1.0", "resolved_commit": ONE}


@pytest.mark.rule("REF-8", "REF-24", "REF-36", "TREE-13")
def test_case_14_an_empty_repository_has_no_commit_and_an_unknown_one_no_mirror(service: Service) -> None:
    for tool, arguments in ((FILE, {"path": "f.txt"}), (TREE, {})):
        assert service.call(tool, repo="empty", **arguments).json["error"] == "ref_not_mirrored"
        assert service.call(tool, repo="nowhere", **arguments).json["error"] == "repo_not_mirrored"


@pytest.mark.rule("TREE-19", "REF-72", "REF-73", "REF-74", "REF-75", "REF-77", "REF-79", "REF-85")
def test_case_16_only_the_path_decides_what_is_secret(service: Service) -> None:
    visible = {
        "client.ts": "const HEADER",
        "credential_store.py": "class CredentialStore: pass\n",
        "docs/secrets-guide.md": "how to rotate a secret\n",
        "env.sample": "PORT=8000\n",
        "signing-howto.txt": "Put the key where",
    }
    assert paths(service, "case-16") == list(visible)
    assert paths(service, "case-16", path="deploy") == []
    for path, beginning in visible.items():
        answer = read(service, "case-16", path=path)
        assert answer["status"] == "ok"
        assert answer["content"].startswith(beginning)
    denied = (".env.sample", "keys/id_rsa_reader.py", "secrets.py", "deploy/.envoy/readme.txt", "nowhere/ID_RSA_keys/a.txt", "nowhere/.ENV")
    for path in denied:
        assert read(service, "case-16", path=path) == {"ok": False, "error": "path_denied"}


def symbols(service: Service, repo: str, **arguments: Any) -> list[tuple[str, int, int]]:
    answer = read(service, repo, outline=True, **arguments)
    assert (answer["status"], answer["total"]) == ("outline", len(answer["symbols"]))
    return [(symbol["name"], symbol["start"], symbol["end"]) for symbol in answer["symbols"]]


@pytest.mark.rule("OUT-9", "OUT-25", "OUT-27", "GRF-42")
def test_case_02_a_map_counts_lines_as_reads_do(service: Service) -> None:
    assert symbols(service, "case-02", path="report.py") == [("second", 3, 6)]
    log = read(service, "case-02", path="progress.log", outline=True)
    assert (log["status"], log["reason"]) == ("no_outline", "unsupported_language")


@pytest.mark.rule("OUT-66", "OUT-67", "OUT-73", "OUT-87", "OUT-91", "GRF-43", "GRF-44", "GRF-48")
def test_case_08_the_outline_of_a_page_has_its_headings_by_their_whole_names(service: Service) -> None:
    assert symbols(service, "case-08", path="manual.rst") == [
        ("Manual", 1, 37),
        ("Manual.Setup", 7, 37),
        ("Manual.Setup.Linux", 12, 37),
        ("Second", 38, 63),
        ("Second.設定 guide", 44, 48),
        ("Second.Up", 49, 53),
        ("Second.Too long for it", 54, 63),
    ]
    assert symbols(service, "case-08", path="manual.rst", symbol="setup") == [("Manual.Setup", 7, 37), ("Manual.Setup.Linux", 12, 37)]


@pytest.mark.rule("OUT-6", "OUT-20", "OUT-21", "OUT-22", "OUT-23", "OUT-24", "OUT-25", "GRF-40", "GRF-44", "GRF-49")
def test_case_09_decorated_repeated_and_nested_definitions_are_rows_of_their_own(service: Service) -> None:
    assert symbols(service, "case-09", path="service.py") == [
        ("traced", 7, 13),
        ("traced.wrap", 8, 12),
        ("traced.wrap.inner", 9, 11),
        ("count", 17, 24),
        ("Box", 27, 43),
        ("Box.width", 30, 32),
        ("Box.width", 34, 36),
        ("Box.load", 38, 39),
        ("Box.Lid", 41, 43),
        ("Box.Lid.open", 42, 43),
        ("pick", 46, 47),
        ("pick", 48, 49),
        ("pick", 50, 51),
        ("late", 55, 56),
        ("late", 58, 59),
    ]
    assert symbols(service, "case-09", path="service.py", symbol="width") == [("Box.width", 30, 32), ("Box.width", 34, 36)]


@pytest.mark.rule("OUT-8", "OUT-20", "OUT-21", "GRF-42", "GRF-43")
def test_case_10_names_beyond_ascii_and_a_language_without_a_scanner(service: Service) -> None:
    assert symbols(service, "case-10", path="labels.py") == [("größe", 5, 7), ("plain", 10, 10)]
    assert symbols(service, "case-10", path="labels.py", symbol="GRÖSSE") == [("größe", 5, 7)]
    assert read(service, "case-10", path="labels.tsx", outline=True)["reason"] == "unsupported_language"
