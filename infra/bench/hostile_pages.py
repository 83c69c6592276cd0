"""Documentation pages made to cost a parser much: parts in containers, each a unit over and over, up to the read ceiling."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY

Unit = Callable[[int, int], str]
"""Lines of text from a width, 1 or more, and the unit's number in its part."""

MARKDOWN: Final[Mapping[str, Unit]] = {
    "letter": lambda _width, _number: "a",
    "heading": lambda _width, _number: "# a",
    "one-character heading": lambda _width, _number: "#",
    "underlined": lambda _width, _number: "a\n-",
    "item": lambda _width, _number: "- a",
    "empty item": lambda _width, _number: "-",
    "numbered": lambda _width, number: f"{number % 1_000_000_000}. a",
    "items on a line": lambda width, _number: "- " * width + "a",
    "quote": lambda width, _number: "> " * width + "a",
    "heading in a quote": lambda width, _number: "> " * width + "# a\na",
    "rule in a quote": lambda width, _number: "> " * width + "---\na",
    "item in a quote": lambda width, _number: "> " * width + "- a",
    "fence": lambda _width, _number: "```\na\n```",
    "open fence": lambda _width, _number: "```",
    "code": lambda _width, _number: "    a",
    "table": lambda width, _number: "|a" * width + "|\n" + "|-" * width + "|",
    "short rows": lambda width, _number: "|a" * width + "|\n" + "|-" * width + "|\n" + "a\n" * width,
    "row": lambda width, _number: "|a" * width + "|",
    "delimiters": lambda width, _number: "-|" * width + "-",
    "definition": lambda _width, number: f"[a{number}]: /u",
    "definition with an address": lambda width, number: f"[a{number}]: /" + "%é" * width,
    "definition with a title": lambda width, number: f"[a{number}]: /u '" + "a" * width + "'",
    "open label": lambda width, _number: "[" + "a" * width,
    "open title": lambda width, number: f"[a{number}]: /u\n'" + "a" * width,
    "almost a rule": lambda width, _number: "_ " * width + "a",
    "almost a fence": lambda width, _number: "`" * (width + 3) + "a`",
    "almost a tag": lambda width, _number: "<a" + " b" * width + "!",
    "tag": lambda _width, _number: "<div>\n",
    "open comment": lambda width, _number: "<!--" + "-" * width,
    "tabs": lambda width, _number: "\t" * width + "a",
    "spaces": lambda width, _number: " " * width + "a",
    "words": lambda width, _number: "word " * width,
    "marks": lambda width, _number: "*_`[" * width,
    "heading of marks": lambda width, _number: "# " + "*_`[" * width,
    "bars": lambda width, _number: "|" * width,
    "escapes": lambda width, _number: "|\\|" * width,
    "nothing": lambda _width, _number: "",
}

RST: Final[Mapping[str, Unit]] = {
    "letter": lambda _width, _number: "a",
    "heading": lambda _width, _number: "A\n=\n",
    "heading without a gap": lambda _width, _number: "A\n=",
    "longer heading": lambda width, _number: "A" * width + "\n" + "=" * width + "\n",
    "overlined": lambda width, _number: "=" * width + "\nA\n" + "=" * width,
    "level by level": lambda width, number: "A\n" + "=-~^\"'`#*+"[number % min(width, 10)] + "\n",
    "adornment": lambda width, _number: "=" * width,
    "stairs": lambda width, number: " " * (number % (width + 1)) + "x\n",
    "literal mark": lambda _width, _number: "a::\n",
    "literal block": lambda width, _number: "a::\n\n" + "  a\n" * width,
    "item": lambda _width, _number: "- a",
    "items on a line": lambda width, _number: "- " * width + "a",
    "numbered": lambda _width, number: f"{number}. a",
    "numerals": lambda width, _number: "i" * width + ". a",
    "field": lambda width, _number: ":" + "a" * width + ": b",
    "options": lambda width, _number: "-a, " * width + "-b  c",
    "line block": lambda _width, _number: "| a",
    "doctest": lambda _width, _number: ">>> a",
    "grid": lambda width, _number: "+--" * width + "+\n" + "|a " * width + "|\n" + "+--" * width + "+",
    "open grid": lambda width, _number: "+--" * width + "+\n" + "|a " * width,
    "simple table": lambda width, _number: "= " * width + "=\na\n" + "= " * width + "=",
    "open simple table": lambda width, _number: "= " * width + "=",
    "label": lambda _width, number: f".. _a{number}:",
    "open label": lambda width, _number: ".. _`" + "a" * width,
    "directive": lambda _width, _number: ".. note::\n\n   a\n",
    "include": lambda _width, number: f".. include:: a{number}",
    "substitution": lambda width, _number: ".. |" + "a" * width,
    "anonymous": lambda _width, _number: "__ a",
    "term": lambda _width, _number: "a\n  b",
    "words": lambda width, _number: "word " * width,
    "spaces": lambda width, _number: " " * width + "a",
    "tabs": lambda width, _number: "\t" * width + "a",
    "wide characters": lambda width, _number: "標" * width + "\n" + "==" * width + "\n",
}

CONTAINERS: Final[Mapping[str, tuple[str, str]]] = {">": ("> ", "> "), "-": ("- ", "  ")}
"""What a container's first line begins with, and those after it."""

FOLLOW: Final = ("kept", "lazy", "anew")
"""How a part's units stand in its containers: inside, without their signs, or with containers of their own each."""

WIDTHS: Final = (1, 2, 3, 5, 10, 20, 40, 100, 400, 2_000, 20_000)
OUTER: Final = ("", ">", "-", ">" * 3, "-" * 3, ">" * 8, "-" * 10, ">" * 18, "-" * 25, "-" * 60, "-" * 100, ">->-", "->->")


@dataclass(frozen=True)
class Part:
    """One unit over and over, inside containers."""

    unit: str
    width: int
    outer: str = ""
    follow: str = "kept"
    gap: bool = False
    """An empty line after each unit."""
    weight: int = 1
    """Its part of the page beside other parts; in a page of parts in turn, how many units stand together."""

    def lines(self, units: Mapping[str, Unit], number: int) -> list[str]:
        """The lines of its unit of that number, from 0."""
        first, later = ("".join(CONTAINERS[sign][after] for sign in self.outer) for after in (0, 1))
        own = units[self.unit](self.width, number).split("\n")
        if number and self.follow != "anew":
            first = later if self.follow == "kept" else ""
        rest = "" if self.follow == "lazy" else later
        return [first + own[0], *(rest + line for line in own[1:]), *[""] * self.gap]


@dataclass(frozen=True)
class Page:
    """Parts one after another, or `in_turn`, some units of each."""

    parts: Sequence[Part]
    in_turn: bool = False

    def text(self, units: Mapping[str, Unit], most_lines: int) -> str:
        """At most the read ceiling's bytes and `most_lines` lines, cut where the first of the two is met."""
        groups = [self.parts] if self.in_turn else [[part] for part in self.parts]
        lines: list[str] = []
        whole = sum(part.weight for part in self.parts)
        for group in groups:
            weight = sum(part.weight for part in group)
            lines += _filled(group, units, MAX_FILE_SIZE_FOR_DISPLAY * weight // whole, (most_lines - 1) * weight // whole)
        return "\n".join(lines).encode()[:MAX_FILE_SIZE_FOR_DISPLAY].decode(errors="ignore")


def _filled(parts: Sequence[Part], units: Mapping[str, Unit], most_bytes: int, most_lines: int) -> list[str]:
    lines: list[str] = []
    number = size = 0
    while len(lines) < most_lines and size < most_bytes:
        for part in parts:
            for _ in range(part.weight if len(parts) > 1 else 1):
                new = part.lines(units, number)
                lines += new
                size += sum(map(len, new)) + len(new)
                number += 1
    return lines[:most_lines]


def drawn(draw: random.Random, units: Mapping[str, Unit], outer: Sequence[str]) -> Page:
    """A page of one to three parts."""

    def part() -> Part:
        return Part(draw.choice([*units]), draw.choice(WIDTHS), draw.choice(outer), draw.choice(FOLLOW), draw.random() < 1 / 3)

    return Page([part() for _ in range(draw.choice((1, 1, 2, 2, 3)))], draw.random() < 1 / 2)


def changed(page: Page, draw: random.Random, units: Mapping[str, Unit], outer: Sequence[str]) -> Page:
    """A neighbour of `page`: one thing about it is another, or a part more or less."""
    parts = list(page.parts)
    place = draw.randrange(len(parts))
    step = draw.randrange(8)
    if step == 0:
        return replace(page, in_turn=not page.in_turn)
    if step == 1 and len(parts) > 1:
        del parts[place]
    elif step == 1:
        parts += drawn(draw, units, outer).parts[:1]
    else:
        changes: list[dict[str, object]] = [
            {"unit": draw.choice([*units])},
            {"width": max(1, round(parts[place].width * draw.uniform(0.4, 2.5)))},
            {"outer": draw.choice(outer)},
            {"follow": draw.choice(FOLLOW)},
            {"gap": not parts[place].gap},
            {"weight": max(1, round(parts[place].weight * draw.uniform(0.4, 2.5)))},
        ]
        parts[place] = replace(parts[place], **changes[step - 2])  # type: ignore[arg-type]
    return replace(page, parts=parts)
