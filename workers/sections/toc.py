"""The map of a document: which headings it shows, what each of its entries says, and what a depth limit hides (DOC sections 5 and 6)."""

from dataclasses import dataclass
from typing import Any

from shared.limits import TOC_MAX
from workers.sections.section_tree import Document, Section

Entry = dict[str, Any]


@dataclass(frozen=True)
class Toc:
    """A map before the byte budget."""

    entries: list[Entry]
    """The first `TOC_MAX` headings of it, in document order (DOC-25)."""
    total: int
    """All headings that the depth limit leaves."""


def toc(document: Document, max_depth: int | None) -> Toc:
    """Headings no deeper than `max_depth`; at that depth each says how many it hides, if any (DOC-35, DOC-38, DOC-39)."""
    visible: list[int] = []
    hidden: dict[int, int] = {}
    for index, depth in enumerate(document.depths):
        if max_depth is None or depth <= max_depth:
            visible.append(index)
        else:  # what comes before it is at the limit, and holds it
            hidden[visible[-1]] = hidden.get(visible[-1], 0) + 1
    return Toc([_entry(document.section(index), hidden.get(index)) for index in visible[:TOC_MAX]], len(visible))


def titled(section: Section, name: str = "title") -> Entry:
    """A section's title under `name`, and beside it whether it was cut (DOC-106)."""
    return {name: section.title} | ({"title_truncated": True} if section.title_truncated else {})


def _entry(section: Section, hidden: int | None) -> Entry:
    entry = titled(section) | {"level": section.level, "breadcrumb": section.breadcrumb, "line_range": section.lines}
    return entry | {"approx_bytes": section.size} | ({} if hidden is None else {"hidden_subsections": hidden})
