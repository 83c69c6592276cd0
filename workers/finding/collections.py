"""A user's collections, and the saved files in one. Metadata alone (PLT-7)."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, select

from shared.database.store_tables import COLLECTION_ITEMS, COLLECTIONS, FILE_VERSIONS, SAVED_FILES
from workers.finding.page import Page, page_of
from workers.store.records import FILE_COLUMNS
from workers.store.transaction import OwnRows


def collections_of(own: OwnRows, limit: int) -> Sequence[Row[Any]]:
    """The rows of those that aren't archived: favourites first, then in the user's order, then newest first."""
    order = (COLLECTIONS.c.is_favorite.desc(), COLLECTIONS.c.position, COLLECTIONS.c.created_at.desc(), COLLECTIONS.c.key.desc())
    listed = (COLLECTIONS.c.owner_key == own.owner_key) & COLLECTIONS.c.archived_at.is_(None)
    return own.connection.execute(select(COLLECTIONS).where(listed).order_by(*order).limit(limit)).all()


def page_of_items(own: OwnRows, collection_key: int, folder: str | None, page: int, per_page: int) -> Page:
    """A page of the active files of a collection, in the order in which they were added; `folder` is one, exactly, or None for all.

    The rows have `FILE_COLUMNS`, `folder` and `added_at`.
    """
    in_place: ColumnElement[bool] = COLLECTION_ITEMS.c.collection_key == collection_key
    if folder is not None:
        in_place &= COLLECTION_ITEMS.c.folder == folder
    items = (
        select(COLLECTION_ITEMS.c.key.label("item_key"), COLLECTION_ITEMS.c.folder, COLLECTION_ITEMS.c.added_at, SAVED_FILES.c.key)
        .select_from(COLLECTION_ITEMS)
        .join(SAVED_FILES, (SAVED_FILES.c.owner_key == own.owner_key) & (SAVED_FILES.c.name == COLLECTION_ITEMS.c.file_name))
        .where(in_place, COLLECTION_ITEMS.c.owner_key == own.owner_key, SAVED_FILES.c.deleted_at.is_(None))
    )
    total = own.connection.execute(select(func.count()).select_from(items.subquery())).scalar_one()

    def rows_from(first: int) -> Sequence[Row[Any]]:
        shown = items.order_by(COLLECTION_ITEMS.c.key).limit(per_page).offset(first).subquery("shown")
        newest = (FILE_VERSIONS.c.file_key == SAVED_FILES.c.key) & (FILE_VERSIONS.c.version == SAVED_FILES.c.latest_version)
        rows: Select[Any] = (
            select(*FILE_COLUMNS, shown.c.folder, shown.c.added_at)
            .select_from(shown)
            .join(SAVED_FILES, SAVED_FILES.c.key == shown.c.key)
            .join(FILE_VERSIONS, newest)
            .order_by(shown.c.item_key)
        )
        return own.connection.execute(rows).all()

    return page_of(total, page, per_page, rows_from)
