"""How `codekeeper_append_file` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import APPEND_FILE
from shared.wire.saved_files import AppendFileArguments

TOOL = Tool(
    name="codekeeper_append_file",
    title="Append to a saved file",
    description=(
        "Add text at the end of the newest version of a saved file, on a line of its own; the result is a new version. "
        "`appended_chars` counts a line end that was put in between."
    ),
    arguments=AppendFileArguments,
    kind=APPEND_FILE,
    admin=False,
    writes=True,
)
