"""One file of a request: from its text to the object that is delivered and what the audit says of it. Nothing here opens a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from shared.answer import render
from workers.context.indexed import indexed
from workers.context.source import Reason, Unavailable
from workers.context.spec import FileRequest, LineRange
from workers.parsing.code.closure import dependencies
from workers.parsing.code.index import Index, Unindexed
from workers.parsing.code.symbols import SymbolRefused, described, find, outline
from workers.reading.lines import count_lines, line_start
from workers.tokens.count import count_tokens, least_tokens


@dataclass(frozen=True, slots=True)
class Selected:
    """What a file of a request gives."""

    delivered: dict[str, Any]
    """Its object in `files`."""
    audit: dict[str, Any]
    """What is said of it beside that, without any source."""


def select(request: FileRequest, text: str, blob_id: str | None) -> Selected:
    """What was asked for of a text that has passed the scan.

    Raises:
        Unavailable: a symbol, a range or the index can't be had (RCC-5 to RCC-7, RCC-12, RCC-13).
    """
    if request.full:
        return Selected(_full(request.path, text), {"form": "full"})
    if request.ranges:
        return Selected(_fragments(request.path, text, request.ranges), {"form": "fragments"})
    try:
        index = indexed(request.path, text, blob_id)
    except Unindexed as none:
        raise Unavailable(none.reason.value) from none
    if request.outline:
        return Selected({"path": request.path, "outline": outline(index)}, {"form": "outline"})
    return _symbols(request, text, index)


def _symbols(request: FileRequest, text: str, index: Index) -> Selected:
    """The definitions asked for, with their dependencies; or the whole file, where that is the smaller object (RCC-15)."""
    places = [_place(index, symbol) for symbol in request.symbols]
    found: dict[str, Any] = {"definitions": [described(index.definitions[place]) for place in places]}
    if request.include_dependencies:
        needed = dependencies(index, places)
        places += needed.places
        found |= {
            "dependencies": [described(index.definitions[place]) for place in needed.places],
            "dependenciesTruncated": needed.is_cut,
            "ambiguous": list(needed.ambiguous),
            "ambiguousTruncated": needed.is_ambiguous_cut,
        }
    lines = [LineRange(index.definitions[place].start, index.definitions[place].end) for place in places]
    parts = _fragments(request.path, text, lines)
    whole = _full_if_cheaper(request.path, text, parts)
    if whole is not None:
        return Selected(whole, {"form": "full", **found})
    return Selected(parts, {"form": "fragments", **found})


def _place(index: Index, symbol: str) -> int:
    try:
        return find(index, symbol)
    except SymbolRefused as refused:
        fields: dict[str, Any] = {"symbol": symbol}
        if refused.candidates:
            fields["candidates"] = [described(one) for one in refused.candidates]
        raise Unavailable(refused.reason, fields) from refused


def _full_if_cheaper(path: str, text: str, parts: dict[str, Any]) -> dict[str, Any] | None:
    """The object of the whole file, if it takes fewer tokens than `parts`, each counted as it would be delivered (RCC-15)."""
    most = count_tokens(render(parts).decode())
    if least_tokens(text) >= most:
        return None
    whole = _full(path, text)
    return whole if count_tokens(render(whole).decode()) < most else None


def _full(path: str, text: str) -> dict[str, Any]:
    return {"path": path, "full": text}


def _fragments(path: str, text: str, asked: Iterable[LineRange]) -> dict[str, Any]:
    """The lines asked for, in the file's order, as they stand there; the line end after a fragment's last line isn't part of it.

    Raises:
        Unavailable: a range ends after the last line; an empty file has one line (RCC-7).
    """
    total = count_lines(text)
    fragments = []
    line, at = 1, 0
    for wanted in _merged(asked):
        if wanted.end > total:
            raise Unavailable(Reason.RANGE, {"totalLines": total})
        first = line_start(text, wanted.start - line + 1, after=at)
        line, at = wanted.end + 1, line_start(text, wanted.end - wanted.start + 2, after=first)
        fragments.append({"startLine": wanted.start, "endLine": wanted.end, "text": text[first : at - 1]})
    return {"path": path, "fragments": fragments}


def _merged(asked: Iterable[LineRange]) -> list[LineRange]:
    """The ranges in order, overlapping and adjacent ones as one (RCC-7)."""
    merged: list[LineRange] = []
    for one in sorted(asked, key=lambda found: found.start):
        if merged and one.start <= merged[-1].end + 1:
            merged[-1] = LineRange(merged[-1].start, max(merged[-1].end, one.end))
        else:
            merged.append(one)
    return merged
