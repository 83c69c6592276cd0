"""A source file to its index: a pure function of its bytes and language (RCC-11, RCC-12)."""

from workers.parsing.code import python
from workers.parsing.code.index import Index
from workers.parsing.code.javascript import read as javascript
from workers.parsing.code.languages import Language
from workers.parsing.code.parse import HasRoom, always, parse


def read_index(source: bytes, language: Language, has_room: HasRoom = always) -> Index:
    """The index of a UTF-8 text, whole or not at all.

    Raises:
        Unindexed: `resource-limit`, also where `has_room` says that there is none; or `parse-error`.
    """
    tree = parse(source, language, has_room)
    return python.index(tree, source) if language is Language.PYTHON else javascript.index(tree, source, language)
