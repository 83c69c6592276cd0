"""What cmark-gfm, the parser that GitHub runs, reads as headings of the outermost level: the reference of the Markdown tests."""

import re
from importlib.metadata import version

import cmarkgfm
from cmarkgfm.cmark import Options, _cmark

from workers.parsing.markdown.blocks import block_tokens
from workers.parsing.markdown.headings import headings

Map = list[tuple[int, int]]
"""Level and first line of each heading. Titles can't be compared: ours are source text, the reference's are rendered."""

# Raw HTML is left out of the rendering and text is escaped, so these tags are all cmark-gfm's own.
_TAG = re.compile(r"<(/?)(blockquote|ul|ol|table|h[1-6])\b(?: data-sourcepos=\"(\d+):)?")


def versions() -> dict[str, str]:
    return {"markdown-it-py": version("markdown-it-py"), "cmarkgfm": version("cmarkgfm")}


def cmark_version() -> str:
    """The version of the library itself; the package's constant of that name shows another (MDG-3)."""
    return _cmark.ffi.string(_cmark.lib.cmark_version_string()).decode()


def github(text: str) -> Map:
    """The headings that are in no quote, list or table (MDG-2)."""
    found: Map = []
    depth = 0
    html = cmarkgfm.github_flavored_markdown_to_html(without_front_matter(text), options=Options.CMARK_OPT_SOURCEPOS)
    for closing, tag, line in _TAG.findall(html):
        if tag.startswith("h"):
            if not closing and not depth:
                found.append((int(tag[1]), int(line)))
        else:
            depth += -1 if closing else 1
    return found


def ours(text: str) -> Map:
    return [(heading.level, heading.line) for heading in headings(text, max_lines=None, max_tokens=None, max_sections=None)]


def without_front_matter(text: str) -> str:
    """`text` with empty lines for its front matter, which cmark-gfm doesn't know, when our parser found one."""
    if not text.startswith("---"):
        return text
    tokens = block_tokens(text.replace("\r\n", "\n"), max_tokens=None, max_sections=None)
    if not tokens or tokens[0].type != "front_matter" or not tokens[0].map:
        return text
    return "\n" * tokens[0].map[1] + "\n".join(text.split("\n")[tokens[0].map[1] :])
