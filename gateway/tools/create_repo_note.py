"""How `codekeeper_create_repo_note` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import CREATE_REPO_NOTE
from shared.wire.notes import CreateRepoNoteArguments

TOOL = Tool(
    name="codekeeper_create_repo_note",
    title="Put a note on a repository's file",
    description=(
        "Put a note of your own on a file of a mirrored repository's default branch. The repository itself is never written. "
        "Answers with the note's metadata, not its body."
    ),
    arguments=CreateRepoNoteArguments,
    kind=CREATE_REPO_NOTE,
    admin=True,
    writes=True,
)
