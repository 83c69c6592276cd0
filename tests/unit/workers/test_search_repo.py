"""`codekeeper_search_repo` as a function: what matches, how it is counted, what an answer holds, what is refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.database import repositories
from shared.wire.search_repo import SearchRepoArguments
from tests.fake_git import REAL_GIT, FakeGit
from tests.git_repositories import Entry, commit_files, git_line, link, new_repository, submodule
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import BUDGET, as_sent, found_paths, places, read_file, search
from workers import resources


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch, DENYLIST_EXTRA="internal/*") as running:
        yield running
    resources.secret_paths.cache_clear()


def serve(service: Service, files: dict[str | bytes, bytes | Entry]) -> str:
    commit = commit_files(new_repository(service.mirror("case")), files)
    service.add("case", "https://h/case", "main")
    return commit


def greps(fake_git: FakeGit) -> list[list[str]]:
    """The words after `grep` of each search so far."""
    return [call["argv"][call["argv"].index("grep") + 1 :] for call in fake_git.calls() if "grep" in call["argv"]]


# Matching


@pytest.mark.rule("SRC-5", "SRC-6")
def test_a_query_is_literal_unless_regex_says_otherwise(service: Service) -> None:
    serve(service, {"a.py": b"get_db(x)\nget_db\na.c\nabc\nx|y\n^start\n[z]\nb+\n\\d\n"})
    for query, line in {"get_db(": 1, "a.c": 3, "x|y": 5, "^start": 6, "[z]": 7, "b+": 8, "\\d": 9}.items():
        assert places(search(query)) == [("a.py", line)]
    assert places(search("a.c|^\\[z", regex=True)) == [("a.py", 3), ("a.py", 4), ("a.py", 7)]
    assert search("get_db(", regex=True)["error"] == "invalid_regex"


@pytest.mark.rule("SRC-6")
def test_escapes_that_git_knows_work_and_a_dollar_does_not_match_before_a_cr(service: Service) -> None:
    serve(service, {"a.txt": b"word two\nab ab\nend\r\nend\n"})
    assert places(search(r"\<two\>", regex=True)) == [("a.txt", 1)]
    assert places(search(r"(\w+)\s\1", regex=True)) == [("a.txt", 2)]
    assert places(search(r"\bword\b", regex=True)) == [("a.txt", 1)]
    assert places(search(r"\Bnd\W", regex=True)) == [("a.txt", 3)]
    assert places(search("end$", regex=True)) == [("a.txt", 4)]


@pytest.mark.rule("SRC-6")
@pytest.mark.parametrize("query", [r"\d+", r"x\D", r"\p{Lu}", r"(a)\0", r"[\d]"])
def test_an_escape_that_git_would_take_for_a_letter_is_refused_by_name(service: Service, query: str) -> None:
    serve(service, {"a.txt": b"d\n"})
    answer = search(query, regex=True)
    assert answer["error"] == "invalid_regex"
    assert query[query.index("\\") :][:2] in answer["message"]
    assert search(query)["total"] == 0


@pytest.mark.rule("SRC-7", "SRC-22")
def test_two_occurrences_in_a_line_are_one_hit(service: Service) -> None:
    serve(service, {"one.txt": b"one needle needle\nneedle\n"})
    answer = search("needle")
    assert (places(answer), answer["count"], answer["total"]) == ([("one.txt", 1), ("one.txt", 2)], 2, 2)


@pytest.mark.rule("SRC-8", "SRC-9", "SRC-10")
def test_a_query_is_not_trimmed_and_a_blank_or_short_one_is_refused(service: Service) -> None:
    serve(service, {"a.py": b"return\n    return x\nb a\n"})
    assert places(search("    return")) == [("a.py", 2)]
    assert places(search(" a")) == [("a.py", 3)]
    assert search(" a")["query"] == " a"
    for query in ("", " ", "\t\t \t", "\n\n", "a", "\u05e9"):
        assert search(query) == {"ok": False, "error": "query_too_short"}


@pytest.mark.rule("SRC-11")
@pytest.mark.parametrize("query", ["--all", "-e x", "--open-files-in-pager=touch planted", "-O", "--", "--output=planted", "-f/etc/passwd"])
def test_a_query_or_pattern_that_begins_with_a_dash_is_a_value(service: Service, query: str) -> None:
    serve(service, {"a.txt": b"first\n" + query.encode() + b"\n", query.replace("/", "_"): b"needle\n"})
    assert places(search(query)) == [("a.txt", 2)]
    assert search("needle", file_pattern=query.replace("/", "_"))["total"] == 1
    assert not list(service.data_dir.rglob("planted"))


@pytest.mark.rule("SRC-12")
def test_binary_files_links_and_submodules_are_not_searched(service: Service) -> None:
    serve(service, {"a.bin": b"needle\0\n", "a.txt": b"needle\n", "link": link("needle"), "sub": submodule()})
    assert places(search("needle")) == [("a.txt", 1)]


@pytest.mark.rule("SRC-13", "SRC-14", "SRC-15", "SRC-16", "SRC-18")
@pytest.mark.parametrize("regex", [False, True])
def test_case_is_folded_unless_asked_otherwise_in_hits_and_in_the_count(service: Service, regex: bool) -> None:
    serve(service, {"a.txt": "Config\nconfig\nCONFIG\näb\nÄB\n".encode(), "b.txt": b"config\n" * 30})
    assert places(search("Config", regex=regex, max_results=2)) == [("a.txt", 1), ("a.txt", 2)]
    assert search("Config", regex=regex, max_results=2)["total"] == 33
    exact = search("Config", regex=regex, case_sensitive=True, max_results=1)
    assert (places(exact), exact["total"]) == ([("a.txt", 1)], 1)
    assert search("config", regex=regex, case_sensitive=True)["total"] == 31
    assert places(search("äb", regex=regex)) == [("a.txt", 4), ("a.txt", 5)]
    assert places(search("äb", regex=regex, case_sensitive=True)) == [("a.txt", 4)]


# The numbers


@pytest.mark.rule("SRC-19", "SRC-21", "SRC-22", "SRC-26", "SRC-38", "SRC-40", "SRC-54", "SRC-55", "SRC-56", "LIN-43")
def test_a_page_that_is_cut_has_the_exact_total_and_the_reason(service: Service) -> None:
    serve(service, {f"d/{name}.txt": b"needle 1\nx\n" * 10 for name in "abcde"})
    answer = search("needle", max_results=5)
    assert answer == {
        "ok": True, "repo": "case", "query": "needle", "count": 5, "total": 50, "truncated": True, "truncation_reason": "max_results",
        "results": [{"path": "d/a.txt", "line": line, "snippet": "needle 1"} for line in (1, 3, 5, 7, 9)],
    }  # fmt: skip
    complete = search("needle")
    assert (complete["count"], complete["total"], complete["truncated"]) == (50, 50, False)
    assert "truncation_reason" not in complete
    assert "total_at_least" not in complete
    hit = complete["results"][7]
    assert read_file(hit["path"], lines=[hit["line"], hit["line"]])["content"] == "needle 1"


@pytest.mark.rule("SRC-36", "SRC-37")
def test_nothing_found_is_a_success(service: Service) -> None:
    serve(service, {"a.txt": b"x\n", "node_modules/p.js": b"needle\n"})
    nothing = {"ok": True, "repo": "case", "query": "needle", "count": 0, "total": 0, "truncated": False, "results": []}
    assert search("needle") == nothing


@pytest.mark.rule("SRC-38", "SRC-39", "SRC-40", "SRC-43")
def test_a_file_gives_at_most_20_hits_and_all_of_its_lines_are_counted(service: Service) -> None:
    serve(service, {"a.txt": b"needle\n" * 30, "b.txt": b"needle\n" * 20, "c.txt": b"needle\n"})
    answer = search("needle")
    assert [path for path, _ in places(answer)] == ["a.txt"] * 20 + ["b.txt"] * 20 + ["c.txt"]
    assert (answer["count"], answer["total"], answer["truncated"], answer["truncation_reason"]) == (41, 51, True, "per_file_limit")
    spread = search("needle", max_results=2, file_pattern="*.txt")
    assert (places(spread), spread["total"], spread["truncation_reason"]) == ([("a.txt", 1), ("a.txt", 2)], 51, "max_results")


@pytest.mark.rule("SRC-41", "SRC-42", "SRC-43", "SRC-44", "SRC-45", "SRC-17")
def test_the_second_pass_runs_when_the_first_can_not_answer_on_the_same_commit_with_the_same_values(
    service: Service, fake_git: FakeGit
) -> None:
    commit = serve(service, {"a.txt": b"needle\n" * 19, "b.txt": b"needle\n" * 20})
    assert search("needle", file_pattern="a.txt")["total"] == 19
    assert len(greps(fake_git)) == 1
    assert search("needle", file_pattern="b.txt")["total"] == 20
    _, results, count = greps(fake_git)
    assert (results.count("-m"), results[results.index("-m") + 1], "--count" in results) == (1, "20", False)
    assert ("-m" in count, "-n" in count, "--count" in count) == (False, False, True)
    assert results[results.index("-e") :] == count[count.index("-e") :]
    assert [commit in words for words in (results, count)] == [True, True]
    assert [word for word in results if word not in {"-n", "-m", "20"}] == [word for word in count if word != "--count"]
    search("needle", file_pattern="b.txt", case_sensitive=True, regex=True)
    *_, results, count = greps(fake_git)
    for words in (results, count):
        assert ("-E" in words, "-F" in words, "-i" in words) == (True, False, False)
    environments = [call["env"]["LC_ALL"] for call in fake_git.calls()]
    assert set(environments) == {"C.UTF-8"}


@pytest.mark.rule("SRC-44")
def test_a_sync_that_lands_between_the_passes_changes_nothing(service: Service, fake_git: FakeGit) -> None:
    serve(service, {"a.txt": b"needle\n" * 30})
    moved = commit_files(service.mirror("case"), {"a.txt": b"needle\n" * 7}, ref="refs/heads/next")
    # The name moves when the first pass has begun; both passes name the commit.
    fake_git.instead_of(("grep",), f'echo {moved} > {service.mirror("case")}/refs/heads/main; exec {REAL_GIT} "$@"')
    answer = search("needle")
    assert git_line(service.mirror("case"), "rev-parse", "main") == moved
    assert (answer["count"], answer["total"]) == (20, 30)
    assert search("needle")["total"] == 7


@pytest.mark.rule("SRC-42", "SRC-46")
def test_the_first_pass_reads_on_to_50_lines_for_each_result_and_then_leaves_the_rest_to_the_count(
    service: Service, fake_git: FakeGit
) -> None:
    serve(service, {f"{number:03}.txt": b"needle\n" for number in range(101)})
    hundred = search("needle", max_results=2, file_pattern=":(exclude)100.txt")
    assert (hundred["total"], hundred["count"], hundred["truncation_reason"], len(greps(fake_git))) == (100, 2, "max_results", 1)
    more = search("needle", max_results=2)
    assert (more["total"], more["count"], more["truncation_reason"], len(greps(fake_git))) == (101, 2, "max_results", 3)


@pytest.mark.rule("SRC-4", "SRC-39")
def test_numbers_out_of_range_are_clamped(service: Service) -> None:
    serve(service, {f"{number:03}.txt": b"a\nneedle\nb\n" for number in range(120)})
    assert search("needle")["count"] == 50
    assert search("needle", max_results=1_000)["count"] == 100
    assert search("needle", max_results=0)["count"] == search("needle", max_results=-5)["count"] == 1
    assert "context_before" in search("needle", context_lines=10**9)["results"][0]
    assert "context_before" not in search("needle", context_lines=-1)["results"][0]
    assert SearchRepoArguments(context_lines=11).context_lines == 10


# What is left out


@pytest.mark.rule("SRC-47", "SRC-68", "SRC-69", "REF-73", "PLT-125")
def test_secret_files_are_neither_searched_nor_returned_nor_counted(service: Service) -> None:
    secret = [".env", "config/.env", "x/id_rsa_keys/a.txt", "Deploy/.ENVOY/readme.txt", "a.PEM", "internal/x.md"]
    serve(service, {"a.txt": b"needle\n", "src/internal/y.md": b"needle\n", **dict.fromkeys(secret, b"needle\n" * 30)})
    assert found_paths() == found_paths(include_vendored=True) == ["a.txt", "src/internal/y.md"]
    for path in secret:
        assert found_paths(file_pattern=path, include_vendored=True) == []
    assert read_file("internal/x.md")["error"] == "path_denied"


@pytest.mark.rule("SRC-28", "SRC-29", "SRC-48", "PLT-130")
def test_what_only_the_last_layer_knows_for_secret_is_taken_out_and_makes_the_number_a_lower_bound(service: Service) -> None:
    # Git sees no folder in a backslash, and doesn't fold the Kelvin sign; the policy does both.
    hidden = {"a\\.env": b"needle\n" * 3, "x.\u212aey": b"needle\n"}
    serve(service, {"a.txt": b"needle\n" * 4, **hidden})
    answer = search("needle")
    assert (answer["count"], answer["total_at_least"], answer["truncation_reason"]) == (4, 4, "policy_filtered")
    assert answer["truncated"] is True
    assert "total" not in answer
    assert {path for path, _ in places(answer)} == {"a.txt"}
    only = search("needle", file_pattern="x.\u212aey")
    assert (only["count"], only["total_at_least"], only["truncation_reason"], only["results"]) == (0, 0, "policy_filtered", [])


@pytest.mark.rule("SRC-28", "SRC-29")
def test_a_secret_file_that_only_the_count_meets_is_taken_out_of_the_number_too(service: Service) -> None:
    serve(service, {"a.txt": b"needle\n" * 30, "z\\.env": b"needle\n" * 5})
    answer = search("needle", max_results=3)
    assert (answer["count"], answer["total_at_least"], answer["truncation_reason"]) == (3, 3, "policy_filtered")


VENDORED = ("a/node_modules/q/j.js", "app.bundle.js", "d/x.map", "lib.min.css", "lib.min.js", "node_modules/p/i.js")


@pytest.mark.rule("SRC-49", "SRC-50", "SRC-51", "SRC-52")
def test_external_code_is_left_out_unless_asked_for_and_can_always_be_read(service: Service) -> None:
    serve(service, dict.fromkeys((*VENDORED, "src/a.js", "my_node_modules.txt"), b"needle\n"))
    assert found_paths() == ["my_node_modules.txt", "src/a.js"]
    assert found_paths(include_vendored=True) == sorted([*VENDORED, "my_node_modules.txt", "src/a.js"])
    for path in VENDORED:
        assert read_file(path)["content"] == "needle\n"


@pytest.mark.rule("SRC-50")
def test_external_code_is_left_out_of_the_count_as_well(service: Service) -> None:
    serve(service, {"node_modules/a.js": b"needle\n" * 100, "a.js": b"needle\n" * 30})
    assert search("needle", max_results=5)["total"] == 30
    assert search("needle", max_results=5, include_vendored=True)["total"] == 130


# The answer


@pytest.mark.rule("SRC-20", "SRC-57", "TREE-42")
def test_a_path_is_whole_whatever_it_holds(service: Service) -> None:
    names: list[str | bytes] = [
        "foo:42:bar.py",
        "a b",
        'q"uote',
        "tab\there",
        "two\nlines",
        "\u05de\u05d3\u05e8\u05d9\u05da",
        "-x",
        ":!y",
        "1:2",
    ]
    serve(service, {**dict.fromkeys(names, b"x\nneedle\n"), b"latin-caf\xe9": b"x\nneedle\n"})
    answer = search("needle", context_lines=1)
    assert answer["total"] == len(names) + 1
    assert {path for path, _ in places(answer)} == {*names, "latin-caf\ufffd"}
    assert all((hit["line"], hit["context_before"]) == (2, ["x"]) for hit in answer["results"])


@pytest.mark.rule("SRC-58", "SRC-59", "SRC-60")
def test_a_snippet_is_trimmed_and_cut_and_says_so(service: Service) -> None:
    serve(service, {"a.txt": ("\t needle \r\n" + "needle" + "\u05e9" * 300 + "\n").encode(), "b.txt": b"needle \xf9\xec\n"})
    first, second, third = search("needle")["results"]
    assert first == {"path": "a.txt", "line": 1, "snippet": "needle"}
    assert second == {"path": "a.txt", "line": 2, "snippet": "needle" + "\u05e9" * 247, "snippet_truncated": True}
    assert third == {"path": "b.txt", "line": 1, "snippet": "needle \u00f9\u00ec"}


@pytest.mark.rule("SRC-58")
def test_a_line_of_ten_megabytes_in_a_file_above_the_read_ceilings_is_a_short_snippet(service: Service) -> None:
    serve(service, {"a.txt": b"before\n" + b" " * 5_000_000 + b"needle" + b"y" * 10_000_000 + b"\n  after\n", "b.txt": b"needle\n"})
    long, short = search("needle", context_lines=1)["results"]
    assert long == {
        "path": "a.txt", "line": 2, "snippet": "needle" + "y" * 494, "snippet_truncated": True,
        "context_before": ["before"], "context_after": ["  after"],
    }  # fmt: skip
    assert short == {"path": "b.txt", "line": 1, "snippet": "needle", "context_before": [], "context_after": []}


@pytest.mark.rule("SRC-53", "SRC-61")
def test_context_comes_when_it_is_asked_for_and_counts_nothing(service: Service) -> None:
    serve(service, {"f.txt": b"a\nneedle 1\nb\n", "g.txt": b"  needle\nneedle  \n\n\tc \nd"})
    plain, none, one, two = (search("needle", context_lines=lines) for lines in (None, 0, 1, 2))
    assert plain == none
    assert one["results"][0] == {"path": "f.txt", "line": 2, "snippet": "needle 1", "context_before": ["a"], "context_after": ["b"]}
    assert [(hit["context_before"], hit["context_after"]) for hit in two["results"][1:]] == [
        ([], ["needle", ""]),
        (["  needle"], ["", "\tc"]),
    ]
    for answer in (one, two):
        assert [(hit["path"], hit["line"], hit["snippet"]) for hit in answer["results"]] == [
            (hit["path"], hit["line"], hit["snippet"]) for hit in plain["results"]
        ]
        assert (answer["count"], answer["total"]) == (plain["count"], plain["total"]) == (3, 3)


@pytest.mark.rule("SRC-62", "SRC-53", "SRC-27", "SRC-25")
def test_hits_that_do_not_fit_are_cut_from_the_end_and_the_total_stays_exact(service: Service) -> None:
    around = ("\u05e9" * 250 + "\n") * 10
    serve(service, {f"{number:03}.txt": f"{around}needle\n{around}".encode() for number in range(60)})
    whole = search("needle")
    assert (whole["count"], whole["total"], whole["truncation_reason"]) == (50, 60, "max_results")
    answer = search("needle", context_lines=10)
    assert (answer["total"], answer["truncated"], answer["truncation_reason"]) == (60, True, "byte_budget")
    assert answer["count"] == len(answer["results"]) < 50
    assert places(answer) == places(whole)[: answer["count"]]
    one_more = {**answer, "results": [*answer["results"], answer["results"][-1]]}
    assert len(as_sent(answer)) <= BUDGET < len(as_sent(one_more))


# Refusals


@pytest.mark.rule("SRC-2", "REF-8", "REF-24", "REF-26", "REF-38")
@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"repo": " ", "query": ""}, {"error": "missing_repo"}),
        ({"repo": "a/b", "query": " "}, {"error": "query_too_short"}),
        ({"repo": "a/b", "query": "x" * 4_097}, {"error": "query_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        ({"repo": "a/b", "query": "a\0b\nc"}, {"error": "invalid_query"}),
        ({"repo": "a/b", "query": "a\ud800"}, {"error": "invalid_query"}),
        ({"repo": "a/b", "query": "a\nb", "file_pattern": "x" * 5_000}, {"error": "query_multiline"}),
        ({"repo": "a/b", "query": "\\d", "regex": True, "file_pattern": "x" * 5_000}, {"error": "invalid_regex"}),
        ({"repo": "a/b", "file_pattern": "x" * 4_097}, {"error": "file_pattern_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        ({"repo": "a/b", "file_pattern": "a\0b"}, {"error": "invalid_file_pattern"}),
        ({"repo": "a/b", "file_pattern": ":(foo)x"}, {"error": "invalid_input"}),
        ({"repo": "nosuch", "file_pattern": ":(foo)x"}, {"error": "repo_not_mirrored", "repo": "nosuch"}),
        ({"repo": "unborn", "file_pattern": ":(foo)x"}, {"error": "ref_not_mirrored", "repo": "unborn", "ref": "refs/heads/gone"}),
        ({"repo": "broken"}, {"error": "read_failed", "repo": "broken"}),
    ],
)
def test_the_first_check_that_fails_decides(service: Service, arguments: dict[str, Any], refusal: dict[str, Any]) -> None:
    commit_files(new_repository(service.mirror("unborn")), {"a": b"x\n"})
    service.add("unborn", "https://h/unborn", "gone")
    service.mirror("broken").mkdir()
    answer = search(**{"query": "needle", **arguments})
    answer.pop("message", None)
    assert answer == {"ok": False, **refusal}


@pytest.mark.rule("SRC-64")
@pytest.mark.parametrize(
    "pattern",
    [":(foo)x", ":%x", "../x", "a/../../x", "/etc/passwd", ":(top", ":(literal,glob)a", ":(attr:)x", ":(attr:a,attr:b)x",
     ":(icase,prefix:100)a"],
)  # fmt: skip
def test_a_bad_pathspec_is_refused_in_our_own_words(service: Service, pattern: str) -> None:
    serve(service, {"a.txt": b"needle\n"})
    answer = search("needle", file_pattern=pattern)
    assert (answer["error"], set(answer)) == ("invalid_file_pattern", {"ok", "error", "message"})
    assert answer["message"].startswith("file_pattern: no pathspec of git: ")
    assert str(service.data_dir) not in answer["message"]


@pytest.mark.rule("SRC-6")
@pytest.mark.parametrize(
    ("query", "reason"),
    [("a(", "Unmatched ( or"), ("[a", "Unmatched ["), ("x{2,1}", "Invalid content of"), ("*a", "Invalid preceding regular expression"),
     (r"(?i)x", "Invalid preceding"), ("b\\", "Trailing backslash"), ("x{99999}", "too big"), (r"a\1", "Invalid back reference")],
)  # fmt: skip
def test_a_bad_expression_is_refused_with_gits_reason(service: Service, query: str, reason: str) -> None:
    serve(service, {"a.txt": b"needle\n"})
    answer = search(query, regex=True)
    assert (answer["error"], set(answer)) == ("invalid_regex", {"ok", "error", "message"})
    assert reason in answer["message"]
    assert str(service.data_dir) not in answer["message"]


@pytest.mark.rule("SRC-64")
@pytest.mark.parametrize("pattern", [":(attr:foo)", ":(attr:!foo)nosuch", ":(top)../x", "docs docs", "\u05e9"])
def test_a_pathspec_that_git_takes_and_that_catches_nothing_is_no_error(service: Service, pattern: str) -> None:
    serve(service, {"a.txt": b"needle\n"})
    assert found_paths(file_pattern=pattern) == []


@pytest.mark.rule("SRC-64")
@pytest.mark.parametrize("pattern", ["", " ", "\t"])
def test_a_blank_pattern_is_not_sent(service: Service, pattern: str) -> None:
    serve(service, {"a.txt": b"needle\n"})
    assert found_paths(file_pattern=pattern) == ["a.txt"]


@pytest.mark.rule("SRC-3", "REF-2")
def test_a_search_never_fetches(service: Service, fake_git: FakeGit) -> None:
    serve(service, {"a.txt": b"needle\n" * 30})
    search("needle", context_lines=2)
    search("needle(", regex=True, file_pattern=":(foo)")
    assert {word for call in fake_git.calls() for word in call["argv"] if word in {"fetch", "ls-remote", "clone", "grep"}} == {"grep"}
    assert {call["env"]["GIT_ALLOW_PROTOCOL"] for call in fake_git.calls()} == {""}


@pytest.mark.rule("SRC-63", "REF-30")
def test_a_search_that_succeeds_never_asks_whether_a_sync_runs(service: Service) -> None:
    serve(service, {"a.txt": b"needle\n" * 30})
    assert repositories.lock(service.engine, "case", "a sync")
    assert search("needle")["total"] == 30
    assert search("nothing of it")["total"] == 0
    assert search("a(", regex=True)["error"] == "invalid_regex"


@pytest.mark.rule("SRC-42")
def test_lines_of_any_length_are_not_read_on_for_the_sake_of_the_total(service: Service, fake_git: FakeGit) -> None:
    serve(service, {f"{number:02}.txt": b"needle" + b"y" * 200_000 + b"\n" for number in range(30)})
    answer = search("needle", max_results=2)
    assert (answer["count"], answer["total"], answer["truncation_reason"]) == (2, 30, "max_results")
    assert len(greps(fake_git)) == 2
    assert search("needle", max_results=2, file_pattern="0?.txt")["total"] == 10
