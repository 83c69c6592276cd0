"""The promise of the two forms: the same call gives the same bytes, embedded and hosted, over HTTP, stdio and the command line."""

import json
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from gateway.tools.registry import TOOLS
from tests.end_to_end.services import ROOT, Service, codekeeper

FILE, TREE, LIST = "codekeeper_get_repo_file", "codekeeper_list_repo_tree", "codekeeper_list_repos"
DOCS, SEARCH, BATCH = "codekeeper_docs_get_section", "codekeeper_search_repo", "codekeeper_read_batch"
CONTEXT = "read_code_context"

CALLS: list[tuple[str, dict[str, Any]]] = [
    (LIST, {}),
    (TREE, {"repo": "shapes", "per_page": 1_000}),
    (TREE, {"repo": "case-05", "include_stats": True}),
    (TREE, {"repo": "shapes", "path": "many", "per_page": 1_000, "include_stats": True}),
    (TREE, {"repo": "nowhere"}),
    (FILE, {"repo": "shapes", "path": "hebrew.txt", "lines": [7, 4_000]}),
    (FILE, {"repo": "shapes", "path": "hebrew.txt"}),
    (FILE, {"repo": "shapes", "path": "bom.txt"}),
    (FILE, {"repo": "shapes", "path": "cp1255.txt"}),
    (FILE, {"repo": "case-02", "path": "report.py"}),
    (FILE, {"repo": "case-05", "path": "docs/two\nlines.md"}),
    (FILE, {"repo": "case-14", "path": "f.txt", "ref": "treetag"}),
    (FILE, {"repo": "shapes", "path": "nope"}),
    (FILE, {"repo": "shapes", "path": "abc.txt", "lines": [True, 5]}),
    (FILE, {"repo": "shapes", "path": ""}),
    ("codekeeper_no_such_tool", {}),
    (SEARCH, {"repo": "shapes", "query": "VALUE", "context_lines": 2}),
    (SEARCH, {"repo": "shapes", "query": "aa", "max_results": 3}),
    (SEARCH, {"repo": "shapes", "query": "טקסט", "max_results": 100}),
    (SEARCH, {"repo": "shapes", "query": "[a(", "regex": True}),
    (SEARCH, {"repo": "case-05", "query": "eight"}),
    (SEARCH, {"repo": "nowhere", "query": "any"}),
    (DOCS, {"path": "guide"}),
    (DOCS, {"path": "guide", "section": "Usge"}),
    (DOCS, {"path": "guide", "whole_document": True, "offset": 7}),
    (DOCS, {"path": "manual", "repo": "case-08", "section": "Part one"}),
    (BATCH, {"items": [{"kind": "section", "path": "guide"}, {"kind": "file", "repo": "shapes", "path": "cp1255.txt"}, {"kind": "no"}]}),
    (BATCH, {"items": [{"kind": "file", "repo": "shapes", "path": "hebrew.txt", "lines": [1, 1_000]}] * 9}),
    (BATCH, {"items": []}),
    (CONTEXT, {"repo": "case-12", "requests": [{"path": "parse.ts", "symbols": ["parse", "nosuch"]}]}),
    (CONTEXT, {"repo": "case-12", "maxTokens": 50, "requests": [{"path": "parse.ts", "outline": True}]}),
    (CONTEXT, {"repo": "case-12", "requests": [{"path": "parse.ts", "full": "yes"}], "more": 1}),
    (CONTEXT, {"continueFrom": "a" * 22, "requests": [{"path": "parse.ts", "full": True}]}),
    ("codekeeper_list_files", {"page": 3}),
    ("codekeeper_search_code", {"query": "שלום auth"}),
    ("codekeeper_search_notes", {"query": "a\0"}),
    ("codekeeper_list_boards", {}),
]


@pytest.mark.rule("PLT-91", "PLT-96")
def test_both_forms_send_the_same_bytes(embedded: Service, hosted: Service) -> None:
    for tool, arguments in CALLS:
        here, there = embedded.call(tool, **arguments), hosted.call(tool, **arguments)
        assert here == there
        assert here.text.encode() == json.dumps(here.json, ensure_ascii=False, separators=(",", ":")).encode()


def test_the_command_line_prints_exactly_what_the_tool_sends(embedded: Service, hosted: Service) -> None:
    for tool, arguments in (CALLS[5], CALLS[10]):
        sent = hosted.call(tool, **arguments).text + "\n"
        assert codekeeper(embedded.environment, "call", tool, json.dumps(arguments)) == sent
        with_token = {**hosted.environment, "CODEKEEPER_TOKEN": hosted.tokens["admin"]}
        assert codekeeper(with_token, "call", "--url", hosted.url, tool, json.dumps(arguments)) == sent


def test_the_command_line_tells_refusals_and_unreachable_gateways_by_exit_code(embedded: Service) -> None:
    environment = embedded.environment
    assert json.loads(codekeeper(environment, "call", FILE, '{"repo": "nowhere", "path": "a"}', code=1))["error"] == "repo_not_mirrored"
    assert json.loads(codekeeper(environment, "call", FILE, '{"repo": 1}', code=1))["error"] == "invalid_arguments"
    codekeeper(environment, "call", FILE, "{not json", code=2)
    codekeeper(environment, "call", FILE, "[]", code=2)
    codekeeper(environment, "call", "--url", "http://127.0.0.1:1/mcp", LIST, code=3)
    codekeeper({**environment, "CODEKEEPER_TOKEN": "ckmcp_wrong"}, "call", "--url", embedded.url, LIST, code=3)
    codekeeper({**environment, "CODEKEEPER_REDIS_URL": "redis://127.0.0.1:1/0"}, "call", LIST, code=3)


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_stdio_sends_the_same_bytes_and_acts_as_the_local_admin(embedded: Service, mode: str) -> None:
    environment = {**embedded.environment, "CODEKEEPER_ADMIN_USERS": ""}
    command = sys.executable
    server = StdioServerParameters(command=command, args=["-m", "gateway.commands.main", "stdio"], env=environment, cwd=ROOT)
    async with Client(stdio_client(server), mode=mode) as client:  # type: ignore[arg-type]
        assert {tool.name for tool in (await client.list_tools()).tools} == set(TOOLS)
        for tool, arguments in CALLS[3:8]:
            (block,) = (await client.call_tool(tool, arguments)).content
            assert block.text == embedded.call(tool, **arguments).text


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
