"""What a search of the store's files or notes asks for, judged on its text alone. One function for both searches (SCN-22, PLT-28)."""

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_QUERY_CHARS
from workers.store.text import check_length, is_storable


def check_query(query: str) -> None:
    """Pass for a query that a stored text could have; the query itself is never echoed.

    Raises:
        Refused: `query_too_long` with `max_chars` and `actual_chars`, or `invalid_query` for a NUL or a lone surrogate.
    """
    check_length(query, MAX_QUERY_CHARS, ErrorCode.QUERY_TOO_LONG)
    if not is_storable(query):
        raise Refused(ErrorCode.INVALID_QUERY, message="query: it holds a NUL or is not valid UTF-8.")
