"""How `codekeeper_save_file` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import SAVE_FILE
from shared.wire.saved_files import SaveFileArguments

TOOL = Tool(
    name="codekeeper_save_file",
    title="Save a new file",
    description=(
        "Save a text as a new file of yours. Nothing is ever overwritten: a name that is taken answers `file_exists`. Change such a file "
        "with codekeeper_edit_file or codekeeper_append_file, which keep the text before as a version. Answers with metadata, not the text."
    ),
    arguments=SaveFileArguments,
    kind=SAVE_FILE,
    admin=False,
    writes=True,
)
