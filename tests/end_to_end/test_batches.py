"""`codekeeper_read_batch` through the front door of each form: the case about failures, and results that are the single tools' own."""

import json
from typing import Any

import pytest

from tests.end_to_end.services import Service

BATCH, FILE, DOCS = "codekeeper_read_batch", "codekeeper_get_repo_file", "codekeeper_docs_get_section"

COMMIT_15 = "abbc44f575de39d7f0bd88817fca9df64d0a28f3"

PATHS_15 = ["a.txt", "missing.txt", "dir/b.txt", "logo.png", "empty.txt", "dir", "../a.txt", "a.txt"]

Item = dict[str, Any]


def file(path: str, repo: str = "case-15", **more: Any) -> Item:
    return {"kind": "file", "repo": repo, "path": path, **more}


def read(service: Service, *items: Any) -> dict[str, Any]:
    reply = service.call(BATCH, items=list(items))
    assert reply.is_error is False
    return reply.json


def single(service: Service, item: Item) -> str:
    """The text of the single tool for the item's arguments."""
    arguments = {name: value for name, value in item.items() if name != "kind"}
    return service.call(FILE if item["kind"] == "file" else DOCS, **arguments).text


def put_together(service: Service, items: list[Item], without_commit: tuple[int, ...] = ()) -> str:
    """The text of a batch of which everything fits, made of the single tools' texts."""
    records = []
    for index, item in enumerate(items):
        result = single(service, item)
        commit = {} if index in without_commit else {"resolved_commit": _commit_in(result)}
        head = json.dumps({"index": index, "request": item, **commit}, ensure_ascii=False, separators=(",", ":"))
        records.append(f'{head[:-1]},"result":{result}}}')
    return f'{{"ok":true,"count":{len(items)},"items":[{",".join(records)}]}}'


def _commit_in(result: str) -> str:
    answer = json.loads(result)
    commit: str = answer["resolved_commit"] if "resolved_commit" in answer else answer["file"]["resolved_commit"]
    return commit


@pytest.mark.rule("BAT-9", "BAT-10", "BAT-11", "BAT-21", "BAT-23", "BAT-24", "BAT-25", "BAT-26", "BAT-27", "BAT-28", "BAT-35", "BAT-36",
                  "GRF-71")  # fmt: skip
def test_case_15_each_item_is_answered_as_by_its_tool_whatever_became_of_the_others(service: Service) -> None:
    items = [file(path) for path in PATHS_15]
    reply = service.call(BATCH, items=items)
    assert reply.text == put_together(service, items, without_commit=(6,))
    answer = reply.json
    assert (answer["ok"], answer["count"], list(answer)) == (True, 8, ["ok", "count", "items"])
    assert [(item["index"], item["request"]) for item in answer["items"]] == list(enumerate(items))
    assert [item.get("resolved_commit") for item in answer["items"]] == [COMMIT_15] * 6 + [None, COMMIT_15]
    first, missing, second, image, empty, folder, outside, again = (item["result"] for item in answer["items"])
    assert (first["status"], first["content"], first["file"]["size"], first["file"]["lines"]) == ("ok", "ok a\n", 5, 2)
    assert missing == {"ok": False, "error": "not_found", "ref": "refs/heads/main", "resolved_commit": COMMIT_15}
    assert (second["status"], second["content"]) == ("ok", "ok b\n")
    assert (image["status"], image["file"]["size"], "content" in image) == ("binary", 16, False)
    assert not {"lines", "encoding"} & image["file"].keys()
    assert (empty["status"], empty["content"], empty["file"]["size"], empty["file"]["lines"]) == ("ok", "", 0, 1)
    assert (folder["error"], outside["error"], again) == ("not_found", "invalid_input", first)


@pytest.mark.rule("BAT-11", "BAT-12", "BAT-16", "BAT-17", "BAT-18", "BAT-20", "BAT-22")
def test_case_15_failures_alone_malformed_items_and_none_or_too_many(service: Service) -> None:
    failures = read(service, file("missing.txt"), file("dir"), file("../a.txt"))
    assert (failures["ok"], failures["count"]) == (True, 3)
    assert [item["result"]["error"] for item in failures["items"]] == ["not_found", "not_found", "invalid_input"]
    malformed = read(service, file("a.txt", lines=[True, 5]), file("a.txt", ref="main"), file("a.txt"))
    first, second, third = malformed["items"]
    assert first == {
        "index": 0,
        "result": {"ok": False, "error": "invalid_item", "problems": [{"where": "lines.0", "what": "must be an integer"}]},
    }
    assert second["result"] == {"ok": False, "error": "invalid_item", "problems": [{"where": "ref", "what": "unknown key"}]}
    assert (third["index"], third["result"]["status"]) == (2, "ok")
    assert read(service) == service.call(BATCH).json == {"ok": False, "error": "missing_items"}
    assert read(service, *[file("a.txt")] * 21) == {"ok": False, "error": "too_many_items", "max": 20, "actual": 21}


@pytest.mark.rule("BAT-8", "BAT-9", "BAT-10", "BAT-13", "BAT-14", "BAT-34", "BAT-45", "DOC-137", "GRF-71")
def test_sections_and_files_of_several_repositories_are_the_single_tools_answers(service: Service) -> None:
    items: list[Item] = [
        {"kind": "section", "path": "guide"},
        {"kind": "section", "path": "guide", "section": "Usage"},
        {"kind": "section", "path": "guide", "section": "no such heading", "repo": None},
        {"kind": "section", "path": "manual", "repo": "case-08", "section": "Part one"},
        {"kind": "section", "path": "page", "repo": "maps"},
        file("hebrew.txt", "shapes", lines=[7, 900]),
        file("guide.md", "case-06"),
        file("docs/link.md", "maps"),
        file("binary.bin", "shapes"),
    ]
    assert service.call(BATCH, items=items).text == put_together(service, items)


@pytest.mark.rule("BAT-29", "BAT-30", "BAT-63", "BAT-65", "BAT-66", "BAT-67", "BAT-68")
def test_what_is_sent_never_exceeds_the_budget_and_no_item_is_cut(service: Service) -> None:
    half = file("hebrew.txt", "shapes", lines=[1, 1_600])
    reply = service.call(BATCH, items=[half, half, half, file("abc.txt", "shapes")])
    assert len(reply.text.encode()) <= 256_000
    assert (reply.json["count"], reply.json["unread"], reply.json["unread_reason"]) == (1, [1, 2, 3], "byte_budget")
    assert reply.text.startswith(put_together(service, [half])[:-2])
    whole = file("hebrew.txt", "shapes", lines=[1, 4_000])
    (item,) = read(service, whole)["items"]
    assert len(single(service, whole).encode()) <= 256_000
    assert (item["result"]["error"], item["result"]["max"], item["result"]["read_with"]) == ("item_too_large", 255_925, FILE)
    assert item["result"]["bytes"] > 255_925


@pytest.mark.rule("BAT-4", "BAT-5", "BAT-6", "PLT-64")
def test_it_is_hidden_from_and_refused_to_whoever_is_no_admin(service: Service) -> None:
    reader = service.connection("reader")
    assert BATCH in service.connection().tools()
    assert BATCH not in reader.tools()
    refused = reader.call(BATCH, items=[{"kind": "section", "path": "guide"}])
    assert (refused.text.split(":")[0], refused.is_error) == ("admin_only", True)


def test_whatever_an_item_is_its_neighbours_are_answered(service: Service) -> None:
    deep: Any = "x"
    for _ in range(150):
        deep = [deep]
    strange = [deep, {"kind": deep}, {"kind": "file", "path": deep}, 1e300, True, None, {}, {"kind": "file", "lines": [10**30, 10**40]}]
    answer = read(service, *strange, file("a.txt"))
    assert answer["count"] == len(strange) + 1
    assert [item["result"]["error"] for item in answer["items"][:-1]] == ["invalid_item"] * 7 + ["missing_repo"]
    assert answer["items"][-1]["result"]["status"] == "ok"
