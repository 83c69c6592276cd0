"""The language of a saved file whose caller names none, by the file's name alone."""

from typing import Final

from identify.identify import tags_from_filename

UNKNOWN: Final = "text"
"""The language of a file whose name says nothing."""

_NO_LANGUAGE: Final = frozenset({"text", "plain-text", "binary", "header", "image"})
_OTHER_NAMES: Final = {"ts": "typescript"}


def language_of(file_name: str) -> str:
    """Such as `python` or `markdown`; of several that share an ending the first by name: `c` for `.h`."""
    found = sorted(tags_from_filename(file_name) - _NO_LANGUAGE)
    return _OTHER_NAMES.get(found[0], found[0]) if found else UNKNOWN
