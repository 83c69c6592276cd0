"""How `codekeeper_list_versions` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_VERSIONS
from shared.wire.saved_file_lists import ListVersionsArguments

TOOL = Tool(
    name="codekeeper_list_versions",
    title="List a saved file's versions",
    description=(
        "The versions of one saved file, newest first, metadata only; none when there is no such file. Each save, edit and "
        "append made one. When `truncated`, `total` says how many there are: they are numbered from 1. Read one with "
        "codekeeper_get_file and `version`."
    ),
    arguments=ListVersionsArguments,
    kind=LIST_VERSIONS,
    admin=False,
)
