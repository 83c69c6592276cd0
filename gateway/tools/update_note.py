"""How `codekeeper_update_note` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import UPDATE_NOTE
from shared.wire.notes import UpdateNoteArguments

TOOL = Tool(
    name="codekeeper_update_note",
    title="Change a note",
    description=(
        "Change a note in place: its body, line, colour, anchor or size, whichever is sent. The body before is kept as a version, the "
        "newest 20 of them. Answers with the note's metadata, not its body."
    ),
    arguments=UpdateNoteArguments,
    kind=UPDATE_NOTE,
    admin=False,
    writes=True,
    overwrites=True,
    repeatable=True,
)
