"""The arguments of `codekeeper_read_batch`, and the two models that say what an item is (BAT-8, BAT-19)."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from shared.limits import BATCH_ITEMS_MAX
from shared.wire.docs_get_section import DocsGetSectionArguments
from shared.wire.get_repo_file import GetRepoFileArguments
from shared.wire.schema import shown_schema
from shared.wire.text import Arguments, LineRange, Text, decoded_list


class SectionItem(Arguments):
    """One section of a documentation page, or its map; read with the documentation tool's defaults for paging (BAT-13)."""

    kind: Literal["section"]
    path: Text = ""
    section: Text | None = None
    repo: Text | None = None

    def single_call(self) -> DocsGetSectionArguments:
        """The arguments of the tool that this item mirrors."""
        return DocsGetSectionArguments(path=self.path, section=self.section, repo=self.repo)


class FileItem(Arguments):
    """One mirrored file, or a range of its lines."""

    kind: Literal["file"]
    repo: Text = ""
    path: Text = ""
    lines: LineRange | None = None

    def single_call(self) -> GetRepoFileArguments:
        """The arguments of the tool that this item mirrors."""
        return GetRepoFileArguments(repo=self.repo, path=self.path, lines=self.lines)


Item = SectionItem | FileItem

_SHOWN = {
    "type": "array",
    "minItems": 1,
    "maxItems": BATCH_ITEMS_MAX,
    "items": {"anyOf": [shown_schema(SectionItem), shown_schema(FileItem)]},
}

Items = Annotated[list[Any], BeforeValidator(decoded_list), WithJsonSchema(_SHOWN)]
"""Any list: each item is judged by itself, in the worker, so that a malformed one costs no other its answer (BAT-20)."""


class ReadBatchArguments(Arguments):
    """What a caller may ask of a batch."""

    items: Items = Field(
        description=(
            "What to read. `section`: as codekeeper_docs_get_section with `path`, `section` and `repo`. "
            "`file`: as codekeeper_get_repo_file with `repo`, `path` and `lines`. No `ref`: default branches are read."
        )
    )
