"""The arguments of the tools that find, list and read notes (SCN, PLT section 2.2)."""

from typing import Annotated

from pydantic import Field

from shared.store_limits import STORE_SEARCH_RESULTS_DEFAULT, STORE_SEARCH_RESULTS_MAX
from shared.wire.text import Arguments, Text, clamped

_NOTE = "Id of a note, as a list or search gives it."
_REPO = "Name of a mirrored repository, as codekeeper_list_repos gives it."


class ListNotesArguments(Arguments):
    """The notes on one saved file."""

    file_name: Text = Field(default="", description="Name of a saved file, exactly as a list gives it.")


class ListBoardsArguments(Arguments):
    """All boards of the caller."""


class ListBoardNotesArguments(Arguments):
    """The notes on one board."""

    board_id: Text = Field(default="", description="Id of a board, as codekeeper_list_boards gives it.")


class GetNoteArguments(Arguments):
    """One note."""

    note_id: Text = Field(default="", description=_NOTE)


class SearchNotesArguments(Arguments):
    """A text to find in the caller's notes (SCN-15 to SCN-32)."""

    query: Text = Field(default="", description="Text to find, taken literally, in any case; a part of a word is enough.")
    search_content: bool = Field(
        default=False,
        description="Also search the bodies: most notes have no title. Hits carry no body; read one with codekeeper_get_note.",
    )
    include_archived: bool = Field(default=False, description="Also search the archive.")
    limit: Annotated[int, clamped(1, STORE_SEARCH_RESULTS_MAX)] = Field(
        default=STORE_SEARCH_RESULTS_DEFAULT,
        description=f"Most notes to return, 1 to {STORE_SEARCH_RESULTS_MAX}; other numbers are clamped.",
    )


class ListNoteVersionsArguments(Arguments):
    """The earlier bodies of one note."""

    note_id: Text = Field(default="", description=_NOTE)


class GetNoteVersionArguments(Arguments):
    """One earlier body of a note."""

    note_id: Text = Field(default="", description=_NOTE)
    version: int = Field(description="Number of the version, as codekeeper_list_note_versions gives it.")


class ListRepoNotesArguments(Arguments):
    """The notes on one file of a repository."""

    repo: Text = Field(default="", description=_REPO)
    path: Text = Field(default="", description="Path of the file, exactly as codekeeper_list_repo_note_paths gives it.")


class ListRepoNotePathsArguments(Arguments):
    """The files of a repository that have notes."""

    repo: Text = Field(default="", description=_REPO)
