"""What every heading parser returns, and what it raises when it refuses a document (DOC sections 13 and 17). Pure data.

A heading parser is a function `headings(text) -> list[Heading]` in a folder of its own.
"""

from dataclasses import dataclass
from typing import Final

from workers.parsing.outline import MAX_SYMBOLS

MAX_SECTIONS: Final = MAX_SYMBOLS
"""Headings in one document (DOC-116): the outline's ceiling, by decision. A parse stops where it is crossed."""


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading of the outermost level, in document order."""

    title: str
    """The title's source text, not its rendering (DOC-32), whole."""
    level: int
    """From 1. In Markdown levels may be skipped; in RST a heading that skips one is none (OUT-68)."""
    line: int
    """The line on which the heading begins, from 1 by `text.split("\\n")`; its overline's in RST when it has one (OUT-91)."""


class ParseRefused(Exception):  # noqa: N818 - an answer
    """A document that the parser refuses. `code` and `fields` are the answer's (DOC-108)."""

    def __init__(self, code: str, **fields: object) -> None:
        super().__init__(code)
        self.code = code
        self.fields = fields
