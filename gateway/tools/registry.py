"""The table of tools, in the order of `tools/list`. The only place that knows them all."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gateway.tools import (
    add_to_collection,
    append_file,
    create_board_note,
    create_note,
    create_repo_note,
    docs_get_section,
    edit_file,
    get_file,
    get_repo_file,
    list_repo_tree,
    list_repos,
    note_str_replace,
    read_batch,
    read_code_context,
    save_file,
    search_repo,
    update_file_description,
    update_note,
)
from gateway.tools.tool import Tool

_TOOLS = (
    get_file.TOOL,
    save_file.TOOL,
    edit_file.TOOL,
    append_file.TOOL,
    update_file_description.TOOL,
    create_note.TOOL,
    create_board_note.TOOL,
    update_note.TOOL,
    note_str_replace.TOOL,
    create_repo_note.TOOL,
    add_to_collection.TOOL,
    list_repos.TOOL,
    list_repo_tree.TOOL,
    get_repo_file.TOOL,
    search_repo.TOOL,
    docs_get_section.TOOL,
    read_batch.TOOL,
    read_code_context.TOOL,
)

TOOLS: Final[Mapping[str, Tool]] = MappingProxyType({tool.name: tool for tool in _TOOLS})
