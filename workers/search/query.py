"""What a search asks for, judged on its text alone before any repository is looked at. Pure functions of text."""

from dataclasses import dataclass
from typing import Final

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_PATTERN_CHARS, MAX_QUERY_CHARS, MIN_QUERY_CHARS
from workers.search.escapes import undefined_escape

_INSTEAD: Final = {"\\d": "[0-9]", "\\D": "[^0-9]", "\\t": "[[:blank:]]"}
"""What a caller who wrote an escape of another kind of expressions may write."""


@dataclass(frozen=True)
class Query:
    """One search. Both passes are made of it, so that they can't differ (SRC-17, SRC-45)."""

    text: str
    """What is searched, never trimmed (SRC-8)."""
    regex: bool
    """Whether it is an extended regular expression (SRC-6)."""
    case_sensitive: bool
    file_pattern: str | None
    """One git pathspec, as it was sent; None for all paths."""
    include_vendored: bool
    max_results: int
    """Hits in the answer, 1 to `SEARCH_RESULTS_MAX`."""
    context_lines: int
    """Lines before and after each hit, 0 to `SEARCH_CONTEXT_MAX`; 0: none were asked for."""


def check_query(query: Query) -> None:
    """Refuse what can't be searched for, in the contract's order; the value itself is never echoed.

    Raises:
        Refused: `query_too_short` (SRC-9, SRC-10), `query_too_long`, `invalid_query`, `query_multiline`, `invalid_regex` (SRC-6),
            `file_pattern_too_long`, `invalid_file_pattern`.
    """
    text, pattern = query.text, query.file_pattern
    if not text.strip() or len(text) < MIN_QUERY_CHARS:
        raise Refused(ErrorCode.QUERY_TOO_SHORT)
    if len(text) > MAX_QUERY_CHARS:
        raise Refused(ErrorCode.QUERY_TOO_LONG, max_chars=MAX_QUERY_CHARS, actual_chars=len(text))
    if _is_no_argument(text):
        raise Refused(ErrorCode.INVALID_QUERY, message="query: it holds a NUL or is not valid UTF-8.")
    if "\n" in text:
        raise Refused(
            ErrorCode.QUERY_MULTILINE, message="query: a hit is one line, so no query holds a line end. Search for one of the lines."
        )
    if query.regex and (escape := undefined_escape(text)) is not None:
        instead = f" Write {_INSTEAD[escape]}." if escape in _INSTEAD else ""
        raise Refused(
            ErrorCode.INVALID_REGEX,
            message=f"query: {escape} means nothing there to git's extended regular expressions: it would stand for other text.{instead}",
        )
    if pattern is None:
        return
    if len(pattern) > MAX_FILE_PATTERN_CHARS:
        raise Refused(ErrorCode.FILE_PATTERN_TOO_LONG, max_chars=MAX_FILE_PATTERN_CHARS, actual_chars=len(pattern))
    if _is_no_argument(pattern):
        raise Refused(ErrorCode.INVALID_FILE_PATTERN, message="file_pattern: it holds a NUL or is not valid UTF-8.")


def _is_no_argument(text: str) -> bool:
    """Whether no process can be given `text` as an argument."""
    return "\0" in text or any("\ud800" <= character <= "\udfff" for character in text)
