"""Saved files, notes and boards found and listed through the front door of each form. Both forms have one store."""

from typing import Any

import pytest

from tests.end_to_end.services import Service


@pytest.mark.rule("SCN-9", "SCN-35", "PLT-7", "PLT-33")
def test_what_a_user_saves_is_found_by_that_user_and_nobody_else(service: Service) -> None:
    name = f"{service.form}.py"
    writer, reader = service.connection("writer"), service.connection("reader")

    def ok(tool: str, **arguments: Any) -> dict[str, Any]:
        reply = writer.call(f"codekeeper_{tool}", **arguments)
        assert not reply.is_error
        answer: dict[str, Any] = reply.json
        return answer

    file = ok("save_file", file_name=name, code="def authenticate():\n    return 'שלום'\n")["file"]
    board = ok("list_boards")["boards"][0]["id"]
    on_file = ok("create_note", file_name=name, content="a &amp; b", line=2)["note"]
    on_board = ok("create_board_note", board_id=board, content="about authenticating", title=f"Deploy {service.form}")["note"]
    searched = {"searched_content": True, "searched_archive": False}
    calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("search_code", {"query": "authenticating", "limit": 100}, {"query": "authenticating"}),
        ("list_files", {"per_page": "200"}, {"page": 1, "per_page": 200}),
        ("list_versions", {"file_name": name}, {"file_name": name, "count": 1, "versions": [file]}),
        ("list_notes", {"file_name": name}, {"ok": True, "file_name": name, "count": 1, "notes": [on_file]}),
        ("list_board_notes", {"board_id": board}, {"ok": True, "board_id": board}),
        ("search_notes", {"query": "&amp;", "search_content": "true", "limit": 500}, {"query": "&amp;", **searched}),
        ("search_notes", {"query": f"deploy {service.form}"}, {"count": 1, "searched_content": False}),
        ("get_note", {"note_id": on_file["id"]}, {"ok": True, "note": {**on_file, "content": "a &amp; b"}}),
        ("list_note_versions", {"note_id": on_board["id"]}, {"current_version": 1, "versions": []}),
        ("list_collections", {}, {"ok": True, "count": 0, "collections": []}),
    ]
    for tool, arguments, expected in calls:
        answer = ok(tool, **arguments)
        assert expected.items() <= answer.items(), tool
        if tool in {"search_code", "list_files"}:
            found = answer["results" if tool == "search_code" else "files"]
            assert name in {each["file_name"] for each in found}
            assert not any({"code", "content"} & set(each) for each in found)
        others = reader.call(f"codekeeper_{tool}", **arguments).json
        assert others.get("error") in {"not_found", "board_not_found"} or not any(
            others[key] for key in ("results", "files", "notes", "versions", "collections") if key in others
        )
    refused = writer.call("codekeeper_search_notes", query="a", include_archived="perhaps")
    assert (refused.is_error, refused.json["error"]) == (True, "invalid_arguments")
    assert writer.call("codekeeper_search_notes", query="a\0").json["error"] == "invalid_query"
