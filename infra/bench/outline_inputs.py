"""Texts for `outline_cost.py`: what people write, and units that cost a scanner most when they are repeated up to the read ceiling."""

import sysconfig
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Final

from shared.budget import MIB
from shared.limits import RANGE_READ_MAX_BYTES
from workers.parsing.python.costs import is_too_dear

Make = Callable[[], bytes]

WIDE: Final = "\U0001f600"
"""One such character makes every character of a text take four bytes."""

_PAGE: Final = """
.. _section-{n}:

Section {n}
-----------

Some *prose* with a ``literal``, a :ref:`reference <section-1>` and more of it,
as long as paragraphs mostly are, over two lines or three::

    code = example(1)

- an item
- another item

.. note:: A note

   with a body.

"""
_TEMPLATE: Final = """
<div id="row-{n}" class="row"><a href="/x/{n}" title="A title">A link</a> and {{{{ text }}}}
{{% if a %}}<p class="b">More text, as paragraphs have it.</p>{{% endif %}}</div>
"""

_UNITS: Final[Mapping[str, tuple[str, str, Sequence[str]]]] = {
    # Suffix: what stands before, what hides one wide character at the end, and the units.
    ".py": (
        "",
        "\n#",
        [
            "x\n",
            "a,\n",
            "yield\n",
            "lambda a:a\n",
            "@a\ndef a():0\n",
            "class a:0\n",
            "# x\n",
            " ",
            "\n",
            "\\\n",
            "'a' ",
            "f'{a}'",
            "a,",
            "1,",
        ],
    ),
    ".css": (
        "",
        "/*",
        ["{", "(", "}", ";", "a:{", "a{--x:{}", "--x:{", '"', '"\\\n', "/*", "/**/", "/* */a", "a{}", "a:b;", "a\\", "url("],
    ),
    ".html": (
        "",
        "",
        [
            "<div>",
            "</div>",
            "<a b=c/>",
            "<div id=x ",
            "<a b='",
            "{{ a }}",
            "{{ { }}",
            "{% ' %}",
            "{% a %}",
            "<script>",
            "<style>{",
            "<p id=a>",
        ],
    ),
    ".htm": (
        "<script>",
        "",
        [
            "{",
            "(",
            "`",
            "/[",
            "/* ",
            "a/**/",
            "a ",
            "a;",
            "a\n",
            "'a'",
            "'",
            "x=()=>",
            "}",
            "=>",
            "a=",
            "?:",
            "async ",
            "//\n",
            "(}",
            "a(function(){",
        ],
    ),
    ".rst": (
        "",
        "\n",
        [
            "A\n~\n",
            "=====\n",
            "::\n\n",
            "- a\n",
            "1. a\n\n",
            "..\n",
            "= =\n",
            ".. _a: b\n",
            "- .. _\n",
            "-a, ",
            "\t",
            "\tx\n",
            "+-+\n",
            "a::\n\n x\n",
        ],
    ),
}
_SHAPES: Final[Mapping[str, str]] = {
    "elif below each other.py": "if a:0\n" + "elif a:0\n" * 20_000,
    "a string.py": "a='''" + "x" * (RANGE_READ_MAX_BYTES - 20) + WIDE + "'''\n",
    "a name.py": "x" * (RANGE_READ_MAX_BYTES - 10) + WIDE,
    "lines before a decorator's expression.py": "@(\n" + "#\n" * 5_000_000 + "a)\ndef a():0\n#" + WIDE,
    "a long id over functions.html": "<script id=" + WIDE * 500_000 + ">" + "function f(){}" * 500_000,
    "a mask and a script.html": "{{ a }}<script>" + "a;b(c)\n" * 1_400_000 + WIDE,
    "a mask and a style.html": "{{ a }}<style>" + "{" * 10_000_000 + WIDE,
    "a label below tabs.rst": ".. note::\n\n" + "\t\t\tx\n" * 2_000_000 + "\t.. _x:\n" + WIDE,
    "a label in a block below tabs.rst": ".. note::\n\n" + "\tx\n" * 1_000_000 + "\t.. _x:\n" + WIDE,
    "a target of lines.rst": ".. _a\n" + " b\n" * 3_000_000 + WIDE,
    "a table of lines.rst": "+-----+\n| .. _a: |\n" + "|\n" * 5_000_000 + WIDE,
    "a quote in a quote.rst": "".join(" " * depth + "x\n\n" for depth in range(400)) * 100 + " " * 400 + ".. _x:\n" + WIDE,
    "bullets before a label.rst": "- " * 5_000_000 + ".. _x:\n" + WIDE,
}
"""Name to text: what no repeated unit is."""


def _filled(before: str, unit: str, after: str) -> Make:
    room = RANGE_READ_MAX_BYTES - len((before + after).encode())
    # Bytes from the start: a text of wide characters would take more than what is measured.
    return lambda: before.encode() + unit.encode() * (room // len(unit.encode())) + after.encode()


def hostile() -> Mapping[str, Make]:
    """File name to content."""
    repeated = {
        f"{unit!r}, repeated{suffix}": _filled(before, unit, hidden + WIDE)
        for suffix, (before, hidden, units) in _UNITS.items()
        for unit in units
    }
    parsed = {f"{unit!r}, as often as is parsed.py": _parsed(unit) for unit in _UNITS[".py"][2]}
    return parsed | repeated | {name: text.encode for name, text in _SHAPES.items()}


def _parsed(unit: str) -> Make:
    """As many of `unit` as the Python scanner still parses."""
    before, after = ("(", ")\n") if unit.endswith((" ", "'", ",")) and unit.strip() else ("", "")

    def text_of(count: int) -> str:
        return before + unit * count + after

    most = bisect(range(RANGE_READ_MAX_BYTES // len(unit)), False, key=lambda count: is_too_dear(text_of(count))) - 1
    return text_of(most).encode


def realistic() -> Mapping[str, Make]:
    """The same of what people write, 1, 5 and 10 MiB of it: installed sources end to end, and a page and a template over and over."""
    installed = Path(sysconfig.get_path("purelib"))
    made: Mapping[str, Callable[[int], bytes]] = {
        "sources.py": lambda size: _whole(sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")), size),
        "sheets.css": lambda size: _whole(sorted(installed.rglob("*.css")), size),
        "script.html": lambda size: b"<script>" + _whole(sorted(installed.rglob("*.js")), size - 8),
        "template.html": lambda size: _repeated(_TEMPLATE, size),
        "page.rst": lambda size: _repeated(_PAGE, size),
    }
    sizes = (0.75, 1, 5, RANGE_READ_MAX_BYTES / MIB)
    return {f"{size:g} MiB of {name}": partial(make, int(size * MIB)) for name, make in made.items() for size in sizes}


def _whole(paths: Sequence[Path], size: int) -> bytes:
    """About `size` bytes of files, each whole, over and over."""
    content = bytearray()
    for path in cycle(paths):
        content += path.read_bytes() + b"\n"
        if len(content) >= size:
            return bytes(content)
    raise FileNotFoundError("no such file is installed")


def _repeated(form: str, size: int) -> bytes:
    return "".join(form.format(n=number) for number in range(size // len(form))).encode()
