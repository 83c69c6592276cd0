"""Listing and reading collections, on both databases."""

import pytest

from tests.store.saving import at, write
from tests.store.tools import Tools
from workers.store.collections import CollectionChange, add_file, create_collection, remove_file, update_collection
from workers.store.write_files import append_to_file, create_file, delete_file

NOBODYS = "0" * 24


def test_collections_are_listed_favourites_first_then_in_the_users_order_then_newest(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = {}
    for second, name in enumerate("abcdef"):
        with at(1_700_000_000 + second, monkeypatch):
            ids[name] = write("dana", create_collection, name, description=f"about {name}")["id"]
    write("moshe", create_collection, "his")
    for name, change in (
        ("b", CollectionChange(archived=True)),
        ("e", CollectionChange(is_favorite=True)),
        ("a", CollectionChange(position=7)),
        ("f", CollectionChange(position=2)),
        ("d", CollectionChange(position=2)),
    ):
        write("dana", update_collection, ids[name], change)
    order = ["e", "f", "d", "c", "a"]
    for limit in (1, 4, 5, 500):
        answer = tools.ok("list_collections", limit=limit)
        assert [collection["name"] for collection in answer["collections"]] == order[:limit]
        assert (answer["count"], answer.get("truncated", False)) == (min(limit, 5), limit < 5)
    assert tools.ok("list_collections", limit=0)["count"] == 1
    assert tools.ok("list_collections", "nobody") == {"ok": True, "count": 0, "collections": []}
    for name, archived in (("a", False), ("b", True)):
        collection = tools.ok("get_collection", collection_id=ids[name])["collection"]
        assert (collection["name"], collection["description"], collection["archived"]) == (name, f"about {name}", archived)
    assert tools.ok("get_collection", collection_id=ids["e"])["collection"] == answer["collections"][0]
    for tool in ("get_collection", "get_collection_items"):
        for user, collection_id, code in (
            ("dana", "", "missing_collection_id"),
            ("dana", " ", "missing_collection_id"),
            ("dana", "x\0", "collection_not_found"),
            ("dana", NOBODYS, "collection_not_found"),
            ("moshe", ids["a"], "collection_not_found"),
            ("nobody", ids["a"], "collection_not_found"),
        ):
            assert tools.call(tool, user, collection_id=collection_id) == {"ok": False, "error": code}


@pytest.mark.rule("PLT-7")
def test_the_files_of_a_collection_come_in_pages_in_the_order_they_were_added(tools: Tools) -> None:
    collection = write("dana", create_collection, "all")["id"]
    other = write("dana", create_collection, "other")["id"]
    for number in (3, 1, 4, 0, 2, 5, 6):
        write("dana", create_file, f"{number}.txt", "text", tags=["repo:team/x"] if number == 4 else [])
        write("dana", add_file, collection, f"{number}.txt", "even" if number % 2 == 0 else None)
        write("moshe", create_file, f"{number}.txt", "his text")
    write("dana", add_file, other, "3.txt")
    write("dana", delete_file, "2.txt")
    write("dana", delete_file, "5.txt")
    write("dana", create_file, "5.txt", "another")
    write("dana", append_to_file, "0.txt", "more")
    write("dana", remove_file, collection, "6.txt")
    added = ["3.txt", "1.txt", "4.txt", "0.txt", "5.txt"]
    for per_page in (1, 2, 5, 200):
        pages = -(-5 // per_page)
        for page in range(1, pages + 3):
            answer = tools.ok("get_collection_items", collection_id=collection, page=page, per_page=per_page)
            shown = min(page, pages)
            assert [item["file_name"] for item in answer.pop("items")] == added[(shown - 1) * per_page : shown * per_page]
            assert answer == {
                "ok": True, "page": shown, "per_page": per_page, "total_manual": 5, "total_computed": 0, "total_items": 5,
            }  # fmt: skip
    for folder, names in (("even", ["4.txt", "0.txt"]), ("", ["3.txt", "1.txt", "5.txt"]), ("Even", []), ("\0", []), ("\ud800", [])):
        answer = tools.ok("get_collection_items", collection_id=collection, folder=folder)
        assert [item["file_name"] for item in answer["items"]] == names
        assert answer["total_items"] == len(names)
        assert all(item["folder"] == folder for item in answer["items"])
    item = tools.ok("get_collection_items", collection_id=collection)["items"][3]
    assert (item["version"], item["file_size"], item["folder"]) == (2, 9, "even")
    assert not {"code", "content", "raw_data", "raw_content"} & set(item)
    assert tools.ok("get_collection_items", collection_id=collection, per_page=900)["per_page"] == 200


@pytest.mark.rule("PLT-95")
def test_collections_that_do_not_fit_are_cut_with_a_flag_and_their_pages_refused_whole(tools: Tools) -> None:
    fat = {"description": "\U0001f600" * 2_000, "tags": [f"{number:02}" + "\U0001f600" * 98 for number in range(50)]}
    ids = [write("dana", create_collection, str(number), description=fat["description"])["id"] for number in range(33)]
    answer = tools.ok("list_collections")
    assert answer["truncated"] is True
    assert 30 <= answer["count"] == len(answer["collections"]) < 33
    for number in range(10):
        write("dana", create_file, f"{number}.txt", "text", **fat)
        write("dana", add_file, ids[0], f"{number}.txt")
    refused = tools.call("get_collection_items", collection_id=ids[0])
    assert (refused["error"], refused["per_page"], refused["max"]) == ("page_too_large", 50, 256_000)
    assert refused["bytes"] > 256_000
    assert len(tools.ok("get_collection_items", collection_id=ids[0], per_page=5, page=2)["items"]) == 5
