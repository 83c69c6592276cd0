"""How `codekeeper_note_str_replace` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import NOTE_STR_REPLACE
from shared.wire.notes import NoteStrReplaceArguments

TOOL = Tool(
    name="codekeeper_note_str_replace",
    title="Edit a note",
    description=(
        "Replace a text in a note's body by another, exactly and literally, in place. The body before is kept as a version. `no_match`: it "
        "doesn't stand there so; `ambiguous_match` says how often it does: send more text around it, or `replace_all`."
    ),
    arguments=NoteStrReplaceArguments,
    kind=NOTE_STR_REPLACE,
    admin=False,
    writes=True,
    overwrites=True,
)
