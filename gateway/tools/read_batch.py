"""How `codekeeper_read_batch` is shown, and what it costs."""

from gateway.checks.item_count import item_count
from gateway.tools.tool import Tool
from shared.limits import BATCH_ITEMS_MAX
from shared.tasks import READ_BATCH
from shared.wire.read_batch import ReadBatchArguments

TOOL = Tool(
    name="codekeeper_read_batch",
    title="Read sections and files together",
    description=(
        f"Up to {BATCH_ITEMS_MAX} documentation sections and files in one call. Each `result` is what the single tool answers, refusals "
        "included; one item's failure is not the call's. A repository is read at one commit (`resolved_commit`). `items` answers "
        "the request from its beginning. What did not fit or came too late is in `unread`, by index, with `unread_reason` (`byte_budget`, "
        "`timeout`): send those again. `item_too_large`: read that one with the tool in `read_with`, in pages or by `lines`. "
        "Each item counts as one call."
    ),
    arguments=ReadBatchArguments,
    kind=READ_BATCH,
    admin=True,
    units=item_count,
)
