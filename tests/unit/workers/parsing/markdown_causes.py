"""Which rows of the table of divergences a Markdown text has the cause of, told from the text itself and not from what the parsers do."""

import re
import sys

from markdown_it.common.html_blocks import block_names
from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

CMARK_SPACES = " \t\v\f\r\n"
PYTHON_ONLY_SPACES = "".join(sign for sign in map(chr, range(sys.maxunicode + 1)) if re.match(r"\s", sign) and sign not in CMARK_SPACES)
"""What `\\s` of Python matches and `spacechar` of cmark-gfm doesn't (MDG-50)."""

TYPE_1 = ("script", "pre", "style", "textarea")
ONLY_ONE_SIDE = ("source", "search")
"""The block tags of one side alone: cmark-gfm's and markdown-it-py's."""
BLOCK_TAGS = tuple(name for name in block_names if name not in ONLY_ONE_SIDE)

_CONTAINERS = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*)+")
_CHANGED_TAG = re.compile(rf"</?(?:{'|'.join(ONLY_ONE_SIDE)})(?=\s|/?>|$)", re.IGNORECASE)
_STRANGE_SPACE = re.compile(rf"<.*[{PYTHON_ONLY_SPACES}]")
_COMPLETE_TAG = re.compile(HTML_OPEN_CLOSE_TAG_STR + r"\s*$")
_OTHER_BLOCK = re.compile(rf"</?(?:{'|'.join(BLOCK_TAGS)})(?=\s|/?>|$)|<(?:{'|'.join(TYPE_1)})(?=\s|>|$)", re.IGNORECASE)
_EMPTY_ITEM = re.compile(r"(?:[-+*]|\d[.)])[ \t]*$")
_NO_INTERRUPTION = re.compile(r" {4}|\t|[ \t]*(?:\d[.)]|[-+*][ \t]*$)")
_DEFINITION = re.compile(r"^\[[^\]]*\]:", re.MULTILINE)
_ENDS_IN_DEFINITION = re.compile(r"\[[^\]]*\]:[^\n]*(?:\n[^\n]*){0,2}\Z")  # destination and title may have lines of their own
_SETEXT = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_ONE_COLUMN = re.compile(r"[ \t\v\f]*\|?[ \t\v\f]*:?-+:?[ \t\v\f]*\|?[ \t\v\f]*$")
_DELIMITERS = re.compile(r"(?=.*-.*\|.*-)[ \t\v\f|:-]+$")

_FIRST = (2, 5, 3, 11, 1, 4, 6, 8, 7, 9, 10)
"""Which row a text belongs to that has the causes of several: row 2 before row 1, as MDG-12 says; the narrower before the wider."""


def row_of(text: str) -> int | None:
    """The one row that `text` belongs to if it diverges, or None when no row explains it."""
    found = causes(text)
    return next((row for row in _FIRST if row in found), None)


def causes(text: str) -> set[int]:
    """The rows whose cause stands in `text`."""
    lines = re.split(r"\r?\n", text)
    return {row for index in range(len(lines)) for row in (*_tags_at(lines, index), *_others_at(lines, index))}


def _tags_at(lines: list[str], index: int) -> set[int]:
    line, above = _without_containers(lines[index]), _run_above(lines, index)
    if _CHANGED_TAG.match(line):
        return {2}
    if _STRANGE_SPACE.match(line):
        return {5}
    if not _is_type_7(line):
        return set()
    return ({1} if any(map(_CONTAINERS.match, above)) else set()) | ({11} if any(map(_DELIMITERS.match, above)) else set())


def _others_at(lines: list[str], index: int) -> set[int]:
    line, above = _without_containers(lines[index]), _run_above(lines, index)
    inner = [_without_containers(other) for other in above]
    found = set()
    if _DEFINITION.search("\n".join(inner)) and (
        _SETEXT.match(line) or _SETEXT.match(lines[index])
    ):  # the underline may be the definition's own second line
        found.add(4)
    if _ENDS_IN_DEFINITION.search("\n".join(inner)) and (_is_type_7(line) or _NO_INTERRUPTION.match(lines[index])):
        found.add(6)
    if any(_CONTAINERS.match(outer) and _DEFINITION.match(other) for outer, other in zip(above, inner, strict=True)):
        found.add(6)
    if above and _ONE_COLUMN.match(line) and ("|" in above[-1] or any(sign in line for sign in "|:\v\f")):
        found.add(7)
    if _DELIMITERS.match(line) and any(map(_DELIMITERS.match, inner)):
        found.add(8)
    if re.match(r" {4}|\t", lines[index]) and any(re.match(r".*>.*>", other) for other in above):
        found.add(9)
    if index and re.fullmatch(r"[ \t]+", lines[index]) and _EMPTY_ITEM.search(lines[index - 1]):
        found.add(10)
    if lines[index].count("-") * len(lines) > MAX_AUTOCOMPLETED_CELLS:
        found.add(3)
    return found


def _is_type_7(line: str) -> bool:
    return bool(_COMPLETE_TAG.match(line)) and not _OTHER_BLOCK.match(line)


def _without_containers(line: str) -> str:
    found = _CONTAINERS.match(line)
    return line[found.end() if found else 0 :].strip(" \t")


def _run_above(lines: list[str], index: int) -> list[str]:
    """The lines above line `index` up to an empty one."""
    start = index
    while start and lines[start - 1].strip(" \t"):
        start -= 1
    return lines[start:index]
