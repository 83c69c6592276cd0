"""How `codekeeper_search_code` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import SEARCH_CODE
from shared.wire.saved_file_lists import SearchCodeArguments

TOOL = Tool(
    name="codekeeper_search_code",
    title="Search your saved files by words",
    description=(
        "Which of your saved files have a word: in name, description, tags or text, newest first, metadata only. Whole words "
        "and their English forms: `auth` doesn't find `authenticate`. `truncated` means that more files match than `limit`. It "
        "answers which file; for where in it, and for parts of words, go on with codekeeper_get_file and `query`. In a mirrored "
        "repository the counterpart is codekeeper_search_repo, for admins."
    ),
    arguments=SearchCodeArguments,
    kind=SEARCH_CODE,
    admin=False,
)
