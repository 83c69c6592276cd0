"""The arguments of `codekeeper_search_repo`."""

from typing import Annotated

from pydantic import Field

from shared.limits import SEARCH_CONTEXT_MAX, SEARCH_RESULTS_DEFAULT, SEARCH_RESULTS_MAX
from shared.wire.text import Arguments, Text, clamped


class SearchRepoArguments(Arguments):
    """What a caller may ask of a search (SRC, "The request")."""

    repo: Text = Field(default="", description="Name of the mirrored repository, as `codekeeper_list_repos` gives it.")
    query: Text = Field(
        default="",
        description="Text to find, at least 2 characters, taken literally: `get_db(` finds `get_db(`. Never trimmed. One line.",
    )
    regex: bool = Field(
        default=False,
        description=(
            "Take `query` as a POSIX extended regular expression (git grep -E): `\\w \\s \\b` work, `\\d` doesn't (write `[0-9]`); "
            "no lookaround."
        ),
    )
    case_sensitive: bool = Field(default=False, description="Match exact case.")
    file_pattern: Text | None = Field(
        default=None,
        description=(
            "One git pathspec from the root, case-sensitive. `docs`: all below that folder. `*.html`: at any depth, `*` crosses folders. "
            "`docs/*.html`: at any depth below docs. Not `docs/**/*.html`: it misses files directly in docs. "
            "`:(exclude)assets/vendor`: everything but that folder. `:(icase)*.html`: any case. "
            "`:(literal)PATH`: a path with `*`, `?` or `[` in it. One pattern a call: a list finds nothing."
        ),
    )
    max_results: Annotated[int, clamped(1, SEARCH_RESULTS_MAX)] = Field(
        default=SEARCH_RESULTS_DEFAULT, description=f"Most hits to return, 1 to {SEARCH_RESULTS_MAX}; other numbers are clamped."
    )
    context_lines: Annotated[int, clamped(0, SEARCH_CONTEXT_MAX)] | None = Field(
        default=None, description=f"Lines before and after each hit, to {SEARCH_CONTEXT_MAX}; more are clamped. Not sent: none."
    )
    include_vendored: bool = Field(
        default=False, description="Also search node_modules, *.bundle.js, *.min.js, *.min.css and *.map, which are left out by default."
    )
