"""The tools that list and read collections, and the files in one (PLT section 2.3)."""

from typing import Any

from celery import shared_task

from shared.answer import render
from shared.tasks import GET_COLLECTION, GET_COLLECTION_ITEMS, LIST_COLLECTIONS
from shared.wire.call import Call
from shared.wire.collection_lists import GetCollectionArguments, GetCollectionItemsArguments, ListCollectionsArguments
from workers.finding.collections import collections_of, page_of_items
from workers.finding.page import EMPTY_PAGE
from workers.lists import render_list, render_page
from workers.resources import engine
from workers.run_call import run_call
from workers.store.collections import existing_collection
from workers.store.records import collection_record, file_record, iso_time
from workers.store.text import is_storable
from workers.store.transaction import reading_own


def list_collections(arguments: ListCollectionsArguments, call: Call) -> bytes:
    """The answer: `ok`, `count` and `collections`, favourites first; `truncated` when there are more.

    Raises:
        Refused: `db_error`.
    """
    with reading_own(engine(), call.caller.user) as own:
        rows = [] if own is None else collections_of(own, arguments.limit + 1)
    records = [collection_record(row) for row in rows[: arguments.limit]]
    return render_list(records, lambda shown: {"ok": True, "count": len(shown), "collections": shown}, more=len(rows) > arguments.limit)


def get_collection(arguments: GetCollectionArguments, call: Call) -> bytes:
    """The answer: `ok` and `collection`.

    Raises:
        Refused: `missing_collection_id`, `collection_not_found`, `db_error`.
    """
    with reading_own(engine(), call.caller.user) as own:
        return render({"ok": True, "collection": collection_record(existing_collection(own, arguments.collection_id))})


def get_collection_items(arguments: GetCollectionItemsArguments, call: Call) -> bytes:
    """The answer: `ok`, a page of `items`, `page`, `per_page` and the totals; all files are there because somebody put them there.

    Raises:
        Refused: `missing_collection_id`, `collection_not_found`, `page_too_large`, `db_error`.
    """
    with reading_own(engine(), call.caller.user) as own:
        collection = existing_collection(own, arguments.collection_id)
        page = EMPTY_PAGE
        if own is not None and is_storable(arguments.folder or ""):
            page = page_of_items(own, collection.key, arguments.folder, arguments.page, arguments.per_page)
    items = [{**file_record(row), "folder": row.folder, "added_at": iso_time(row.added_at)} for row in page.rows]
    totals = {"total_manual": page.total, "total_computed": 0, "total_items": page.total}
    answer = {"ok": True, "items": items, "page": page.number, "per_page": arguments.per_page, **totals}
    return render_page(answer, arguments.per_page)


@shared_task(
    name=LIST_COLLECTIONS.name, soft_time_limit=LIST_COLLECTIONS.soft_s, time_limit=LIST_COLLECTIONS.hard_s, acks_late=False, max_retries=0
)
def list_collections_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListCollectionsArguments, list_collections)


@shared_task(
    name=GET_COLLECTION.name, soft_time_limit=GET_COLLECTION.soft_s, time_limit=GET_COLLECTION.hard_s, acks_late=False, max_retries=0
)
def get_collection_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetCollectionArguments, get_collection)


@shared_task(
    name=GET_COLLECTION_ITEMS.name,
    soft_time_limit=GET_COLLECTION_ITEMS.soft_s,
    time_limit=GET_COLLECTION_ITEMS.hard_s,
    acks_late=False,
    max_retries=0,
)
def get_collection_items_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetCollectionItemsArguments, get_collection_items)
