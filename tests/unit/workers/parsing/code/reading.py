"""For the tests of the index: sources to rows that can be read."""

from textwrap import dedent

from workers.parsing.code.closure import Dependencies, dependencies
from workers.parsing.code.index import Index, Unindexed
from workers.parsing.code.languages import Language
from workers.parsing.code.read import read_index
from workers.parsing.code.symbols import find

JS, TS, TSX, PYTHON = Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX, Language.PYTHON

Row = tuple[str, str, int, int]


def read(source: str | bytes, language: Language) -> Index:
    return read_index(dedent(source).encode() if isinstance(source, str) else source, language)


def rows(source: str | bytes, language: Language) -> list[Row]:
    """The name that is shown, kind, first and last line of every definition."""
    return [(one.name, one.kind.value, one.start, one.end) for one in read(source, language).definitions]


def refused(source: str | bytes, language: Language) -> str:
    """The reason why there is no index; empty when there is one."""
    try:
        read(source, language)
    except Unindexed as refusal:
        return refusal.reason.value
    return ""


def needs(index: Index, *symbols: str) -> tuple[list[str], Dependencies]:
    """The names of what the symbols need of their file, and all that was found out."""
    found = dependencies(index, [find(index, symbol) for symbol in symbols])
    return [index.definitions[place].name for place in found.places], found
