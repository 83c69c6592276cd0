"""How `codekeeper_create_board_note` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import CREATE_BOARD_NOTE
from shared.wire.notes import CreateBoardNoteArguments

TOOL = Tool(
    name="codekeeper_create_board_note",
    title="Put a note on a board",
    description=(
        "Put a note on one of your boards. Give it a title: searches look at titles first, and `duplicate_title` says that the board has "
        "one so named. Answers with the note's metadata, not its body."
    ),
    arguments=CreateBoardNoteArguments,
    kind=CREATE_BOARD_NOTE,
    admin=False,
    writes=True,
)
