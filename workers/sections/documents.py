"""From a page's text to its sections: the one table of heading parsers, with what they found kept by blob id."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workers.blob_cache import kept, maker_version
from workers.parsing.headings import Heading
from workers.parsing.markdown import headings as markdown
from workers.parsing.rst import page as rst
from workers.sections.section_tree import Document, make_document


@dataclass(frozen=True)
class DocumentFormat:
    """How pages of one suffix are read."""

    made_by: str
    """The parser and its version: headings found by another are not used."""
    normalized: Callable[[str], str]
    """The text that sections are cut from: as it is in Markdown (DOC-48), with `\\n` alone in RST (DOC-49)."""
    read: Callable[[str], tuple[Sequence[Heading], Sequence[str]]]
    """Headings and included files of a text. Raises: ParseRefused."""


def _made_by(name: str, parser: str, *libraries: str) -> str:
    return f"{name}-{maker_version(Path(parser).parent, *libraries)}"


_MARK: Final = "\ufeff"
"""A byte order mark that is part of the text, as in a saved file. The line that it opens may be a heading nevertheless (GTF-139)."""

FORMATS: Final = {
    ".md": DocumentFormat(
        _made_by("markdown", markdown.__file__, "markdown-it-py"),
        lambda text: text,
        lambda text: (markdown.headings(text.removeprefix(_MARK)), ()),
    ),
    ".rst": DocumentFormat(_made_by("rst", rst.__file__), lambda text: text.replace("\r\n", "\n"), rst.headings_and_includes),
}


def parsed(suffix: str, blob_id: str, text: str) -> tuple[Document, list[str]]:
    """The sections of a page of the form `suffix`, whose blob and text these are, and what it includes (DOC-131).

    Raises:
        ParseRefused: the parser refuses the page (DOC-108).
    """
    form = FORMATS[suffix]

    def parse() -> dict[str, list[Any]]:
        headings, includes = form.read(text)
        return {"headings": [(heading.title, heading.level, heading.line) for heading in headings], "includes": list(includes)}

    found = kept(blob_id, form.made_by, parse)
    return make_document(form.normalized(text), [Heading(*heading) for heading in found["headings"]]), found["includes"]
