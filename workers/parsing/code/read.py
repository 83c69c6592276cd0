"""A source file to its index: a pure function of its bytes and language (RCC-11, RCC-12)."""

from workers.parsing.code import python
from workers.parsing.code.index import Index
from workers.parsing.code.javascript import read as javascript
from workers.parsing.code.languages import Language
from workers.parsing.code.parse import GiveUp, go_on, parse


def read_index(source: bytes, language: Language, give_up: GiveUp = go_on) -> Index:
    """The index of a UTF-8 text, whole or not at all.

    Some texts take memory until the process ends (`workers/parsing/code/parse.py`): one of somebody else's is for `workers/indexer`.

    Raises:
        Unindexed: `resource-limit` or `parse-error`.
    """
    tree = parse(source, language, give_up)
    return python.index(tree, source) if language is Language.PYTHON else javascript.index(tree, source, language)
