"""How `codekeeper_add_to_collection` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import ADD_TO_COLLECTION
from shared.wire.add_to_collection import AddToCollectionArguments

TOOL = Tool(
    name="codekeeper_add_to_collection",
    title="Put a saved file into a collection",
    description=(
        "Put one of your saved files into one of your collections; both must exist. Saving a file never does that. "
        "`added` is false when it was there already."
    ),
    arguments=AddToCollectionArguments,
    kind=ADD_TO_COLLECTION,
    admin=False,
    writes=True,
    repeatable=True,
)
