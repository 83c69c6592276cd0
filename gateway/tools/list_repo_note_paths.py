"""How `codekeeper_list_repo_note_paths` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_REPO_NOTE_PATHS
from shared.wire.note_lists import ListRepoNotePathsArguments

TOOL = Tool(
    name="codekeeper_list_repo_note_paths",
    title="List the files of a repository that have notes",
    description="The files of a mirrored repository that you have notes on, by path, with how many. A file that is gone is listed too.",
    arguments=ListRepoNotePathsArguments,
    kind=LIST_REPO_NOTE_PATHS,
    admin=True,
)
