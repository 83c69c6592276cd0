"""`codekeeper_add_to_collection`: an existing file into an existing collection."""

from typing import Any

from celery import shared_task

from shared.answer import render
from shared.tasks import ADD_TO_COLLECTION
from shared.wire.add_to_collection import AddToCollectionArguments
from shared.wire.call import Call
from workers.resources import engine
from workers.run_call import run_call
from workers.store.collections import add_file
from workers.store.transaction import writing_own


def add_to_collection(arguments: AddToCollectionArguments, call: Call) -> bytes:
    """Put the file at the top of the collection, unless it is in it.

    Raises:
        Refused: what `add_file` and `writing_own` raise.
    """
    with writing_own(engine(), call.caller.user, ADD_TO_COLLECTION, deadline=call.deadline) as own:
        record, added = add_file(own, arguments.collection_id, arguments.file_name)
    return render({"ok": True, "added": added, "collection": record})


@shared_task(
    name=ADD_TO_COLLECTION.name,
    soft_time_limit=ADD_TO_COLLECTION.soft_s,
    time_limit=ADD_TO_COLLECTION.hard_s,
    acks_late=False,
    max_retries=0,
)
def add_to_collection_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, AddToCollectionArguments, add_to_collection)
