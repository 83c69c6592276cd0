"""How `codekeeper_search_notes` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import SEARCH_NOTES
from shared.wire.note_lists import SearchNotesArguments

TOOL = Tool(
    name="codekeeper_search_notes",
    title="Search your notes by text",
    description=(
        "Which of your notes have a text in their title, or with `search_content` in their body; newest first, no bodies. Taken "
        "literally, parts of words too. `searched_content` and `searched_archive` say where it looked: a note that you know and "
        "don't find may have no title or be in the archive. `truncated` means that more notes match than `limit`. Read a hit "
        "with codekeeper_get_note."
    ),
    arguments=SearchNotesArguments,
    kind=SEARCH_NOTES,
    admin=False,
)
