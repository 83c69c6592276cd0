"""Exact find-and-replace: how files and notes are edited."""

from shared.errors import ErrorCode, Refused


def replaced(text: str, old: str, new: str, *, everywhere: bool) -> tuple[str, int]:
    """`text` with `old`, taken literally, replaced by `new`, and how often. Occurrences are counted from the left and don't overlap.

    Raises:
        Refused: `empty_old_string`, `old_and_new_identical`, `no_match`, or `ambiguous_match` with `occurrences` and a `hint` for several
            of which not all are meant.
    """
    if not old:
        raise Refused(ErrorCode.EMPTY_OLD_STRING)
    if old == new:
        raise Refused(ErrorCode.OLD_AND_NEW_IDENTICAL)
    occurrences = text.count(old)
    if occurrences == 0:
        raise Refused(ErrorCode.NO_MATCH)
    if occurrences > 1 and not everywhere:
        hint = "Send more of the text around it in old_string, so that it stands there once, or replace_all=true."
        raise Refused(ErrorCode.AMBIGUOUS_MATCH, occurrences=occurrences, hint=hint)
    return text.replace(old, new), occurrences
