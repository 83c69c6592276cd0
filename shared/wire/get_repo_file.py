"""The arguments of `codekeeper_get_repo_file`."""

from typing import Annotated

from pydantic import Field

from shared.limits import OUTLINE_PER_PAGE_DEFAULT, OUTLINE_PER_PAGE_MAX, PAGE_MAX
from shared.wire.text import Arguments, LineRange, Text, clamped


class GetRepoFileArguments(Arguments):
    """What a caller may ask of one file: the whole of it, a range of its lines, or its map (GRF-2)."""

    repo: Text = Field(default="", description="Name of the mirrored repository, as `codekeeper_list_repos` gives it.")
    path: Text = Field(default="", description="Path of the file from the repository's root, exactly as a listing gives it.")
    ref: Text | None = Field(
        default=None, description="Branch, tag or commit that the mirror holds. Not sent: the default branch. Never fetches."
    )
    lines: LineRange | None = Field(
        default=None,
        description=(
            "`[start, end]`: read these lines only, from 1, both ends included. Lines are separated by `\\n` alone. "
            "A range that would not fit ends early on a line (`range.truncated`, `truncation_reason: byte_budget`); "
            "go on with `[range.end + 1, ...]`."
        ),
    )
    outline: bool = Field(
        default=False,
        description=(
            "The map of the file in place of its content: every symbol with its first and last line, to be read with `lines` after that. "
            "Python (.py, .pyi): functions and classes by dotted name. HTML and Jinja (.html, .htm, .jinja, .jinja2, .j2): elements with "
            "an id, blocks, macros, functions of scripts, rules of styles. CSS (.css): rules. reStructuredText (.rst): headings and "
            "targets. Other files answer `no_outline` with a `reason`, and where to read them when another tool has a map of them."
        ),
    )
    symbol: Text | None = Field(
        default=None,
        description=(
            "Keep the symbols of the outline whose full name contains this text, whatever its case: a class's name returns it and all "
            "that is in it, `@media` a style's media queries, `block ` (spaces count) a template's blocks, `#` all names with an id. "
            "`total` counts what is kept. Only with `outline`."
        ),
    )
    page: Annotated[int, clamped(1, PAGE_MAX)] = Field(default=1, description="Page of the outline, from 1.")
    per_page: Annotated[int, clamped(1, OUTLINE_PER_PAGE_MAX)] = Field(
        default=OUTLINE_PER_PAGE_DEFAULT,
        description=f"Symbols on a page of the outline, 1 to {OUTLINE_PER_PAGE_MAX}; other numbers are clamped.",
    )
