"""Collections on both databases: what a user puts together, in folders, and nobody else sees."""

from typing import Any

import pytest
from sqlalchemy import Engine, select

from shared.database.engine import reading
from shared.database.store_tables import COLLECTION_ITEMS
from shared.errors import Refused
from tests.store.tools import Tools
from workers.store import collections
from workers.store.collections import CollectionChange
from workers.store.transaction import writing_own

NOBODYS = "0" * 24


def items(engine: Engine) -> list[tuple[str, str]]:
    with reading(engine) as connection:
        rows = connection.execute(select(COLLECTION_ITEMS.c.file_name, COLLECTION_ITEMS.c.folder).order_by(COLLECTION_ITEMS.c.key)).all()
    return [(name, folder) for name, folder in rows]


def make(engine: Engine, name: str, user: str = "dana", **more: Any) -> str:
    with writing_own(engine, user) as own:
        made: str = collections.create_collection(own, name, **more)["id"]
        return made


def test_the_tool_puts_an_existing_file_into_an_existing_collection(tools: Tools, engine: Engine) -> None:
    collection = make(engine, "plans", description="d")
    for arguments, code in (
        ({"collection_id": " ", "file_name": "a"}, "missing_collection_id"),
        ({"collection_id": "x", "file_name": "a"}, "collection_not_found"),
        ({"collection_id": NOBODYS, "file_name": "a"}, "collection_not_found"),
        ({"collection_id": collection, "file_name": ""}, "missing_file_name"),
        ({"collection_id": collection, "file_name": "a"}, "file_not_found"),
    ):
        assert tools.call("add_to_collection", **arguments) == {"ok": False, "error": code}, arguments  # type: ignore[arg-type]
    tools.ok("save_file", file_name="a", code="x")
    tools.ok("save_file", "eve", file_name="a", code="x")
    assert items(engine) == []  # saving never does it
    answer = tools.ok("add_to_collection", collection_id=collection, file_name="a")
    assert answer["added"] is True
    assert {"id": collection, "name": "plans", "description": "d", "is_favorite": False, "archived": False}.items() <= answer[
        "collection"
    ].items()
    assert tools.ok("add_to_collection", collection_id=collection, file_name="a")["added"] is False
    assert tools.call("add_to_collection", "eve", collection_id=collection, file_name="a")["error"] == "collection_not_found"
    assert items(engine) == [("a", "")]


def test_a_file_is_once_in_a_collection_in_one_folder(tools: Tools, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "MAX_COLLECTION_ITEMS", 2)
    collection, other = make(engine, "plans"), make(engine, "other")
    for name in "abc":
        tools.ok("save_file", file_name=name, code="x")
    with writing_own(engine, "dana") as own:
        assert collections.add_file(own, collection, "a", "one/two")[1]
        assert collections.add_file(own, collection, "b")[1]
        assert not collections.add_file(own, collection, "b", "one")[1]
        assert collections.add_file(own, other, "a")[1]
    assert not tools.ok("add_to_collection", collection_id=collection, file_name="a")["added"]
    assert items(engine) == [("a", "one/two"), ("b", "one"), ("a", "")]
    full = tools.call("add_to_collection", collection_id=collection, file_name="c")
    assert full == {"ok": False, "error": "too_many_collection_items", "max": 2}
    with writing_own(engine, "dana") as own:
        assert collections.remove_file(own, collection, "a")
        assert not collections.remove_file(own, collection, "a")
        assert not collections.remove_file(own, collection, "a\0")
    assert items(engine) == [("b", "one"), ("a", "")]


def test_a_collection_has_a_name_of_its_own_and_a_place_in_the_users_order(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collections, "MAX_COLLECTIONS", 2)
    first, second = make(engine, "first"), make(engine, "second")
    assert make(engine, "first", "eve") not in {first, second}
    for name, more, code in (
        (" ", {}, "empty_name"), ("n" * 101, {}, "name_too_long"), ("n\0", {}, "invalid_input"), ("first", {}, "duplicate_name"),
        ("n", {"description": "d" * 2_001}, "description_too_long"), ("third", {}, "too_many_collections"),
    ):  # fmt: skip
        with pytest.raises(Refused, match=code):
            make(engine, name, **more)
    with writing_own(engine, "dana") as own:
        record = collections.update_collection(
            own, second, CollectionChange(name="second", description="d", is_favorite=True, position=0, archived=True)
        )
        assert {"name": "second", "description": "d", "is_favorite": True, "position": 0, "archived": True}.items() <= record.items()
        assert not collections.update_collection(own, second, CollectionChange(archived=False))["archived"]
        assert collections.update_collection(own, first, CollectionChange())["position"] == 0
    with pytest.raises(Refused, match="duplicate_name"), writing_own(engine, "dana") as own:
        collections.update_collection(own, second, CollectionChange(name="first"))
    with pytest.raises(Refused, match="collection_not_found"), writing_own(engine, "eve") as own:
        collections.update_collection(own, second, CollectionChange(name="n"))
