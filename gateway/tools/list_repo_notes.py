"""How `codekeeper_list_repo_notes` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_REPO_NOTES
from shared.wire.note_lists import ListRepoNotesArguments

TOOL = Tool(
    name="codekeeper_list_repo_notes",
    title="List the notes on a repository's file",
    description=(
        "Your notes on one file of a mirrored repository, oldest first, no bodies: read one with codekeeper_get_note. `orphaned` is true "
        "when the default branch has no such file any more, null when the mirror can't be read now."
    ),
    arguments=ListRepoNotesArguments,
    kind=LIST_REPO_NOTES,
    admin=True,
)
