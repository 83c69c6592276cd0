"""The arguments of the tools that list and read collections (PLT section 2.3)."""

from typing import Annotated

from pydantic import Field

from shared.limits import PAGE_MAX
from shared.store_limits import FILES_PER_PAGE_DEFAULT, FILES_PER_PAGE_MAX, LIST_COLLECTIONS_DEFAULT, LIST_COLLECTIONS_MAX
from shared.wire.text import Arguments, Text, clamped

_COLLECTION = "Id of a collection, as codekeeper_list_collections gives it."


class ListCollectionsArguments(Arguments):
    """The caller's collections."""

    limit: Annotated[int, clamped(1, LIST_COLLECTIONS_MAX)] = Field(
        default=LIST_COLLECTIONS_DEFAULT, description=f"Most collections to list, 1 to {LIST_COLLECTIONS_MAX}; other numbers are clamped."
    )


class GetCollectionArguments(Arguments):
    """One collection."""

    collection_id: Text = Field(default="", description=_COLLECTION)


class GetCollectionItemsArguments(Arguments):
    """A page of a collection's files."""

    collection_id: Text = Field(default="", description=_COLLECTION)
    page: Annotated[int, clamped(1, PAGE_MAX)] = Field(default=1, description="Page of the list, from 1; beyond the last it is the last.")
    per_page: Annotated[int, clamped(1, FILES_PER_PAGE_MAX)] = Field(
        default=FILES_PER_PAGE_DEFAULT, description=f"Files on a page, 1 to {FILES_PER_PAGE_MAX}; other numbers are clamped."
    )
    folder: Text | None = Field(
        default=None, description="Only files in this folder of the collection, exactly; empty is the top. Not sent: all files."
    )
