"""What the answers about a document are, worked out slowly and directly from the rules: texts are split, lists cut one by one, and every
answer rendered until one fits. Shares nothing with what it judges but the headings that it is given.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import regex

from tests.unit.workers.sections.pages import as_sent
from workers.parsing.headings import Heading

Answer = dict[str, Any]
HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015"


@dataclass(frozen=True)
class Ceilings:
    budget: int = 256_000
    toc: int = 400
    candidates: int = 50
    suggestions: int = 50
    title: int = 4_096


def capped(title: str, most: int) -> str:
    if len(title) <= most:
        return title
    kept = ""
    for cluster in regex.findall(r"\X", title):
        if len(kept + cluster) > most:
            break
        kept += cluster
    return kept or title[:most]


def normal(text: str) -> str:
    for hyphen in HYPHENS:
        text = text.replace(hyphen, "-")
    return re.sub(r"\s+", " ", text).strip().casefold()


def identifier(title: str) -> str | None:
    letters = 0
    while letters < len(title) and unicodedata.category(title[letters]).startswith("L"):
        letters += 1
    digits = letters
    while digits < len(title) and title[digits] in "0123456789":
        digits += 1
    after = title[digits : digits + 2]
    ends = not after or after[0].isspace() or (after[0] == "." and after[1:] not in tuple("0123456789"))
    return title[:digits] if 1 <= letters <= 3 and 1 <= digits - letters <= 3 and ends else None


def ratio(one: str, other: str) -> Fraction:
    """`fuzz.ratio` of 1: twice the longest common subsequence over both lengths."""
    row = [0] * (len(other) + 1)
    for character in one:
        above = row[:]
        for index, its in enumerate(other, 1):
            row[index] = above[index - 1] + 1 if character == its else max(above[index], row[index - 1])
    return Fraction(2 * row[-1], len(one) + len(other)) if one or other else Fraction(1)


class Oracle:
    """The answers about `text`."""

    def __init__(self, text: str, headings: Sequence[Heading], context: Answer, includes: Sequence[str], ceilings: Ceilings) -> None:
        self.lines, self.headings, self.most = text.split("\n"), headings, ceilings
        self.context = context
        self.full = context | {"includes": list(includes)}
        self.titles = [capped(heading.title, ceilings.title) for heading in headings]

    def answer(self, section: str | None, *, include_subsections: bool, max_chars: int, offset: int, max_depth: int | None) -> Answer:
        if section is None or not section.strip():
            return self.map(max_depth)
        everyone = range(len(self.headings))
        found = [index for index in everyone if normal(self.titles[index]) == normal(section)]
        asked = section.strip().removesuffix(".")
        if not found and identifier(asked) == asked:
            found = [index for index in everyone if (identifier(self.titles[index]) or "").casefold() == asked.casefold()]
        if len(found) == 1:
            return self.section(found[0], max_chars, offset, include_subsections=include_subsections)
        return self.ambiguous(found, section) if found else self.not_found(section, max_depth)

    def ancestors(self, index: int) -> list[int]:
        """Indexes from the top one down to `index` itself."""
        line = [index]
        for before in range(index - 1, -1, -1):
            if self.headings[before].level < self.headings[line[0]].level:
                line.insert(0, before)
        return line

    def parent(self, index: int) -> int | None:
        return self.ancestors(index)[-2] if len(self.ancestors(index)) > 1 else None

    def children(self, parent: int | None) -> list[int]:
        return [index for index in range(len(self.headings)) if self.parent(index) == parent]

    def range(self, index: int) -> list[int]:
        for after in self.headings[index + 1 :]:
            if after.level <= self.headings[index].level:
                return [self.headings[index].line, after.line - 1]
        return [self.headings[index].line, len(self.lines)]

    def text(self, first: int, last: int) -> str:
        return "\n".join(self.lines[first - 1 : last])

    def titled(self, index: int, name: str = "title") -> Answer:
        cut = {"title_truncated": True} if self.titles[index] != self.headings[index].title else {}
        return {name: self.titles[index], **cut}

    def breadcrumb(self, index: int) -> list[str]:
        return [self.titles[ancestor] for ancestor in self.ancestors(index)]

    def named(self, index: int | None) -> Answer | None:
        return None if index is None else self.titled(index) | {"level": self.headings[index].level, "line_range": self.range(index)}

    def toc(self, max_depth: int | None) -> list[Answer]:
        entries = []
        for index, heading in enumerate(self.headings):
            line = self.ancestors(index)
            if max_depth is not None and len(line) > max_depth:
                continue
            entry = self.titled(index) | {"level": heading.level, "breadcrumb": self.breadcrumb(index), "line_range": self.range(index)}
            entry["approx_bytes"] = len(self.text(*self.range(index)).encode())
            hidden = sum(index in self.ancestors(other)[:-1] for other in range(len(self.headings)))
            if max_depth == len(line) and hidden:
                entry["hidden_subsections"] = hidden
            entries.append(entry)
        return entries

    def first_that_fits(self, answers: Iterable[Answer]) -> Answer:
        """The first that fits; else `answer_too_large` with the size of the last."""
        last = 0
        for answer in answers:
            last = len(as_sent(answer))
            if last <= self.most.budget:
                return answer
        return {"ok": False, "error": "answer_too_large", **self.full, "bytes": last, "max": self.most.budget}

    def map(self, max_depth: int | None) -> Answer:
        entries = self.toc(max_depth)
        tail = {"section_count": len(self.headings)} | ({} if max_depth is None else {"max_depth": max_depth})
        head = {"ok": True, **self.full, "mode": "toc"}
        return self.first_that_fits(
            {**head, "toc": entries[:count], "toc_truncated": count < len(entries), **tail}
            for count in range(min(len(entries), self.most.toc), -1, -1)
        )

    def not_found(self, section: str, max_depth: int | None) -> Answer:
        scores = {title: ratio(normal(section), normal(title)) for title in self.titles}
        close = sorted((title for title in scores if scores[title] >= Fraction(1, 2)), key=lambda title: -scores[title])
        if not close:
            close = list({name: None for title in self.titles if (name := identifier(title)) is not None})
        entries = self.toc(max_depth)
        named, mapped = min(len(close), self.most.suggestions), min(len(entries), self.most.toc)
        head = {"ok": False, "error": "section_not_found", **self.full, "requested": section}

        def answer(named: int, mapped: int) -> Answer:
            cut = {"suggestions_truncated": True} if named < len(close) else {}
            depth = {} if max_depth is None else {"max_depth": max_depth}
            return {
                **head, "suggestions": close[:named], **cut, "toc": entries[:mapped], "toc_truncated": mapped < len(entries), **depth
            }  # fmt: skip

        tries = [(named, count) for count in range(mapped, -1, -1)] + [(count, 0) for count in range(named - 1, -1, -1)]
        return self.first_that_fits(answer(*counts) for counts in tries)

    def ambiguous(self, found: list[int], section: str) -> Answer:
        candidates = [
            self.titled(index)
            | {"breadcrumb": self.breadcrumb(index), "level": self.headings[index].level, "line_range": self.range(index)}
            for index in found
        ]
        head = {"ok": False, "error": "ambiguous_section", **self.full, "requested": section}
        return self.first_that_fits(
            {**head, "candidates": candidates[:count]} | ({"candidates_truncated": True} if count < len(found) else {})
            for count in range(min(len(found), self.most.candidates), -1, -1)
        )

    def section(self, index: int, max_chars: int, offset: int, *, include_subsections: bool) -> Answer:
        first, last = self.range(index)
        children = self.children(index)
        if children and not include_subsections:
            last = self.headings[children[0]].line - 1
        siblings = [None, *self.children(self.parent(index)), None]
        place = siblings.index(index)
        before = {
            "ok": True, **self.full, "mode": "section", **self.titled(index, "section"), "breadcrumb": self.breadcrumb(index),
            "level": self.headings[index].level, "line_range": self.range(index), "include_subsections": include_subsections,
            "offset": offset,
        }  # fmt: skip
        after: Answer = {"subsections": [self.named(child) for child in children[: self.most.toc]]}
        if len(children) > self.most.toc:
            after["subsections_truncated"] = True
        after["neighbors"] = {"prev": self.named(siblings[place - 1]), "next": self.named(siblings[place + 1])}
        refused = {"ok": False, "error": "section_too_large", **self.full}
        return longest_page(
            self.text(first, last), (offset, max_chars, self.most.budget),
            lambda page: {**before, **page, **after},
            lambda size: {**refused, "bytes": size, "max": self.most.budget, "line_range": self.range(index)},
        )  # fmt: skip


def longest_page(text: str, bounds: tuple[int, int, int], answer: Callable[[Answer], Answer], refused: Callable[[int], Answer]) -> Answer:
    """The page of DOC section 10, found by trying every length from the longest down. `bounds`: offset, characters, budget."""
    offset, max_chars, budget = bounds
    most = len(text[offset:][:max_chars])
    size = 0
    for chars in range(most, 0 if most else -1, -1):
        rest = max(len(text) - offset - chars, 0)
        page: Answer = {"content": text[offset : offset + chars], "truncated": rest > 0}
        if rest:
            page |= {"next_offset": offset + chars, "remaining_chars": rest}
        if chars < most:
            page["truncation_reason"] = "byte_budget"
        size = len(as_sent(answer(page)))
        if size <= budget:
            return answer(page)
    return refused(size)
