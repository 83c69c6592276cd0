"""A user's collections: saved files put together by hand, in folders. A collection holds names; a file that is deleted isn't shown."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from shared.database.store_tables import COLLECTION_ITEMS, COLLECTIONS
from shared.errors import ErrorCode, Refused
from shared.store_limits import MAX_COLLECTION_ITEMS, MAX_COLLECTIONS, MAX_DESCRIPTION_CHARS, MAX_FILE_NAME_CHARS, MAX_NAME_CHARS
from workers.store.files import lines_of
from workers.store.ids import is_id, new_id
from workers.store.records import collection_record
from workers.store.text import check_length, check_storable, is_storable
from workers.store.transaction import OwnRows


@dataclass(frozen=True)
class CollectionChange:
    """What may be changed of a collection; None leaves it."""

    name: str | None = None
    description: str | None = None
    is_favorite: bool | None = None
    position: int | None = None
    archived: bool | None = None


def existing_collection(own: OwnRows | None, collection_id: str) -> Row[Any]:
    """The collection of that id, archived or not; None for `own` is a user who has nothing.

    Raises:
        Refused: `missing_collection_id` for white space alone, `collection_not_found`.
    """
    if not collection_id.strip():
        raise Refused(ErrorCode.MISSING_COLLECTION_ID)
    found = None
    if own is not None and is_id(collection_id):
        of_id = (COLLECTIONS.c.owner_key == own.owner_key) & (COLLECTIONS.c.id == collection_id)
        found = own.connection.execute(select(COLLECTIONS).where(of_id)).first()
    if found is None:
        raise Refused(ErrorCode.COLLECTION_NOT_FOUND)
    return found


def create_collection(own: OwnRows, name: str, *, description: str = "") -> dict[str, Any]:
    """Make an empty collection, the last in the user's order, and return its record.

    Raises:
        Refused: `empty_name`, `name_too_long`, `description_too_long`, `invalid_input`, `duplicate_name`, or `too_many_collections`.
    """
    _check_words(own, name, description)
    own_collections = COLLECTIONS.c.owner_key == own.owner_key
    count, last = own.connection.execute(select(func.count(), func.max(COLLECTIONS.c.position)).where(own_collections)).one()
    if count >= MAX_COLLECTIONS:
        raise Refused(ErrorCode.TOO_MANY_COLLECTIONS, max=MAX_COLLECTIONS)
    collection_id = new_id()
    own.connection.execute(
        insert(COLLECTIONS).values(
            owner_key=own.owner_key, id=collection_id, name=name, description=description, is_favorite=False,
            position=0 if last is None else last + 1, created_at=own.now, updated_at=own.now,
        )
    )  # fmt: skip
    return collection_record(existing_collection(own, collection_id))


def update_collection(own: OwnRows, collection_id: str, change: CollectionChange) -> dict[str, Any]:
    """Change a collection, and return its record.

    Raises:
        Refused: what `existing_collection` raises, and of `create_collection` the codes of name and description.
    """
    found = existing_collection(own, collection_id)
    _check_words(own, change.name, change.description, but=found.key)
    values = {name: value for name, value in vars(change).items() if value is not None and name != "archived"}
    if change.archived is not None:
        values["archived_at"] = own.now if change.archived else None
    own.connection.execute(_own(own, found).values(**values, updated_at=own.now))
    return collection_record(existing_collection(own, collection_id))


def add_file(own: OwnRows, collection_id: str, file_name: str, folder: str | None = None) -> tuple[dict[str, Any], bool]:
    """Put an existing file into a folder of a collection, and return the collection's record and whether the file is new there.

    An empty folder is the top. None is the top too, for a file that is new; one that is in the collection stays in its folder.

    Raises:
        Refused: in this order what `existing_collection` raises, `missing_file_name`, `file_not_found`, `name_too_long`, `invalid_input`,
            `too_many_collection_items` with `max`.
    """
    found = existing_collection(own, collection_id)
    if not file_name.strip():
        raise Refused(ErrorCode.MISSING_FILE_NAME)
    if lines_of(own, file_name) is None:
        raise Refused(ErrorCode.FILE_NOT_FOUND)
    check_length(folder or "", MAX_FILE_NAME_CHARS, ErrorCode.NAME_TOO_LONG)
    check_storable(folder=folder)
    item = _item(own, found, file_name)
    where = {"folder": COLLECTION_ITEMS.c.folder if folder is None else folder}
    is_there = own.connection.execute(update(COLLECTION_ITEMS).where(*item).values(where)).rowcount == 1
    if not is_there:
        within = (COLLECTION_ITEMS.c.owner_key == own.owner_key) & (COLLECTION_ITEMS.c.collection_key == found.key)
        count = own.connection.execute(select(func.count()).select_from(COLLECTION_ITEMS).where(within)).scalar_one()
        if count >= MAX_COLLECTION_ITEMS:
            raise Refused(ErrorCode.TOO_MANY_COLLECTION_ITEMS, max=MAX_COLLECTION_ITEMS)
        values = {
            "owner_key": own.owner_key,
            "collection_key": found.key,
            "file_name": file_name,
            "folder": folder or "",
            "added_at": own.now,
        }
        own.connection.execute(insert(COLLECTION_ITEMS).values(values))
    own.connection.execute(_own(own, found).values(updated_at=own.now))
    return collection_record(existing_collection(own, collection_id)), not is_there


def remove_file(own: OwnRows, collection_id: str, file_name: str) -> bool:
    """Take a file out of a collection; False when it isn't in it. The file itself stays.

    Raises:
        Refused: what `existing_collection` raises.
    """
    found = existing_collection(own, collection_id)
    if not is_storable(file_name):
        return False
    return own.connection.execute(delete(COLLECTION_ITEMS).where(*_item(own, found, file_name))).rowcount == 1


def _item(own: OwnRows, collection: Row[Any], file_name: str) -> tuple[Any, Any, Any]:
    columns = COLLECTION_ITEMS.c
    return columns.owner_key == own.owner_key, columns.collection_key == collection.key, columns.file_name == file_name


def _own(own: OwnRows, collection: Row[Any]) -> Any:
    return update(COLLECTIONS).where(COLLECTIONS.c.owner_key == own.owner_key, COLLECTIONS.c.key == collection.key)


def _check_words(own: OwnRows, name: str | None, description: str | None, *, but: int | None = None) -> None:
    """Pass for a name that no other collection of the owner's, `but` that of this key, has, and a description that isn't too long."""
    if name is not None:
        if not name.strip():
            raise Refused(ErrorCode.EMPTY_NAME)
        check_length(name, MAX_NAME_CHARS, ErrorCode.NAME_TOO_LONG)
    if description is not None:
        check_length(description, MAX_DESCRIPTION_CHARS, ErrorCode.DESCRIPTION_TOO_LONG)
    check_storable(name=name, description=description)
    if name is not None:
        taken = select(COLLECTIONS.c.key).where(COLLECTIONS.c.owner_key == own.owner_key, COLLECTIONS.c.name == name)
        if own.connection.execute(taken).scalar() not in {None, but}:
            raise Refused(ErrorCode.DUPLICATE_NAME)
