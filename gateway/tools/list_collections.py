"""How `codekeeper_list_collections` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import LIST_COLLECTIONS
from shared.wire.collection_lists import ListCollectionsArguments

TOOL = Tool(
    name="codekeeper_list_collections",
    title="List your collections",
    description=(
        "Your collections of saved files: favourites first, then in your order; archived ones are left out. `truncated` means "
        "that there are more."
    ),
    arguments=ListCollectionsArguments,
    kind=LIST_COLLECTIONS,
    admin=False,
)
