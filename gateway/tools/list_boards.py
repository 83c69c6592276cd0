"""How `codekeeper_list_boards` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_BOARDS
from shared.wire.note_lists import ListBoardsArguments

TOOL = Tool(
    name="codekeeper_list_boards",
    title="List your boards",
    description="Your boards, with how many notes each has; the default one first. The first call makes the default board.",
    arguments=ListBoardsArguments,
    kind=LIST_BOARDS,
    admin=False,
)
