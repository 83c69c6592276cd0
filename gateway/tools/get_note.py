"""How `codekeeper_get_note` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import GET_NOTE
from shared.wire.note_lists import GetNoteArguments

TOOL = Tool(
    name="codekeeper_get_note",
    title="Read a note",
    description="One note with its body, wherever it is, in the archive too.",
    arguments=GetNoteArguments,
    kind=GET_NOTE,
    admin=False,
)
