"""How `codekeeper_get_note_version` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import GET_NOTE_VERSION
from shared.wire.note_lists import GetNoteVersionArguments

TOOL = Tool(
    name="codekeeper_get_note_version",
    title="Read an earlier version of a note",
    description="One earlier body of a note, by its number.",
    arguments=GetNoteVersionArguments,
    kind=GET_NOTE_VERSION,
    admin=False,
)
