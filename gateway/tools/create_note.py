"""How `codekeeper_create_note` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import CREATE_NOTE
from shared.wire.notes import CreateNoteArguments

TOOL = Tool(
    name="codekeeper_create_note",
    title="Put a note on a saved file",
    description=("Put a note on one of your saved files, anchored to a line or floating. Answers with the note's metadata, not its body."),
    arguments=CreateNoteArguments,
    kind=CREATE_NOTE,
    admin=False,
    writes=True,
)
