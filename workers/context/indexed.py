"""The index of one source file, kept under its blob."""

from pathlib import Path
from typing import Any, Final

from workers import parsing
from workers.blob_cache import kept, maker_version
from workers.indexer.indexer import indexer
from workers.parsing.code.index import Index, Limit, Unindexed
from workers.parsing.code.languages import language_of

_VERSION: Final = maker_version(
    Path(parsing.__path__[0]) / "code", "tree-sitter", "tree-sitter-javascript", "tree-sitter-python", "tree-sitter-typescript"
)


def indexed(path: str, text: str, blob_id: str | None) -> Index:
    """The definitions of a text, whole or not at all.

    Raises:
        Unindexed: `unsupported-language`, `parse-error`, or `resource-limit`, also of a text that ended the process of the indexer.
    """
    language = language_of(path)
    if language is None:
        raise Unindexed(Limit.LANGUAGE)

    def make() -> list[list[Any]]:
        return indexer.index(text.encode("utf-8"), language)

    return Index.from_json(make() if blob_id is None else kept(blob_id, f"code-{language.value}-{_VERSION}", make))
