"""What every MCP client sees, in the stateless revision and in the earlier ones."""

import pytest

from tests.end_to_end.services import Service

MODES = ["legacy", "2026-07-28"]

HINTS = {
    "save_file": (False, False, False),
    "edit_file": (False, False, False),
    "append_file": (False, False, False),
    "update_file_description": (False, True, True),
    "create_note": (False, False, False),
    "create_board_note": (False, False, False),
    "create_repo_note": (False, False, False),
    "update_note": (False, True, True),
    "note_str_replace": (False, True, False),
    "add_to_collection": (False, False, True),
}
"""Read-only, destructive and idempotent, of the tools that write; all others are read-only."""


@pytest.mark.rule("PLT-2", "PLT-3", "PLT-10")
@pytest.mark.parametrize("mode", MODES)
def test_each_revision_reads_the_same(service: Service, mode: str) -> None:
    connection = service.connection(mode=mode)
    reply = connection.call("codekeeper_get_repo_file", repo="shapes", path="abc.txt")
    assert reply.json["content"] == "a\nb\nc\n"
    assert reply.text == service.call("codekeeper_get_repo_file", repo="shapes", path="abc.txt").text
    assert {name for name in connection.tools() if not name.startswith("codekeeper_")} == {"read_code_context"}


@pytest.mark.rule("PLT-9", "PLT-93", "PLT-94", "GRF-69", "TREE-1", "REF-5")
@pytest.mark.parametrize("mode", MODES)
def test_each_tool_declares_its_ceiling_its_hints_and_a_closed_schema(service: Service, mode: str) -> None:
    tools = service.connection(mode=mode).tools()
    for tool in tools.values():
        assert tool.meta["anthropic/maxResultSizeChars"] == 256_000
        hints = tool.annotations
        expected = HINTS.get(tool.name.removeprefix("codekeeper_"), (True, False, True))
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == expected, tool.name
        assert hints.open_world_hint is False
        assert tool.input_schema["additionalProperties"] is False
        assert all(parameter["description"] for parameter in tool.input_schema["properties"].values())
        assert tool.output_schema is None
    with_ref = {name for name, tool in tools.items() if "ref" in tool.input_schema["properties"]}
    assert with_ref == {"codekeeper_docs_get_section", "codekeeper_get_repo_file", "codekeeper_list_repo_tree", "read_code_context"}
