"""Subject and body of a commit's message against git's own `%s` and `%b`."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.git_repositories import git, git_line, new_repository, write_tree
from workers.reading.commit_message import subject_and_body


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_repository(tmp_path_factory.mktemp("messages") / "repository.git")


@examples(30)
@example(["", "  ", "two", "  lines \t", " \r", "", "body ", "", ""])
@example(["only"])
@example([])
@given(st.lists(st.text(alphabet=" \t\r\f\vab\u05e9\u2028\x85\xa0", max_size=5), max_size=8))
def test_a_message_is_split_as_git_splits_it(repository: Path, lines: list[str]) -> None:
    message = "\n".join(lines)
    tree = write_tree(repository, {"a": b"a"})
    header = f"tree {tree}\nauthor a <a@x> 1 +0000\ncommitter a <a@x> 1 +0000\n\n"
    commit = git_line(repository, "hash-object", "-w", "-t", "commit", "--stdin", stdin=(header + message).encode())
    subject, body = git(repository, "show", "-s", "--format=tformat:%s%x00%b%x00", commit).decode().split("\0")[:2]
    assert subject_and_body(message) == (subject, body.rstrip("\n"))
