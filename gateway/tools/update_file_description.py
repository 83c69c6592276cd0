"""How `codekeeper_update_file_description` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import UPDATE_FILE_DESCRIPTION
from shared.wire.saved_files import UpdateFileDescriptionArguments

TOOL = Tool(
    name="codekeeper_update_file_description",
    title="Describe a saved file",
    description=(
        "Replace the description of a saved file. It belongs to the newest version and is changed in place, without a new version."
    ),
    arguments=UpdateFileDescriptionArguments,
    kind=UPDATE_FILE_DESCRIPTION,
    admin=False,
    writes=True,
    overwrites=True,
    repeatable=True,
)
