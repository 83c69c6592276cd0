"""The arguments of `git grep` for the two passes, and for the question whose fault a failure was.

A caller's values stand only after `-e` and after `--`, where nothing is taken for an option (SRC-11).
"""

from collections.abc import Sequence
from typing import Final

from workers.search.query import Query

EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Git's id of the tree without entries, which it knows without having the object: a search in it reads nothing."""


def results_arguments(query: Query, commit_id: str, excluded: Sequence[str], per_file: int) -> tuple[str, ...]:
    """The results pass: records `commit:path NUL line NUL text LF`, at most `per_file` of a file (SRC-38)."""
    return (*_start(query), "-n", "-m", str(per_file), *_end(query, commit_id, excluded))


def count_arguments(query: Query, commit_id: str, excluded: Sequence[str]) -> tuple[str, ...]:
    """The counting pass: a record `commit:path NUL count LF` for each file with a match (SRC-40, SRC-41)."""
    return (*_start(query), "--count", *_end(query, commit_id, excluded))


def query_alone_arguments(query: Query) -> tuple[str, ...]:
    """Nothing but the query: fails when git can't take it."""
    return (*_start(query), "-q", "-e", query.text, EMPTY_TREE)


def pattern_alone_arguments(file_pattern: str) -> tuple[str, ...]:
    """Nothing but the pathspec: fails when git can't take it."""
    return ("grep", "--threads=1", "-q", "-F", "-e", "any", EMPTY_TREE, "--", file_pattern)


def _start(query: Query) -> tuple[str, ...]:
    """What both passes have in common. One thread, so that what comes before a damaged object always does."""
    case = () if query.case_sensitive else ("-i",)
    return ("grep", "--threads=1", "--no-color", "-I", "-z", "--full-name", "-E" if query.regex else "-F", *case)


def _end(query: Query, commit_id: str, excluded: Sequence[str]) -> tuple[str, ...]:
    pattern = () if query.file_pattern is None else (query.file_pattern,)
    return ("-e", query.text, commit_id, "--", *pattern, *excluded)
