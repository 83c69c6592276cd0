"""Outlines of real sources and pages: against other parsers, and every symbol's lines begin with its definition. Deep: the corpora."""

import html
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.unit.workers.parsing.measure import Map, rows
from tests.unit.workers.parsing.real_pages import real, texts
from tests.unit.workers.parsing.test_css_outline import assert_agrees
from tests.unit.workers.parsing.test_html_outline import INSIDE, Ids
from workers.parsing.outline import NoOutline, Symbol
from workers.parsing.registry import scan

pytestmark = [pytest.mark.deep, pytest.mark.timeout(1800)]

SHEETS, PAGES, SOURCES, RST_PAGES = 60, 120, 800, 800
"""How many files of each kind are looked at, so that all of this takes some minutes."""

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
TEMPLATE = ("{%", "{{", "{#", "<%")
BLOCK = re.compile(r"{%-?\s*(block|endblock|macro|endmacro)\b\s*(\w[\w.-]*(?=[\s%(])|).*?%}|{#.*?#}")


@pytest.mark.rule("OUT-51", "OUT-55", "OUT-60")
def test_sheets_are_mapped_as_tinycss2_reads_them() -> None:
    bootstrap = real(".css", under=["djangorestframework", "mkdocs-1"])
    sheets = dict.fromkeys([*bootstrap, *real(".css", at_most=SHEETS)])
    assert sum(assert_agrees(text) for _, text in texts(sheets)) > 20_000


def compared(found: Map) -> list[tuple[str, int, int | None]]:
    """The rows without the ends of elements that have none, which the other tokenizer doesn't tell, and with plain characters in ids."""
    return sorted((html.unescape(name), start, None if name.split("#")[0] in VOID else end) for name, start, end in found)


@pytest.mark.rule("OUT-33", "OUT-34", "OUT-42", "OUT-49")
def test_pages_are_mapped_as_pythons_own_tokenizer_reads_them() -> None:
    elements = 0
    for path, whole in texts(real(".html", at_most=PAGES)):
        if any(sign in whole for sign in TEMPLATE):
            continue
        text = INSIDE.sub(lambda match: match[1] + "\n" * match[2].count("\n"), whole)
        ids = Ids()
        ids.feed(text)
        expected: Map = [tuple(row) for row in ids.found]  # type: ignore[misc]
        assert compared(rows(scan("a.html", text))) == compared(expected), path
        elements += len(expected)
    assert elements > 500


def blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """The blocks and macros of a template by their tags alone, each kind in a stack of its own."""
    opened: dict[str, list[tuple[str, int]]] = {"block": [], "macro": []}
    for tag in BLOCK.finditer(text):
        kind, first = tag[1], text.count("\n", 0, tag.start()) + 1
        if kind in opened:
            opened[kind] += [(f"{kind} {tag[2]}", first)] if tag[2] else []
        elif kind and opened[kind.removeprefix("end")]:
            yield *opened[kind.removeprefix("end")].pop(), text.count("\n", 0, tag.end()) + 1
    yield from ((name, first, text.count("\n") + 1) for still_open in opened.values() for name, first in still_open)


@pytest.mark.rule("OUT-30", "OUT-31")
def test_blocks_of_templates_are_mapped_as_their_tags_stand() -> None:
    """Django's admin and others: what opens and closes with a tag of its own."""
    found = 0
    for path, text in texts(real(".html", under=["django-6", "wagtail", "mkdocs", "furo", "sphinx-9"])):
        if re.search(r"{%-?\s*(raw|verbatim|comment)\b", text) or ("{%" not in text):
            continue
        expected = sorted(blocks(text))
        assert sorted(row for row in rows(scan("a.html", text)) if row[0].startswith(("block ", "macro "))) == expected, path
        found += len(expected)
    assert found > 500


def begins_with_definition(suffix: str, symbol: Symbol, lines: list[str]) -> bool:
    """Whether the first of the symbol's lines holds where its definition begins."""
    first = lines[symbol.start - 1]
    if suffix == ".py":
        name = re.escape(symbol.name.rsplit(".", 1)[-1])
        return bool(re.search(rf"(?:^|[:;])\s*(?:@|async\b|(?:def|class)\s+{name}\b|(?:def|class)\s*\\$)", first))
    if suffix == ".css":
        return re.split(r"[\s/]", symbol.name)[0] in first
    if suffix == ".rst":
        if symbol.name.startswith("_") and re.match(r"\s*.*\.\. _", first):
            return True
        title, under = first.strip(), lines[symbol.start].strip()
        return symbol.name.endswith(under if len(set(title)) == 1 and symbol.name.endswith(under) else title)
    name = symbol.name.split(" ")[0]
    inner = re.split(r"[.#]", symbol.name)[-1].split(" ")[0]
    return f"<{name.split('#')[0]}".lower() in first.lower() or name in first or inner in first


@pytest.mark.rule("OUT-1", "OUT-2")
@pytest.mark.parametrize(("suffix", "at_most"), [(".py", SOURCES), (".css", SHEETS), (".html", PAGES), (".rst", RST_PAGES)])
def test_the_lines_of_every_symbol_begin_with_its_definition(suffix: str, at_most: int) -> None:
    symbols = 0
    for path, text in texts(real(suffix, at_most=at_most)):
        lines = text.split("\n")
        for symbol in mapped(path, text):
            assert 1 <= symbol.start <= symbol.end <= len(lines), path
            assert begins_with_definition(suffix, symbol, lines), (path, symbol)
            symbols += 1
    assert symbols > 1_000


def mapped(path: Path, text: str) -> list[Symbol]:
    """The symbols; none for what has no map, such as the broken sources that tests of a parser are made of."""
    with suppress(NoOutline):
        return scan(path.name, text)
    return []
