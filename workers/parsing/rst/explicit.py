"""Explicit markup, whatever begins with two dots, and anonymous targets: labels and includes are told, and bodies put aside."""

import re
from typing import Final

from workers.parsing.rst.found import Label, Scanned
from workers.parsing.rst.hyperlinks import MALFORMED, read_target
from workers.parsing.rst.lines import Lines

LITERAL_DIRECTIVES: Final = frozenset((
    "blockdiag", "code", "code-block", "code-cell", "csv-table", "digraph", "doctest", "graph", "graphviz", "highlight", "index",
    "inheritance-diagram", "ipython", "ipython3", "jinja", "jupyter-execute", "literalinclude", "math", "mermaid", "meta",
    "parsed-literal", "plantuml", "plot", "productionlist", "prompt", "raw", "replace", "role", "sourcecode", "testcleanup",
    "testcode", "testoutput", "testsetup", "toctree", "uml", "unicode"
))  # fmt: skip
"""Directives of docutils, Sphinx and well-known extensions whose body isn't reStructuredText, so that nothing in it is a label (OUT-100).

Every other directive's body is looked into, `only` and domain directives among them: Sphinx parses those, docutils knows them not.
"""

WITHOUT_ARGUMENT: Final = frozenset((
    "attention", "caution", "compound", "danger", "epigraph", "error", "footer", "header", "highlights", "hint", "important",
    "note", "pull-quote", "seealso", "tip", "todo", "warning"
))  # fmt: skip
"""Directives whose body begins on their first line. Any other's begins after a blank line; its argument and options come before."""

_SIMPLE_NAME: Final = r"(?:(?!_)\w)+(?:[-._+:](?:(?!_)\w)+)*"
MAX_TARGET: Final = 2**20
"""Characters of a target with all its lines; a longer one counts as a comment, because its lines and words are held one by one."""

_EXPLICIT: Final = re.compile(r"\.\.(?: +|$)")
_NOTE: Final = re.compile(rf"\[(?:[0-9]+|#|#{_SIMPLE_NAME}|\*|{_SIMPLE_NAME})\](?: +|$)")
_DIRECTIVE: Final = re.compile(rf"({_SIMPLE_NAME}) ?::(?: +|$)")
_OPTION: Final = re.compile(r":(?![: ])(?:[^:\\]++|\\.|:(?![ `]|$))*+(?<! ):(?: +|$)")


def scan_explicit(scanned: Scanned, place: int, line: str) -> int:
    """The place after the construct at `place`, or `place` itself when `line` begins none."""
    begin = _EXPLICIT.match(line)
    if not begin:
        return place
    lines, first = scanned.lines, begin.end()
    rest = line[first:]
    second = lines.after(place)
    if not rest and not lines.at(second):
        return second  # A comment that is empty ends at once: what is indented after it is a quote.
    stop = lines.unindented(second)
    if found := _NOTE.match(rest):
        scanned.aside.block(place, stop, first + found.end())
    elif rest.startswith("_") and rest[1:2].strip():
        return _target(scanned, place, stop, first + 1)
    elif rest.startswith("|") and rest[1:2].strip():
        pass  # A substitution's text can't hold targets.
    elif found := _DIRECTIVE.match(rest):
        _directive(scanned, place, stop, first + found.end(), found[1].lower())
    return stop


def scan_anonymous(lines: Lines, place: int) -> int:
    """The place after an anonymous target (OUT-97)."""
    return lines.blank_or_unindented(lines.after(place))


def _target(scanned: Scanned, place: int, stop: int, first: int) -> int:
    """The place after a target, whose name begins at column `first`; `stop` when it isn't one and so a comment."""
    lines = scanned.lines
    until_blank = lines.blank_or_unindented(lines.after(place))
    if until_blank - place > MAX_TARGET:
        return stop
    text = "\n".join([lines.at(place)[first:], *lines.between(lines.after(place), until_blank)])
    target = read_target(text)
    if target is MALFORMED:
        return stop
    if isinstance(target, str):
        scanned.listener.label(Label(target, lines.number(place)))
    return until_blank


def _directive(scanned: Scanned, place: int, stop: int, first: int, name: str) -> None:
    lines = scanned.lines
    if name == "include":
        if path := _path(lines, place, stop, first):
            scanned.listener.include(path, lines.number(place))
    elif name in WITHOUT_ARGUMENT:
        scanned.aside.block(place, stop, first)
    elif name not in LITERAL_DIRECTIVES and (body := lines.blank(place)) < stop:
        scanned.aside.block(body, stop, 0)


def _path(lines: Lines, place: int, stop: int, first: int) -> str:
    """A directive's one argument: its text up to an option or a blank line. It may begin on the second line."""
    path = lines.at(place)[first:].strip()
    place = lines.after(place)
    while place < stop and (line := lines.at(place).lstrip()) and not _OPTION.match(line):
        path += line
        place = lines.after(place)
    return path
