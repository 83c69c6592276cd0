"""The arguments of `codekeeper_docs_get_section`."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictInt

from shared.limits import MAX_CHARS_DEFAULT, MAX_CHARS_MAX, MAX_CHARS_MIN, MAX_DEPTH_MAX, MAX_OFFSET
from shared.wire.text import Arguments, Text, clamped


def _number_or(default: int) -> BeforeValidator:
    """What can't be read as a whole number becomes the default (DOC-4)."""

    def read(value: Any) -> Any:
        try:
            return int(value)
        except (TypeError, ValueError, OverflowError):
            return default

    return BeforeValidator(read)


class DocsGetSectionArguments(Arguments):
    """What a caller may ask of a documentation page (DOC section 2)."""

    path: Text = Field(default="", description="Page: its full path, or its short name without folder and suffix, such as `mcp-server`.")
    section: Text | None = Field(
        default=None,
        description=(
            "Heading to read, whole and as the map gives it (case and spacing don't matter; literal marks such as ** or `` do), or an "
            "identifier it opens with, such as `K11`. Not sent: the map of all headings. A heading whose name repeats is never guessed: "
            "read it by the `line_range` of a candidate, or through its parent."
        ),
    )
    include_subsections: bool = Field(default=True, description="Whether a section comes with what stands below it.")
    max_chars: Annotated[int, _number_or(MAX_CHARS_DEFAULT), clamped(MAX_CHARS_MIN, MAX_CHARS_MAX)] = Field(
        default=MAX_CHARS_DEFAULT, description=f"Characters on a page, {MAX_CHARS_MIN} to {MAX_CHARS_MAX}; other numbers are clamped."
    )
    offset: Annotated[int, _number_or(0), clamped(0, MAX_OFFSET)] = Field(
        default=0, description="Where the page begins, in characters: the `next_offset` of the page before."
    )
    repo: Text | None = Field(default=None, description="Documentation repository. Not sent: the first one served.")
    ref: Text | None = Field(
        default=None, description="Branch, tag or commit that the mirror holds. Not sent: the default branch. Never fetches."
    )
    whole_document: bool = Field(
        default=False, description="The whole page from its first line, page by page, in place of a section or the map."
    )
    max_depth: Annotated[StrictInt, clamped(1, MAX_DEPTH_MAX)] | None = Field(
        default=None,
        description=(
            "Deepest headings in the map, 1 to 64; other numbers are clamped. `hidden_subsections` counts what is left out. "
            "For pages whose chapters repeat the same sub-headings, `max_depth=2` gives the root and the chapters."
        ),
    )
