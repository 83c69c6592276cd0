"""How `codekeeper_get_collection` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import GET_COLLECTION
from shared.wire.collection_lists import GetCollectionArguments

TOOL = Tool(
    name="codekeeper_get_collection",
    title="Look at a collection",
    description="One collection's name, description and times, archived or not. Its files are in codekeeper_get_collection_items.",
    arguments=GetCollectionArguments,
    kind=GET_COLLECTION,
    admin=False,
)
