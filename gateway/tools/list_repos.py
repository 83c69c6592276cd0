"""How `codekeeper_list_repos` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_REPOS
from shared.wire.list_repos import ListReposArguments

TOOL = Tool(
    name="codekeeper_list_repos",
    title="List mirrored repositories",
    description=(
        "The repositories this server mirrors, by name: default branch, commit and time of the last sync, number of files. "
        "Start here: the other repository tools take `repo_name` as `repo`."
    ),
    arguments=ListReposArguments,
    kind=LIST_REPOS,
    admin=True,
)
