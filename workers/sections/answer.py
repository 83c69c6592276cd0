"""The answers about one document: its map, one section, or a refusal that says what there is. All who serve sections call this.

Field names, orders and cuts are those of DOC sections 5 to 11. `context` stands at the head of every answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.answer import fits, render
from shared.errors import ErrorCode, Refused
from shared.limits import CANDIDATES_MAX, MAX_SECTION_CHARS, OUTPUT_BYTE_BUDGET, SUGGESTIONS_MAX, TOC_MAX
from workers.sections.fit_lists import room_beside, shown
from workers.sections.match import matches
from workers.sections.section_tree import Document
from workers.sections.suggest import suggestions
from workers.sections.text_page import PageTooLarge, text_page
from workers.sections.toc import Entry, titled, toc


@dataclass(frozen=True)
class SectionRequest:
    """What is asked of a document. Numbers are already clamped to their ranges."""

    section: str | None
    include_subsections: bool
    max_chars: int
    offset: int
    max_depth: int | None


def answer_section(document: Document, request: SectionRequest, context: Mapping[str, object], includes: list[str]) -> bytes:
    """The map when no section is named, else the section, else the refusal that helps (DOC-10, steps 7 to 10).

    Raises:
        Refused: `section_too_long`, `section_not_found`, `ambiguous_section`, `section_too_large` or `answer_too_large`.
    """
    if request.section is not None and len(request.section) > MAX_SECTION_CHARS:
        raise Refused(ErrorCode.SECTION_TOO_LONG, **context, max_chars=MAX_SECTION_CHARS, actual_chars=len(request.section))
    full_context = {**context, "includes": includes}
    if request.section is None or not request.section.strip():
        return _map(document, request, full_context)
    found = matches(document.titles, request.section)
    if len(found) == 1:
        return _section(document, found[0], request, full_context)
    raise _ambiguous(document, found, request.section, full_context) if found else _not_found(document, request, full_context)


def _map(document: Document, request: SectionRequest, context: Mapping[str, object]) -> bytes:
    headings = toc(document, request.max_depth)
    tail = {"section_count": len(document.headings), **_depth(request)}

    def answer(count: int, *, cut: bool) -> dict[str, object]:
        return {"ok": True, **context, "mode": "toc", "toc": headings.entries[:count], "toc_truncated": cut, **tail}

    count = shown(headings.entries, headings.total, lambda cut: room_beside(answer(0, cut=cut)))
    return _within_budget(answer(count, cut=count < headings.total), context)


def _section(document: Document, index: int, request: SectionRequest, context: Mapping[str, object]) -> bytes:
    section = document.section(index)
    children = document.children(index)
    siblings = document.children(section.parent)
    place = siblings.index(index)
    start, end = section.span
    if children and not request.include_subsections:
        end = document.section(children[0]).span[0] - 1  # the line end before the child (DOC-50)
    before = {
        "ok": True,
        **context,
        "mode": "section",
        **titled(section, name="section"),
        "breadcrumb": section.breadcrumb,
        "level": section.level,
        "line_range": section.lines,
        "include_subsections": request.include_subsections,
        "offset": request.offset,
    }
    after = {
        "subsections": [_named(document, child) for child in children[:TOC_MAX]],
        **({"subsections_truncated": True} if len(children) > TOC_MAX else {}),
        "neighbors": {
            "prev": _named(document, siblings[place - 1]) if place else None,
            "next": _named(document, siblings[place + 1]) if place + 1 < len(siblings) else None,
        },
    }
    try:
        return text_page(before, document.text[start:end], request.offset, request.max_chars, after)
    except PageTooLarge as page:
        raise Refused(ErrorCode.SECTION_TOO_LARGE, **context, bytes=page.bytes, max=OUTPUT_BYTE_BUDGET, line_range=section.lines) from page


def _not_found(document: Document, request: SectionRequest, context: Mapping[str, object]) -> Refused:
    """`section_not_found`: what is close, and the map, which is the first to be cut (DOC-72, DOC-101)."""
    close = suggestions(document.titles, request.section or "")
    headings = toc(document, request.max_depth)

    def refused(named: int, mapped: int, *, fewer: bool, cut: bool) -> Refused:
        suggested = {"suggestions": close[:named]} | ({"suggestions_truncated": True} if fewer else {})
        mapping = {"toc": headings.entries[:mapped], "toc_truncated": cut, **_depth(request)}
        return Refused(ErrorCode.SECTION_NOT_FOUND, **context, requested=request.section, **suggested, **mapping)

    def room(named: int, *, fewer: bool, cut: bool) -> int:
        return room_beside(refused(named, 0, fewer=fewer, cut=cut).answer())

    named = min(len(close), SUGGESTIONS_MAX)
    mapped = shown(headings.entries, headings.total, lambda cut: room(named, fewer=named < len(close), cut=cut))
    cut = mapped < headings.total
    if mapped == 0:
        named = shown(close[:named], len(close), lambda fewer: room(0, fewer=fewer, cut=cut))
    answer = refused(named, mapped, fewer=named < len(close), cut=cut)
    _within_budget(answer.answer(), context)
    return answer


def _ambiguous(document: Document, found: list[int], requested: str, context: Mapping[str, object]) -> Refused:
    """`ambiguous_section`: the headings that match, in document order, cut from the end (DOC-79 to DOC-84)."""
    candidates = [
        titled(section) | {"breadcrumb": section.breadcrumb, "level": section.level, "line_range": section.lines}
        for section in map(document.section, found[:CANDIDATES_MAX])
    ]

    def refused(count: int, *, cut: bool) -> Refused:
        fewer = {"candidates_truncated": True} if cut else {}
        return Refused(ErrorCode.AMBIGUOUS_SECTION, **context, requested=requested, candidates=candidates[:count], **fewer)

    count = shown(candidates, len(found), lambda cut: room_beside(refused(0, cut=cut).answer()))
    answer = refused(count, cut=count < len(found))
    _within_budget(answer.answer(), context)
    return answer


def _named(document: Document, index: int) -> Entry:
    """A subsection or neighbour (DOC-52, DOC-54)."""
    section = document.section(index)
    return titled(section) | {"level": section.level, "line_range": section.lines}


def _depth(request: SectionRequest) -> Entry:
    """The echo that every answer with a map carries (DOC-41)."""
    return {} if request.max_depth is None else {"max_depth": request.max_depth}


def _within_budget(answer: Mapping[str, object], context: Mapping[str, object]) -> bytes:
    """The answer as sent.

    Raises:
        Refused: `answer_too_large`, for one that does not fit even though its lists are empty (DOC-102).
    """
    sent = render(answer)
    if not fits(sent):
        raise Refused(ErrorCode.ANSWER_TOO_LARGE, **context, bytes=len(sent), max=OUTPUT_BYTE_BUDGET)
    return sent
