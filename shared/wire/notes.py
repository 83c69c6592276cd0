"""The arguments of the tools that write notes (PLT section 2.2)."""

from typing import Annotated, Final

from pydantic import Field, StrictInt

from shared.store_limits import MAX_ANCHOR_CHARS, MAX_NAME_CHARS, MAX_NOTE_CHARS, MAX_TITLE_OF_NOTE_CHARS, NOTE_MODES
from shared.wire.text import Arguments, Text, at_most

Color = Annotated[Text, at_most(MAX_NAME_CHARS)]
AnchorText = Annotated[Text, at_most(MAX_ANCHOR_CHARS)]

_CONTENT: Final = f"The note's body, at most {MAX_NOTE_CHARS} characters, kept exactly as it is sent."
_COLOR: Final = "Colour of the note, such as `yellow`."
_ANCHOR: Final = "Text of that line, by which the note's place is found again after edits."
_TITLE: Final = f"One line, at most {MAX_TITLE_OF_NOTE_CHARS} characters"
_MODE: Final = f"How it is shown: `{NOTE_MODES[0]}`, where it was put, or `{NOTE_MODES[1]}`, fixed to the screen."
_NOTE_ID: Final = "The note's `id`."


class CreateNoteArguments(Arguments):
    """A new note on a saved file."""

    file_name: Text = Field(default="", description="Name of the saved file that the note is about.")
    content: Text = Field(default="", description=_CONTENT)
    line: StrictInt | None = Field(default=None, description="Line to anchor it to, from 1. Not sent: it floats.")
    color: Color | None = Field(default=None, description=_COLOR)
    anchor_text: AnchorText | None = Field(default=None, description=_ANCHOR)


class CreateBoardNoteArguments(Arguments):
    """A new note on a board."""

    board_id: Text = Field(default="", description="The board's `id`, as codekeeper_list_boards gives it.")
    content: Text = Field(default="", description=_CONTENT)
    color: Color | None = Field(default=None, description=_COLOR)
    mode: Text = Field(default=NOTE_MODES[0], description=_MODE)
    title: Text | None = Field(default=None, description=f"{_TITLE}, unlike any other on the board. Searches look at titles first.")


class CreateRepoNoteArguments(Arguments):
    """A new note on a file of a mirrored repository."""

    repo: Text = Field(default="", description="Name of the mirrored repository, as codekeeper_list_repos gives it.")
    path: Text = Field(default="", description="Path of a file of its default branch, exactly as a listing gives it.")
    content: Text = Field(default="", description=_CONTENT)
    mode: Text = Field(default=NOTE_MODES[0], description=_MODE)
    title: Text | None = Field(default=None, description=f"{_TITLE}. Searches look at titles first.")


class UpdateNoteArguments(Arguments):
    """What is to be changed of a note."""

    note_id: Text = Field(default="", description=_NOTE_ID)
    content: Text | None = Field(default=None, description=f"{_CONTENT} The body before it is kept as a version.")
    line: StrictInt | None = Field(default=None, description="Line of the saved file to anchor it to, from 1.")
    color: Color | None = Field(default=None, description=_COLOR)
    anchor_text: AnchorText | None = Field(default=None, description=_ANCHOR)
    is_minimized: bool | None = Field(default=None, description="Whether it is shown small.")


class NoteStrReplaceArguments(Arguments):
    """An exact replacement in a note's body."""

    note_id: Text = Field(default="", description=_NOTE_ID)
    old_string: Text = Field(
        default="", description="Text that stands in the note exactly so, white space and line ends included. Unless `replace_all`, once."
    )
    new_string: Text = Field(default="", description="What stands there afterwards; empty deletes.")
    replace_all: bool = Field(default=False, description="Replace every occurrence.")
