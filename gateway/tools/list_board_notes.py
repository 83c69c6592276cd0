"""How `codekeeper_list_board_notes` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_BOARD_NOTES
from shared.wire.note_lists import ListBoardNotesArguments

TOOL = Tool(
    name="codekeeper_list_board_notes",
    title="List the notes on a board",
    description=(
        "The notes on one board, oldest first, no bodies. A note that was moved to the archive is on no board: "
        "codekeeper_search_notes with `include_archived` finds it. Read one with codekeeper_get_note."
    ),
    arguments=ListBoardNotesArguments,
    kind=LIST_BOARD_NOTES,
    admin=False,
)
