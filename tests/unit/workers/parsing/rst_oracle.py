"""What docutils reads in a text: the titles with their levels, and the internal targets. The oracle of the RST tests, nothing else."""

import re
from functools import lru_cache
from typing import Any, NamedTuple
from unittest import mock

import docutils.frontend
import docutils.nodes
import docutils.utils
from docutils.parsers.rst import Parser, states

VERSION = "0.23"


class Read(NamedTuple):
    titles: list[tuple[int, str]]
    """Level and source text."""
    labels: list[tuple[str, int]]
    """Name as docutils normalizes it, and line; those at any depth, sorted by line."""
    quoted: bool
    """Whether docutils met what it reads as a quoted literal block, which the scanner doesn't know (OUT-101)."""
    miscounted: bool
    """Whether docutils went back over the lines below a grid table's last border: it goes two too far, and counts the cells' lines so."""


@lru_cache(maxsize=1)
def _settings() -> docutils.frontend.Values:
    settings = docutils.frontend.get_default_settings(Parser)
    settings.report_level = 5
    settings.halt_level = 5
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.syntax_highlight = "none"
    # A policy of docutils and no grammar: a longer line makes it read nothing at all.
    settings.line_length_limit = 10**9
    return settings


def read(text: str) -> Read:
    document = docutils.utils.new_document("oracle", _settings())
    isolate = states.Body.isolate_grid_table
    too_far: list[bool] = []

    def isolated(body: states.Body) -> Any:
        first = body.state_machine.line_offset
        block, messages, finish = isolate(body)
        too_far.append(bool(block) and body.state_machine.line_offset != first + len(block) - 1)
        return block, messages, finish

    with (
        mock.patch.object(states.Text, "quoted_literal_block", autospec=True, side_effect=states.Text.quoted_literal_block) as quoted,
        mock.patch.object(states.Body, "isolate_grid_table", isolated),
    ):
        Parser().parse(text, document)
    titles: list[tuple[int, str]] = []
    waiting: list[tuple[docutils.nodes.Element, int]] = [(document, 0)]
    while waiting:
        node, level = waiting.pop()
        waiting += [(child, level + 1) for child in reversed(node.children) if isinstance(child, docutils.nodes.section)]
        if level:
            titles.append((level, node[0].rawsource))
    return Read(titles, sorted(_labels(document), key=lambda label: label[1]), quoted.called, any(too_far))


def _labels(document: docutils.nodes.document) -> list[tuple[str, int]]:
    found = []
    for target in document.findall(docutils.nodes.target):
        names = target["names"] + target["dupnames"]
        inline = isinstance(target.parent, docutils.nodes.TextElement)
        external = any(target.hasattr(name) for name in ("refuri", "refname", "anonymous"))
        if names and not inline and not external:
            found.append((names[0], target.line))
    return found


def normal_name(name: str) -> str:
    """A name as written, in docutils' normal form."""
    return " ".join(re.sub(r"\\(.)", lambda found: "" if found[1].isspace() else found[1], name).lower().split())
