"""The arguments of the tools that find and list saved files (SCN, PLT section 2.1)."""

from typing import Annotated

from pydantic import Field

from shared.limits import PAGE_MAX
from shared.store_limits import FILES_PER_PAGE_DEFAULT, FILES_PER_PAGE_MAX, STORE_SEARCH_RESULTS_DEFAULT, STORE_SEARCH_RESULTS_MAX
from shared.wire.text import Arguments, Text, clamped


class ListFilesArguments(Arguments):
    """A page of the caller's files."""

    page: Annotated[int, clamped(1, PAGE_MAX)] = Field(default=1, description="Page of the list, from 1; beyond the last it is the last.")
    per_page: Annotated[int, clamped(1, FILES_PER_PAGE_MAX)] = Field(
        default=FILES_PER_PAGE_DEFAULT, description=f"Files on a page, 1 to {FILES_PER_PAGE_MAX}; other numbers are clamped."
    )


class SearchCodeArguments(Arguments):
    """Words to find in the caller's files."""

    query: Text = Field(
        default="",
        description="Whole words, any of which a file must have; their English forms count: `authenticating` finds `authenticate`.",
    )
    language: Text | None = Field(default=None, description="Only files of this language, exactly as lists show it, such as `python`.")
    limit: Annotated[int, clamped(1, STORE_SEARCH_RESULTS_MAX)] = Field(
        default=STORE_SEARCH_RESULTS_DEFAULT,
        description=f"Most files to return, 1 to {STORE_SEARCH_RESULTS_MAX}; other numbers are clamped.",
    )


class ListVersionsArguments(Arguments):
    """Whose versions to list."""

    file_name: Text = Field(default="", description="Name of a saved file, exactly as a list gives it.")
