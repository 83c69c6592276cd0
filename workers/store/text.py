"""What both databases can keep of the text that a caller sends, and how long it may be."""

from shared.errors import ErrorCode, Refused


def check_storable(**texts: str | None) -> None:
    """Pass when every text can be kept exactly as it was sent; None is no text.

    Raises:
        Refused: `invalid_input` with the argument's name, for a NUL, which PostgreSQL doesn't keep, or a lone surrogate, which UTF-8 can't.
    """
    for argument, text in texts.items():
        if text is not None and not is_storable(text):
            raise Refused(ErrorCode.INVALID_INPUT, argument=argument, message="A NUL or a lone surrogate can't be kept.")


def folded(text: str) -> str:
    """`text` as it is compared where case doesn't matter."""
    return text.casefold()


def is_storable(text: str) -> bool:
    """Whether a database could hold it, and so whether one need be asked for it."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_length(text: str, most: int, code: ErrorCode) -> None:
    """Pass when `text` has at most `most` characters.

    Raises:
        Refused: `code`, with `max_chars` and `actual_chars` and without the text (PLT-89).
    """
    if len(text) > most:
        raise Refused(code, max_chars=most, actual_chars=len(text))
