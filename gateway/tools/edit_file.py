"""How `codekeeper_edit_file` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import EDIT_FILE
from shared.wire.saved_files import EditFileArguments

TOOL = Tool(
    name="codekeeper_edit_file",
    title="Edit a saved file",
    description=(
        "Replace a text in the newest version of a saved file by another, exactly and literally; the result is a new version. "
        "`no_match`: it doesn't stand there so; `ambiguous_match` says how often it does: send more text around it, or `replace_all`."
    ),
    arguments=EditFileArguments,
    kind=EDIT_FILE,
    admin=False,
    writes=True,
)
