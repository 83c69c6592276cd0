"""Which saved files are Markdown: the one place that says so (GTF-88, GTF-89). A pure function of what is stored beside the text."""

from typing import Final

_LANGUAGES: Final = frozenset({"markdown", "md"})
_SUFFIXES: Final = (".md", ".markdown")


def is_markdown(file_name: str, language: str) -> bool:
    """Whether the file has headings to read by: by its language or its name, whatever their case."""
    return language.lower() in _LANGUAGES or file_name.lower().endswith(_SUFFIXES)
