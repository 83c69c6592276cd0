"""How `codekeeper_list_note_versions` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_NOTE_VERSIONS
from shared.wire.note_lists import ListNoteVersionsArguments

TOOL = Tool(
    name="codekeeper_list_note_versions",
    title="List a note's earlier versions",
    description=(
        "The earlier bodies that are kept of a note, newest first: number and time. The body as it is now has the number "
        "`current_version` and is read with codekeeper_get_note."
    ),
    arguments=ListNoteVersionsArguments,
    kind=LIST_NOTE_VERSIONS,
    admin=False,
)
