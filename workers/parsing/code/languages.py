"""The languages that are indexed, which file is in which, and their grammars (RCC-11)."""

from enum import StrEnum
from functools import cache
from pathlib import PurePosixPath
from typing import Final

import tree_sitter
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_typescript


class Language(StrEnum):
    """A language with a grammar."""

    JAVASCRIPT = "javascript"
    """With JSX."""
    TYPESCRIPT = "typescript"
    TSX = "tsx"
    """TypeScript with JSX: a grammar of its own, because `<T>x` and generic arrows mean something else in it."""
    PYTHON = "python"


_SUFFIXES: Final = {
    ".js": Language.JAVASCRIPT,
    ".jsx": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT,
    ".cjs": Language.JAVASCRIPT,
    ".ts": Language.TYPESCRIPT,
    ".mts": Language.TYPESCRIPT,
    ".cts": Language.TYPESCRIPT,
    ".tsx": Language.TSX,
    ".py": Language.PYTHON,
    ".pyi": Language.PYTHON,
}


def language_of(path: str) -> Language | None:
    """The language of a file by its name or path, in either case; None when it isn't indexed."""
    return _SUFFIXES.get(PurePosixPath(path).suffix.lower())


@cache
def grammar(language: Language) -> tree_sitter.Language:
    """The grammar of a language, which threads share."""
    made = {
        Language.JAVASCRIPT: tree_sitter_javascript.language,
        Language.TYPESCRIPT: tree_sitter_typescript.language_typescript,
        Language.TSX: tree_sitter_typescript.language_tsx,
        Language.PYTHON: tree_sitter_python.language,
    }
    return tree_sitter.Language(made[language]())
