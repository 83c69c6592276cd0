"""The arguments of `codekeeper_add_to_collection`."""

from pydantic import Field

from shared.wire.text import Arguments, Text


class AddToCollectionArguments(Arguments):
    """A saved file for a collection."""

    collection_id: Text = Field(default="", description="The collection's `id`, as codekeeper_list_collections gives it.")
    file_name: Text = Field(default="", description="Name of a saved file, exactly as a list gives it.")
