"""How `codekeeper_list_files` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_FILES
from shared.wire.saved_file_lists import ListFilesArguments

TOOL = Tool(
    name="codekeeper_list_files",
    title="List your saved files",
    description=(
        "Your saved files, newest first, a page at a time: name, language, size, lines, description, tags; never the text. "
        "`total` counts all pages. Files that a repository brought (a tag `repo:...`) are left out here, not in "
        "codekeeper_search_code. Read one with codekeeper_get_file."
    ),
    arguments=ListFilesArguments,
    kind=LIST_FILES,
    admin=False,
)
