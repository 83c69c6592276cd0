"""The arguments of `codekeeper_get_repo_file`."""

from pydantic import Field

from shared.wire.text import Arguments, LineRange, Text


class GetRepoFileArguments(Arguments):
    """What a caller may ask of one file: the whole of it, or a range of its lines (GRF-2)."""

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
