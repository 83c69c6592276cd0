"""The shape of names, paths and refs. What git itself can list is the oracle of what may be read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import Refused
from shared.paths import check_file_path, check_path_length, check_ref_length, check_repo_name
from tests.git_repositories import git, git_line, new_repository


def refusal(check: object, value: str) -> dict[str, object] | None:
    try:
        check(value)  # type: ignore[operator]
    except Refused as refused:
        return dict(refused.answer())
    return None


@pytest.mark.rule("REF-25", "PLT-122")
@pytest.mark.parametrize("name", ["a", "9", "CodeBot", "amir-bug-patterns", "a_b", "a" * 100])
def test_a_repository_name_of_the_pattern_is_taken(name: str) -> None:
    assert refusal(check_repo_name, name) is None


@pytest.mark.rule("REF-25", "PLT-122")
@pytest.mark.parametrize(
    "name", ["", "-a", "_a", "a.b", "a/b", "..", "--help", "a" * 101, "a\n", "\u05e9", "a b", " a", "a\0", "case.git", "\ud800"]
)
def test_any_other_repository_name_is_invalid_input_and_is_not_echoed(name: str) -> None:
    answer = refusal(check_repo_name, name)
    assert answer is not None
    assert answer["error"] == "invalid_input"
    assert not name.strip("-_./ \n\0") or len(name) < 3 or name not in str(answer["message"])


@pytest.mark.rule("REF-25")
@pytest.mark.parametrize(
    "path", ["a", "a/b.txt", " lead and trail ", "-rf", "--output=x", ":!notes.md", "app/[...slug]/page.tsx", "docs/*.md",
        'a "b" c', "back\\slash",
             "tab\there", "two\nlines", "\u05de\u05d3\u05e8\u05d9\u05da.md", "caf\u00e9-cafe\u0301", "...", "..a/b", "a/..b",
             ".git/config", "a/./b",
             "a/../b", "\ufffd", "~", "$HOME", "a;b|c", "x" * 4_096],
)  # fmt: skip
def test_every_path_that_could_be_a_file_is_taken_as_it_is(path: str) -> None:
    assert refusal(check_file_path, path) is None


@pytest.mark.rule("REF-25")
@pytest.mark.parametrize(
    "path", ["a\0b", "\0", "a\ud800", "\udcff.txt", "/a", "/etc/hosts", "//a", "a/", "a//", "a//b", "/", "..", "../a", "a/../../b",
        "a/b/../../../c", "./../a"],
)  # fmt: skip
def test_a_malformed_path_is_invalid_input(path: str) -> None:
    answer = refusal(check_file_path, path)
    assert answer is not None
    assert list(answer) == ["ok", "error", "message"]
    assert answer["error"] == "invalid_input"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_repository(tmp_path_factory.mktemp("paths") / "r")


@pytest.mark.rule("REF-25")
@given(
    st.lists(
        st.text(alphabet=st.sampled_from("ab. -:!*\"\\\t\n'~$\u05e9\u0301\ud800\udcff"), max_size=4) | st.sampled_from(["..", ".", ""]),
        min_size=1,
        max_size=4,
    )
    .map("/".join)
    .filter(bool)
)
def test_no_path_that_git_can_list_is_refused_unless_it_is_not_utf8(repository: Path, path: str) -> None:
    blob = git_line(repository, "hash-object", "-w", "--stdin", stdin=b"x")
    raw = path.encode("utf-8", "surrogatepass")
    index = {"GIT_INDEX_FILE": str(repository / "index")}
    (repository / "index").unlink(missing_ok=True)
    try:
        git(repository, "update-index", "-z", "--index-info", stdin=f"100644 {blob}\t".encode() + raw + b"\0", **index)
        listed = git(repository, "ls-files", "-z", **index).split(b"\0")
    except AssertionError:
        return  # git refuses the path
    if raw in listed:
        is_utf8 = not any("\ud800" <= character <= "\udfff" for character in path)
        assert (refusal(check_file_path, path) is None) == is_utf8


@pytest.mark.rule("REF-15", "REF-16", "REF-18", "GRF-33")
def test_a_ref_of_4096_characters_passes_and_one_more_is_refused_with_both_numbers_and_without_the_ref() -> None:
    assert refusal(check_ref_length, "\u05e9" * 4_096) is None
    assert refusal(check_ref_length, "x" * 4_097) == {"ok": False, "error": "ref_too_long", "max_chars": 4_096, "actual_chars": 4_097}
    assert refusal(check_ref_length, " " * 70_000) == {"ok": False, "error": "ref_too_long", "max_chars": 4_096, "actual_chars": 70_000}


@pytest.mark.rule("REF-15", "REF-67")
def test_a_path_of_4096_characters_passes_and_one_more_is_refused_with_both_numbers() -> None:
    assert refusal(check_path_length, "\u05e9" * 4_096) is None
    assert refusal(check_path_length, "x" * 4_097) == {"ok": False, "error": "path_too_long", "max_chars": 4_096, "actual_chars": 4_097}
