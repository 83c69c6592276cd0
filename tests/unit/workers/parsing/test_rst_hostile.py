"""Texts made to cost time: the scan stays linear. A quadratic one would take minutes for what is given seconds here."""

import contextlib
import time

import pytest

from workers.parsing.headings import ParseRefused
from workers.parsing.outline import NoOutline
from workers.parsing.rst.headings import headings
from workers.parsing.rst.includes import includes
from workers.parsing.rst.outline import outline

SIZE = 80_000
SECONDS = 2.0
"""Processor time for one text and one parser; the slowest takes a tenth of it."""


def filled(unit: str) -> str:
    return (unit * (SIZE // len(unit) + 1))[:SIZE]


TEXTS = {
    "adornments": filled("=====\n"),
    "adornments of one": filled("=\n"),
    "headings that skip": "A\n=\n\nB\n-\n\nC\n~\n\nD\n=\n\n" + filled("A\n~\n"),
    "headings of one character": filled("A\n=\n"),
    "stairs": "".join(" " * depth + "x\n" for depth in range(400)),
    "stairs to a label": "".join(" " * depth + "x\n" for depth in range(400)) + " " * 400 + ".. _x:\n",
    "bullets to a label": "- " * (SIZE // 2) + ".. _x:\n",
    "literal marks": filled("::\n\n"),
    "literal blocks": filled("a::\n\n x\n"),
    "blank": "\n" * SIZE,
    "spaces": " " * SIZE,
    "tabs": "\t" * SIZE + "x",
    "lines of tabs": filled("\t\tx\n"),
    "bullets": filled("- a\n"),
    "enumeration": filled("1. a\n\n"),
    "digits": "1" * SIZE + ". x\n",
    "numerals": "i" * SIZE + ". x\n",
    "grids": filled("+---+\n"),
    "grid without a bottom": "+---+\n+---+\n+---+\n" + filled("|\n"),
    "simple tables": filled("= =\n"),
    "simple table without an end": "= =\n= =\n" + filled("a\n"),
    "labels": filled(".. _a: b\n"),
    "label without an end": ".. _a\n" + filled(" b\n"),
    "quoted label without an end": ".. _`" + "a" * SIZE,
    "comments": filled("..\n"),
    "field": filled(":a"),
    "options": filled("-a, "),
    "option": "-" + "a" * SIZE + "!",
    "includes": filled(".. include:: x\n"),
    "include without an end": ".. include::\n" + filled(" x\n"),
    "table of labels": filled("+-----+\n| .. _a: |\n"),
    "substitutions": filled(".. |"),
    "no-break spaces": "\xa0" * SIZE,
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("parser", [headings, outline])
def test_time_is_linear(parser: object, name: str) -> None:
    before = time.process_time()
    with contextlib.suppress(ParseRefused, NoOutline):
        parser(TEXTS[name])  # type: ignore[operator]
    assert time.process_time() - before < SECONDS


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", TEXTS)
def test_time_is_linear_at_ten_megabytes(name: str) -> None:
    text = (TEXTS[name] * (10_000_000 // len(TEXTS[name]) + 1))[:10_000_000]
    for parser in (headings, outline, includes):
        before = time.process_time()
        with contextlib.suppress(ParseRefused, NoOutline):
            parser(text)
        assert time.process_time() - before < 75 * SECONDS
