"""How `codekeeper_list_notes` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_NOTES
from shared.wire.note_lists import ListNotesArguments

TOOL = Tool(
    name="codekeeper_list_notes",
    title="List the notes on a saved file",
    description="The notes on one saved file, oldest first: title, line, colour, times; no bodies. Read one with codekeeper_get_note.",
    arguments=ListNotesArguments,
    kind=LIST_NOTES,
    admin=False,
)
