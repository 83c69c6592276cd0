"""What `codekeeper_get_file` is asked for, checked as far as that needs no database."""

from dataclasses import dataclass
from typing import Final

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_QUERY_CHARS, MAX_SECTION_CHARS
from shared.wire.get_file import GetFileArguments
from workers.reading.line_range import checked_range

_PAIRS: Final = (
    ("toc", "section", ErrorCode.TOC_AND_SECTION),
    ("toc", "query", ErrorCode.TOC_AND_QUERY),
    ("toc", "lines", ErrorCode.TOC_AND_LINES),
    ("section", "query", ErrorCode.SECTION_AND_QUERY),
    ("section", "lines", ErrorCode.SECTION_AND_LINES),
    ("query", "lines", ErrorCode.QUERY_AND_LINES),
)
"""Modes that don't combine, in the order in which they are refused (GTF-30, GTF-31)."""

_NEEDS: Final = (
    ("context_lines", {"query"}, ErrorCode.CONTEXT_LINES_WITHOUT_QUERY),
    ("max_results", {"query"}, ErrorCode.MAX_RESULTS_WITHOUT_QUERY),
    ("max_chars", {"section"}, ErrorCode.MAX_CHARS_WITHOUT_SECTION),
    ("offset", {"section"}, ErrorCode.OFFSET_WITHOUT_SECTION),
    ("max_depth", {"toc", "section"}, ErrorCode.MAX_DEPTH_WITHOUT_TOC),
)
"""Parameters with the modes that read them, in the order in which they are refused without one (GTF-33 to GTF-39)."""


@dataclass(frozen=True)
class ReadRequest:
    """A request that passed every check of the arguments: it is in one mode, and nothing that was sent is ignored (GTF-41)."""

    arguments: GetFileArguments
    lines: tuple[int, int] | None
    """First and last line, from 1, both included, of a range."""


def checked_read_request(arguments: GetFileArguments) -> ReadRequest:
    """The request, its checks in the contract's order (GTF-42, steps 2 to 5).

    Raises:
        Refused: the codes of those steps.
    """
    if not isinstance(arguments.toc, bool):
        raise Refused(ErrorCode.INVALID_TOC)
    if not isinstance(arguments.section, str | None):
        raise Refused(ErrorCode.INVALID_SECTION)
    modes = {mode for mode in ("section", "query", "lines") if getattr(arguments, mode) is not None} | ({"toc"} if arguments.toc else set())
    for one, other, code in _PAIRS:
        if {one, other} <= modes:
            raise Refused(code)
    for parameter, needed, code in _NEEDS:
        if getattr(arguments, parameter) is not None and modes.isdisjoint(needed):
            raise Refused(code)
    _check_query(arguments.query)
    _check_section(arguments.section)
    return ReadRequest(arguments, checked_range(arguments.lines))


def _check_query(query: str | None) -> None:
    """A query is one line of text, of one character or more (GTF-74 to GTF-76); its value is never echoed in a refusal."""
    if query is None:
        return
    if not query.strip():
        raise Refused(ErrorCode.QUERY_TOO_SHORT)
    if len(query) > MAX_QUERY_CHARS:
        raise Refused(ErrorCode.QUERY_TOO_LONG, max_chars=MAX_QUERY_CHARS, actual_chars=len(query))
    if "\n" in query:
        raise Refused(ErrorCode.QUERY_MULTILINE)


def _check_section(section: str | None) -> None:
    """A heading is named; a blank one is never the map (GTF-132). Whether it is too long is decided on the file, and first (GTF-133)."""
    if section is not None and not section.strip() and len(section) <= MAX_SECTION_CHARS:
        raise Refused(ErrorCode.EMPTY_SECTION, hint="A heading is needed. toc=true gives the map of all headings.")
