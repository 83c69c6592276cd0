"""Outlines, heading maps and sections over stdio, made and kept, against the bare parse of the library that makes them."""

import ast
import json
import shutil
from collections.abc import Callable
from typing import Any, Final

from markdown_it import MarkdownIt

from infra.bench.ground import CODEKEEPER, READ_FILE, REPO, Ground
from infra.bench.measure import Row, Subject, compared, in_turn
from infra.bench.sources import FILE_800K, PAGE_340K, PAGE_500K, files
from infra.bench.wire import StdioClient

READ_DOCS: Final = "codekeeper_docs_get_section"
SEED_SECTIONS: Final = 40
"""The section that is read: the heading at this place of the page's map."""


def _markdown(text: str) -> object:
    """The library's parse of a page's blocks, with tables and without inline text: all that a map of headings needs."""
    return MarkdownIt("commonmark").enable("table").disable("inline").parse(text)


async def maps(ground: Ground) -> list[Row]:
    """Each map cold (nothing kept) and kept, and one section of a page whose map is kept."""
    texts = {path: content.decode() for path, content in files().items() if path in (FILE_800K, PAGE_500K, PAGE_340K)}
    lines = texts[FILE_800K].count("\n") + 1
    cases: tuple[tuple[str, str, dict[str, Any], Callable[[], object], str], ...] = (
        (
            f"outline of {len(texts[FILE_800K]) // 1000} KB, {lines} lines of Python : ast.parse",
            READ_FILE,
            {"repo": REPO, "path": FILE_800K, "outline": True, "per_page": 500},
            lambda: ast.parse(texts[FILE_800K]),
            "symbols",
        ),
        (
            "map of a 500 KB Markdown page : markdown-it's blocks",
            READ_DOCS,
            {"repo": REPO, "path": PAGE_500K, "max_depth": 2},
            lambda: _markdown(texts[PAGE_500K]),
            "toc",
        ),
    )
    rows: list[Row] = []
    rounds = 3 if ground.quick else 11
    cache = ground.folder / "data" / "cache"
    with StdioClient([CODEKEEPER, "stdio"], ground.environment, ground.log("maps")) as client:
        client.initialize()
        for what, tool, arguments, parse, answered in cases:

            async def cold(tool: str = tool, arguments: dict[str, Any] = arguments) -> object:
                shutil.rmtree(cache, ignore_errors=True)
                return client.call(tool, arguments)

            async def kept(tool: str = tool, arguments: dict[str, Any] = arguments) -> object:
                return client.call(tool, arguments)

            async def bare(parse: Callable[[], object] = parse) -> object:
                return parse()

            if not json.loads(client.call(tool, arguments).text())[answered]:
                raise RuntimeError(f"no {answered}")
            subjects: dict[str, Subject] = {"bare": bare, "cold": cold, "kept": kept}
            took = await in_turn(subjects, rounds, warm_up=1)
            rows.append(compared(what, took["cold"], took["bare"], 1.2))
            rows.append(compared("   the same, kept", took["kept"], took["bare"], 0.1))
        page = {"repo": REPO, "path": PAGE_340K}
        toc = json.loads(client.call(READ_DOCS, page).text())["toc"]
        title = toc[SEED_SECTIONS]["title"]

        async def section() -> object:
            return client.call(READ_DOCS, page | {"section": title})

        async def bare_page() -> object:
            return _markdown(texts[PAGE_340K])

        if json.loads(client.call(READ_DOCS, page | {"section": title}).text())["section"] != title:
            raise RuntimeError("another section")
        took = await in_turn({"bare": bare_page, "section": section}, rounds, warm_up=1)
        rows.append(compared("a section of a 340 KB page, its map kept : markdown-it's blocks", took["section"], took["bare"], 0.5))
    return rows
