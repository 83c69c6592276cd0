"""How `codekeeper_search_repo` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import SEARCH_REPO
from shared.wire.search_repo import SearchRepoArguments

TOOL = Tool(
    name="codekeeper_search_repo",
    title="Search a repository's text",
    description=(
        "Lines of a mirrored repository's default branch that match, with path, line and snippet, and how many there are: `total` is "
        "exact; `total_at_least` stands in its place, with `truncation_reason`, when counting was cut. A hit is a line. Literal and "
        "case-insensitive by default. Narrow by `file_pattern`, or leave a folder out with `:(exclude)FOLDER`. Secret files are never "
        "searched, external code only on request, so 0 hits doesn't mean that the text is nowhere. Read around a hit with "
        "codekeeper_get_repo_file and `lines`."
    ),
    arguments=SearchRepoArguments,
    kind=SEARCH_REPO,
    admin=True,
)
