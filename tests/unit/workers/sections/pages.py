"""The contract's Markdown page, how a test asks a document, and ceilings made small enough to meet."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from shared.answer import render
from shared.errors import Refused
from tests.patched import patched
from workers.parsing.headings import Heading
from workers.sections.answer import SectionRequest, answer_section
from workers.sections.section_tree import Document, make_document

PAGE = """# Critical patterns

How to read this page.

## K10. Silent fallback

A default value hides the failure.

### How it looks

`except Exception: return []`

## K11. Swallowed exception

The caller never learns that the call failed.

### How it looks

A bare `except` with no re-raise.

### See also

K10.

## K12. Cap without refusal

The list is cut and nothing says so.
"""
"""The page of DOC section 19: 28 lines, 370 bytes."""

CONTEXT = {
    "repo": "amir-bug-patterns",
    "path": "CRITICAL-PATTERNS.md",
    "ref": "refs/heads/main",
    "resolved_commit": "456e90b66c49c731006656a27b77a28b21163252",
}
BUDGET = 256_000

# Where each ceiling is read.
_PLACES = {
    "OUTPUT_BYTE_BUDGET": ("shared.answer", "workers.sections.fit_lists", "workers.sections.text_page", "workers.sections.answer"),
    "TOC_MAX": ("workers.sections.toc", "workers.sections.answer"),
    "CANDIDATES_MAX": ("workers.sections.answer",),
    "SUGGESTIONS_MAX": ("workers.sections.answer",),
    "MAX_TITLE_CHARS": ("workers.sections.section_tree",),
    "MAX_SECTION_CHARS": ("workers.sections.answer",),
}


def atx(text: str) -> list[Heading]:
    """Headings of a text in which every line that begins with `#` is one: no Markdown parser, and no need of one here."""
    found = (re.fullmatch(r"(#+) (.*)", line) for line in text.split("\n"))
    return [Heading(match[2], len(match[1]), number) for number, match in enumerate(found, 1) if match]


def document(text: str) -> Document:
    return make_document(text, atx(text))


def sent(page: Document | str, context: Mapping[str, object] = CONTEXT, includes: tuple[str, ...] = (), **asked: Any) -> bytes:
    """The answer as sent, refusals included."""
    request = SectionRequest(
        **({"section": None, "include_subsections": True, "max_chars": 12_000, "offset": 0, "max_depth": None} | asked)
    )
    try:
        return answer_section(document(page) if isinstance(page, str) else page, request, context, list(includes))
    except Refused as refused:
        return render(refused.answer())


def ask(page: Document | str, context: Mapping[str, object] = CONTEXT, includes: tuple[str, ...] = (), **asked: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(sent(page, context, includes, **asked))
    return answer


def as_sent(answer: Mapping[str, Any]) -> bytes:
    """The contract's form, written by the standard library."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


@contextmanager
def ceilings(**values: int) -> Iterator[None]:
    """Other values for the ceilings named, wherever they are read."""
    with patched({f"{module}.{name}": value for name, value in values.items() for module in _PLACES[name]}):
        yield
