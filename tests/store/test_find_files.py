"""Finding and listing saved files, on both databases: the same corpus and the same expectations, so the same results."""

from typing import Any

import pytest
from sqlalchemy import text

from gateway.tools.registry import TOOLS
from shared.database.engine import writing
from tests.store.saving import at, write
from tests.store.tools import Tools
from workers.resources import engine
from workers.store.write_files import append_to_file, create_file, delete_file, describe_file, edit_file, restore_file

CORPUS: dict[str, dict[str, Any]] = {
    "login_helper.py": {"code": "def authenticate(user):\n    return user\n"},
    "getUserName.js": {"code": "// nothing here\n", "description": "Returns the running user"},
    "מסמך-תכנון.md": {"code": "# תוכנית העבודה\nשלום עולם\n", "tags": ["תכנון", "repo:team/docs"]},
    "naïve café.txt": {"code": "Résumé — the STRASSE is a Straße\n"},
    "data.json": {"code": '{"a.b": "x_y", "id": 42}', "tags": ["config", "generated files"]},
    "数据.txt": {"code": "中文文本 and the ﬁle\n"},
    "empty words.txt": {"code": "!!! --- ???\n"},
}

SEARCHES: list[tuple[str, str | None, set[str]]] = [
    # the contract's own case, and stemming
    ("auth", None, set()),
    ("authenticate", None, {"login_helper.py"}),
    ("authenticating", None, {"login_helper.py"}),
    ("AUTHENTICATED", None, {"login_helper.py"}),
    ("uthenticate", None, set()),
    # each of the four fields, names by their words
    ("login", None, {"login_helper.py"}),
    ("helper.py", None, {"login_helper.py"}),
    ("py", None, {"login_helper.py"}),
    ("runs", None, {"getUserName.js"}),
    ("config", None, {"data.json"}),
    ("file", None, {"data.json", "数据.txt"}),
    ("42", None, {"data.json"}),
    ("x", None, {"data.json"}),
    ("getUserName", None, {"getUserName.js"}),
    ("UserName", None, set()),
    # several words: any of them; nothing is an operator
    ("authenticate config", None, {"login_helper.py", "data.json"}),
    ("-config", None, {"data.json"}),
    ('"generated config"', None, {"data.json"}),
    ("config AND authenticate NOT user*", None, {"login_helper.py", "data.json", "getUserName.js", "数据.txt"}),
    ("auth*", None, set()),
    ("words:1 ^config (generated)", None, {"data.json", "empty words.txt"}),
    ("it's 'quoted' \\ & | ! <-> :*", None, set()),
    # scripts, accents, compatibility forms
    ("שלום", None, {"מסמך-תכנון.md"}),
    ("תכנון", None, {"מסמך-תכנון.md"}),
    ("שלו", None, set()),
    ("naive", None, {"naïve café.txt"}),
    ("CAFÉ", None, {"naïve café.txt"}),
    ("strasse", None, {"naïve café.txt"}),
    ("straße", None, {"naïve café.txt"}),
    ("中文文本", None, {"数据.txt"}),
    ("中文", None, set()),
    # the language, exactly
    ("file", "json", {"data.json"}),
    ("file", "JSON", set()),
    ("file", "js", set()),
    ("file", "\0", set()),
    ("file", "\ud800", set()),
    # no words at all, and more than anybody types
    ("!!!", None, set()),
    (" ".join(chr(0x4E00 + number) for number in range(2_048)), None, set()),
    ("a" * 4_096, None, set()),
]

FIELDS = {"id", "file_name", "programming_language", "language", "updated_at", "description", "tags", "is_favorite", "favorited_at"}


@pytest.mark.rule("SCN-2", "SCN-3", "SCN-4", "SCN-5", "SCN-9", "SCN-13", "PLT-7", "PLT-16")
def test_files_are_found_by_whole_words_of_their_four_fields(tools: Tools) -> None:
    for name, file in CORPUS.items():
        write("dana", create_file, name, file["code"], description=file.get("description", ""), tags=file.get("tags", ()))
        write("moshe", create_file, f"his {name}", file["code"] + " authenticate config 42 login")
    for query, language, expected in SEARCHES:
        answer = tools.call("search_code", query=query, **({} if language is None else {"language": language}))
        assert list(answer) == ["query", "count", "results"]
        assert answer["query"] == query
        assert {hit["file_name"] for hit in answer["results"]} == expected, query
        assert answer["count"] == len(expected)
        assert all(set(hit) == FIELDS for hit in answer["results"])


@pytest.mark.rule("SCN-14")
def test_a_query_without_a_word_finds_nothing_and_one_that_no_text_has_is_refused(tools: Tools) -> None:
    for user in ("dana", "nobody"):
        for blank in ("", " \t\n"):
            assert tools.call("search_code", user, query=blank) == {"query": blank, "count": 0, "results": []}
        for query, refusal in (
            ("a\0b", {"error": "invalid_query"}),
            ("a\ud800", {"error": "invalid_query"}),
            ("x" * 4_097, {"error": "query_too_long", "max_chars": 4_096, "actual_chars": 4_097}),
        ):
            answer = tools.call("search_code", user, query=query)
            answer.pop("message", None)
            assert answer == {"ok": False, **refusal}
        write("dana", create_file, "a", "word")
        write("dana", delete_file, "a")


@pytest.mark.rule("SCN-10", "SCN-11")
def test_only_the_newest_version_of_an_active_file_is_searched_and_each_file_is_one_hit(tools: Tools) -> None:
    def found(query: str) -> list[tuple[str, str]]:
        return [(hit["file_name"], hit["id"]) for hit in tools.call("search_code", query=query)["results"]]

    write("dana", create_file, "a.txt", "zebra tiger zebra")
    assert len(found("zebra tigers")) == 1
    edited, _ = write("dana", edit_file, "a.txt", "zebra", "lion", everywhere=True)
    assert found("zebra") == []
    assert found("lions tiger") == [("a.txt", edited["id"])]
    appended, _ = write("dana", append_to_file, "a.txt", "bear")
    described = write("dana", describe_file, "a.txt", description="whales", tags=["sharks"])
    assert described["id"] == appended["id"]
    for word in ("lion", "bear", "whale", "shark"):
        assert found(word) == [("a.txt", appended["id"])]
    write("dana", describe_file, "a.txt", description="", tags=[])
    assert found("whale shark") == []
    write("dana", delete_file, "a.txt")
    assert found("lion bear") == []
    write("dana", create_file, "a.txt", "lion")
    assert len(found("lion bear")) == 1
    write("dana", delete_file, "a.txt")
    write("dana", restore_file, "a.txt")
    assert [name for name, _ in found("lion")] == ["a.txt"]


@pytest.mark.rule("SCN-12", "PLT-7")
def test_lists_and_hits_are_newest_first_and_never_cut_silently(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, second in enumerate((5, 3, 9, 9, 1)):
        with at(1_700_000_000 + second, monkeypatch):
            write("dana", create_file, f"{number}.txt", "common")
    with at(1_700_000_007, monkeypatch):
        write("dana", append_to_file, "4.txt", "more")
        write("dana", create_file, "mirrored", "common", tags=["repo:team/x"])
    newest = ["3.txt", "2.txt", "mirrored", "4.txt", "0.txt", "1.txt"]
    for limit in (1, 3, 5, 6, 100):
        answer = tools.call("search_code", query="common", limit=limit)
        assert [hit["file_name"] for hit in answer["results"]] == newest[:limit]
        assert answer.get("truncated", False) is (limit < 6)
    assert tools.call("search_code", query="common", limit=-3)["count"] == 1
    assert answer["results"][3]["updated_at"] == "2023-11-14T22:13:27+00:00"
    listed = [name for name in newest if name != "mirrored"]
    for per_page in (1, 2, 5, 200):
        pages = -(-5 // per_page)
        for page in range(1, pages + 3):
            answer = tools.call("list_files", page=page, per_page=per_page)
            shown = min(page, pages)
            assert [file["file_name"] for file in answer.pop("files")] == listed[(shown - 1) * per_page : shown * per_page]
            assert answer == {"total": 5, "page": shown, "per_page": per_page}
    assert tools.call("list_files", page=-1, per_page=1_000)["per_page"] == 200
    assert tools.call("list_files", "nobody", page=7) == {"files": [], "total": 0, "page": 1, "per_page": 50}


@pytest.mark.rule("PLT-7", "PLT-95")
def test_what_does_not_fit_is_refused_or_cut_and_says_so(tools: Tools) -> None:
    """The largest metadata that may be saved, 20 KB of it in each file."""
    fat = {"description": "\U0001f600" * 2_000, "tags": [f"{number:02}" + "\U0001f600" * 98 for number in range(50)]}
    for number in range(10):
        write("dana", create_file, f"{number}.txt", "common", **fat)
    refused = tools.call("list_files")
    assert (refused["error"], refused["max"], refused["per_page"]) == ("page_too_large", 256_000, 50)
    assert refused["bytes"] > 256_000
    assert [len(tools.call("list_files", page=page, per_page=5)["files"]) for page in (1, 2)] == [5, 5]
    cut = tools.call("search_code", query="common")
    assert cut["truncated"] is True
    assert 5 <= cut["count"] == len(cut["results"]) < 10
    for _ in range(9):
        write("dana", append_to_file, "0.txt", "more")
    versions = tools.call("list_versions", file_name="0.txt")
    assert [version["version"] for version in versions["versions"]] == list(range(10, 10 - versions["count"], -1))
    assert (versions["count"] < 10, versions["total"], versions["truncated"]) == (True, 10, True)


@pytest.mark.rule("PLT-7")
def test_the_versions_of_a_file_are_listed_newest_first_without_their_text(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    for second in range(3):
        with at(1_700_000_000 + second, monkeypatch):
            if second == 0:
                write("dana", create_file, "a.md", "one")
            else:
                write("dana", append_to_file, "a.md", "x" * second)
    write("moshe", create_file, "his.md", "one")
    answer = tools.call("list_versions", file_name="a.md")
    assert list(answer) == ["file_name", "count", "versions"]
    assert [(each["version"], each["file_size"], each["created_at"][-8:-6]) for each in answer["versions"]] == [
        (3, 8, "22"), (2, 5, "21"), (1, 3, "20"),
    ]  # fmt: skip
    assert len({each["id"] for each in answer["versions"]}) == 3
    assert not {"code", "content", "raw_data", "raw_content"} & set(answer["versions"][0])
    for absent in ("his.md", "A.md", "a.md ", "a\0", "\ud800"):
        assert tools.call("list_versions", file_name=absent) == {"file_name": absent, "count": 0, "versions": []}
    write("dana", delete_file, "a.md")
    assert tools.call("list_versions", file_name="a.md")["count"] == 0
    assert tools.call("list_versions", file_name="  ")["error"] == "missing_file_name"
    assert tools.call("list_versions", file_name="x" * 256)["error"] == "file_name_too_long"
    monkeypatch.setattr("workers.tasks.find_files.LIST_VERSIONS_MAX", 2)
    write("dana", create_file, "a.md", "one")
    for _ in range(2):
        write("dana", append_to_file, "a.md", "x")
    answer = tools.call("list_versions", file_name="a.md")
    assert ([each["version"] for each in answer["versions"]], answer["total"], answer["truncated"]) == ([3, 2], 3, True)


def test_a_store_that_can_not_be_read_is_an_error_and_not_an_empty_answer(tools: Tools) -> None:
    write("dana", create_file, "a.txt", "word")
    with writing(engine()) as connection:
        connection.execute(text("ALTER TABLE saved_files RENAME TO gone"))
        connection.execute(text("ALTER TABLE notes RENAME TO gone_too"))
    for tool, arguments in (
        ("search_code", {"query": "word"}),
        ("search_notes", {"query": "word"}),
        ("list_files", {}),
        ("list_versions", {"file_name": "a.txt"}),
        ("list_boards", {}),
    ):
        assert tools.call(tool, **arguments)["error"] == "db_error", tool


@pytest.mark.rule("SCN-7", "SCN-8", "PLT-17")
def test_the_description_of_the_search_says_which_tool_answers_which_question() -> None:
    tool = TOOLS["codekeeper_search_code"]
    assert "which file" in tool.description
    assert "codekeeper_get_file and `query`" in tool.description
    assert "codekeeper_search_repo, for admins" in tool.description
    assert TOOLS["codekeeper_search_repo"].admin
    assert not tool.admin
