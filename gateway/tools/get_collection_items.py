"""How `codekeeper_get_collection_items` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import GET_COLLECTION_ITEMS
from shared.wire.collection_lists import GetCollectionItemsArguments

TOOL = Tool(
    name="codekeeper_get_collection_items",
    title="List the files of a collection",
    description=(
        "The saved files in one collection, a page at a time, in the order in which they were added, metadata only; `folder` "
        "narrows. A file that was deleted isn't shown or counted. Read one with codekeeper_get_file."
    ),
    arguments=GetCollectionItemsArguments,
    kind=GET_COLLECTION_ITEMS,
    admin=False,
)
