"""The arguments of `codekeeper_list_repo_tree`."""

from typing import Annotated

from pydantic import Field

from shared.limits import PAGE_MAX, TREE_PER_PAGE_DEFAULT, TREE_PER_PAGE_MAX
from shared.wire.text import Arguments, Text, clamped


class ListRepoTreeArguments(Arguments):
    """What a caller may ask of a tree (TREE-1 to TREE-4)."""

    repo: Text = Field(default="", description="Name of the mirrored repository, as `codekeeper_list_repos` gives it.")
    path: Text | None = Field(
        default=None,
        description="Keep this file, or what is below this folder. Taken literally: no patterns. Not sent: the whole tree.",
    )
    ref: Text | None = Field(
        default=None, description="Branch, tag or commit that the mirror holds. Not sent: the default branch. Never fetches."
    )
    page: Annotated[int, clamped(1, PAGE_MAX)] = Field(default=1, description="Page of the list, from 1.")
    per_page: Annotated[int, clamped(1, TREE_PER_PAGE_MAX)] = Field(
        default=TREE_PER_PAGE_DEFAULT, description=f"Paths on a page, 1 to {TREE_PER_PAGE_MAX}; other numbers are clamped."
    )
    include_stats: bool = Field(
        default=False,
        description="Add `entries`: each path's size in bytes, and its lines as counted at the last sync (`lines_commit_sha`).",
    )
