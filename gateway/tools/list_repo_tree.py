"""How `codekeeper_list_repo_tree` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_REPO_TREE
from shared.wire.list_repo_tree import ListRepoTreeArguments

TOOL = Tool(
    name="codekeeper_list_repo_tree",
    title="List a repository's files",
    description=(
        "File paths of a mirrored repository at a branch, tag or commit, a page at a time, without content. `total` counts all pages. "
        "`include_stats` adds sizes and line counts. A page that would not fit is refused whole (`page_too_large`): ask with a smaller "
        "`per_page`. Never contacts the remote: `ref_not_mirrored` means that this server doesn't hold the ref yet, "
        "not that it doesn't exist."
    ),
    arguments=ListRepoTreeArguments,
    kind=LIST_REPO_TREE,
    admin=True,
)
