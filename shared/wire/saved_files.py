"""The arguments of the tools that write saved files (PLT section 2.1)."""

from typing import Annotated, Final

from pydantic import Field

from shared.store_limits import MAX_DESCRIPTION_CHARS, MAX_FILE_NAME_CHARS, MAX_LANGUAGE_CHARS
from shared.wire.text import Arguments, Text, at_most

_NAME: Final = f"Name of the file, at most {MAX_FILE_NAME_CHARS} characters; a path such as `docs/plan.md` is a name too."
_EXISTING: Final = "Name of a saved file, exactly as a list gives it."


class SaveFileArguments(Arguments):
    """A new file."""

    file_name: Text = Field(default="", description=_NAME)
    code: Text = Field(default="", description="The whole text of the file, kept exactly as it is sent.")
    language: Annotated[Text, at_most(MAX_LANGUAGE_CHARS)] | None = Field(
        default=None, description="Such as `python` or `markdown`. Not sent: told from the name."
    )
    description: Text = Field(default="", description=f"What the file is for, at most {MAX_DESCRIPTION_CHARS} characters; searched too.")


class EditFileArguments(Arguments):
    """An exact replacement in a file's newest version."""

    file_name: Text = Field(default="", description=_EXISTING)
    old_string: Text = Field(
        default="", description="Text that stands in the file exactly so, white space and line ends included. Unless `replace_all`, once."
    )
    new_string: Text = Field(default="", description="What stands there afterwards; empty deletes.")
    replace_all: bool = Field(default=False, description="Replace every occurrence.")


class AppendFileArguments(Arguments):
    """Text to add to a file's newest version."""

    file_name: Text = Field(default="", description=_EXISTING)
    content: Text = Field(
        default="", description="Text for the end of the file. When the file doesn't end with a line end, one comes first."
    )


class UpdateFileDescriptionArguments(Arguments):
    """Another description of a file's newest version."""

    file_name: Text = Field(default="", description=_EXISTING)
    description: Text = Field(description=f"The new description, at most {MAX_DESCRIPTION_CHARS} characters; empty removes it.")
