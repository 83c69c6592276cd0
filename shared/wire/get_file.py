"""The arguments of `codekeeper_get_file` (GTF section 3)."""

from typing import Annotated, Final

from pydantic import Field, StrictInt

from shared.limits import (
    MAX_CHARS_DEFAULT,
    MAX_CHARS_MAX,
    MAX_CHARS_MIN,
    MAX_DEPTH_MAX,
    MAX_OFFSET,
    SEARCH_CONTEXT_MAX,
    SEARCH_RESULTS_DEFAULT,
    SEARCH_RESULTS_MAX,
)
from shared.wire.text import Arguments, LineRange, Text, clamped

_STAY: Final = "Pass `file_id=file.id` of this answer in the steps that follow, so that all of them read one version. "
"""Where it stands first, because a client that shortens descriptions shows their beginning (GTF-14)."""


class GetFileArguments(Arguments):
    """What a caller may ask of one saved file. A parameter is sent when it isn't null; `toc` when it is true (GTF-5)."""

    file_name: Text | None = Field(default=None, description="Name of the file: its newest version, or the one in `version`.")
    file_id: Text | None = Field(
        default=None,
        description="Id of one version, as `file.id` gives it; decides over `file_name` and `version`. Never changes its text.",
    )
    version: int | None = Field(default=None, description="With `file_name`: this version in place of the newest.")
    lines: LineRange | None = Field(
        default=None,
        description=(
            "`[start, end]`: these lines only, from 1, both ends included. Lines are separated by `\\n` alone. "
            "A range that would not fit ends early on a line (`range.truncated`, `truncation_reason: byte_budget`); "
            "go on with `[range.end + 1, ...]`."
        ),
    )
    query: Text | None = Field(
        default=None,
        description=(
            "The lines that hold this text, literally and whatever its case, in place of the content; `total` is exact. Not trimmed. "
            "Read around a hit with `lines=[line - 20, line + 20]`, its start at least 1."
        ),
    )
    context_lines: Annotated[StrictInt, clamped(0, SEARCH_CONTEXT_MAX)] | None = Field(
        default=None, description=f"With `query`: lines before and after each, to {SEARCH_CONTEXT_MAX}; other numbers are clamped."
    )
    max_results: Annotated[StrictInt, clamped(1, SEARCH_RESULTS_MAX)] | None = Field(
        default=None,
        description=f"With `query`: records, 1 to {SEARCH_RESULTS_MAX}, else {SEARCH_RESULTS_DEFAULT}; other numbers are clamped.",
    )
    toc: bool = Field(
        default=False,
        description=_STAY + "The map of a Markdown file's headings in place of its content: titles with their `line_range` and size.",
    )
    section: Text | None = Field(
        default=None,
        description=_STAY
        + (
            "One section of a Markdown file with its subsections, by its heading as the map gives it (case and spacing don't matter; "
            "literal marks such as ** or `` do), or by an identifier it opens with, such as `K11`. A heading whose name repeats is never "
            "guessed: read it with `lines` over the `line_range` of a candidate. One named `null` too: some clients send no such text."
        ),
    )
    max_chars: Annotated[int, clamped(MAX_CHARS_MIN, MAX_CHARS_MAX)] | None = Field(
        default=None,
        description=f"With `section`: characters on a page, {MAX_CHARS_MIN} to {MAX_CHARS_MAX}, else {MAX_CHARS_DEFAULT}; clamped.",
    )
    offset: Annotated[int, clamped(0, MAX_OFFSET)] | None = Field(
        default=None, description="With `section`: where the page begins, in characters: the `next_offset` of the page before."
    )
    max_depth: Annotated[StrictInt, clamped(1, MAX_DEPTH_MAX)] | None = Field(
        default=None,
        description=(
            "With `toc` or `section`: deepest headings in the map, 1 to 64; other numbers are clamped. `hidden_subsections` counts what is "
            "left out."
        ),
    )
