"""HTML's tags as a browser's tokenizer sees them, without building a tree (OUT-48). Linear: an unclosed tag or comment takes the rest."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

WHITESPACE: Final = " \t\n\r\f"

TEXT_ELEMENTS: Final = frozenset(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"])
"""Elements whose content is text up to their closing tag."""

_MAY_CLOSE_ITSELF: Final = frozenset(["title"])
"""SVG has `<title/>`; read as HTML, the rest of the file would be its text."""

_MARKUP: Final = re.compile(r"<(?:(?P<comment>!--)|(?P<other>[!?]|/(?![A-Za-z>]))|(?P<slash>/?)(?P<name>[A-Za-z][^ \t\n\r\f/>]*+))")
_COMMENT_END: Final = re.compile(r"--!?>")
_ATTRIBUTE: Final = re.compile(
    r"""[ \t\n\r\f/]*+
    (?: (?P<end>>)
      | (?P<name>[^ \t\n\r\f/>][^ \t\n\r\f/>=]*+)
        (?:[ \t\n\r\f]*+=[ \t\n\r\f]*+(?: "(?P<double>[^"]*+)" | '(?P<single>[^']*+)' | (?P<bare>(?!["'])[^ \t\n\r\f>]*+) ))?+ )""",
    re.VERBOSE,
)

_OPEN_VALUE: Final = re.compile(r"[ \t\n\r\f]*+=[ \t\n\r\f]*+[\"']")
_CLOSING: Final = {name: re.compile(rf"</{name}(?=[ \t\n\r\f/>])", re.IGNORECASE | re.ASCII) for name in TEXT_ELEMENTS}

_WANTED: Final = frozenset(["id", "type"])


@dataclass(frozen=True, slots=True)
class Tag:
    """One opening or closing tag. Positions are characters of the text."""

    name: str
    """Lower-cased."""
    name_span: tuple[int, int]
    is_closing: bool
    is_self_closing: bool
    start: int
    end: int
    """Behind its `>`."""
    attributes: dict[str, tuple[int, int]]
    """Of `id` and `type`, in any case, the span of the first value; an empty one where there is none."""
    content_end: int
    """Of an element of `TEXT_ELEMENTS`, where its closing tag begins, or the end of the text; of any other, `end`."""


def tags(text: str) -> Iterator[Tag]:
    """The tags of `text` in order; what stands in comments and text elements is none."""
    at = 0
    while markup := _MARKUP.search(text, at):
        if markup["comment"]:
            at = _end_of_comment(text, markup.end())
        elif markup["other"]:
            at = _behind(text, ">", markup.end())
        else:
            tag = _tag(text, markup)
            if tag is None:  # the text ends inside of it
                return
            yield tag
            at = tag.content_end


def _end_of_comment(text: str, at: int) -> int:
    for abrupt in (">", "->"):
        if text.startswith(abrupt, at):
            return at + len(abrupt)
    end = _COMMENT_END.search(text, at)
    return end.end() if end else len(text)


def _behind(text: str, what: str, at: int) -> int:
    found = text.find(what, at)
    return len(text) if found < 0 else found + len(what)


def _tag(text: str, markup: re.Match[str]) -> Tag | None:
    attributes: dict[str, tuple[int, int]] = {}
    bare_end = at = markup.end()
    while True:
        found = _ATTRIBUTE.match(text, at)
        if found is None or (not found["end"] and found.end() == len(text)):
            return None
        at = found.end()
        if found["end"]:
            break
        value = next((group for group in ("double", "single", "bare") if found[group] is not None), None)
        if value is None and _opens_value(text, at):
            return None
        if value == "bare":
            bare_end = at
        name = found["name"].lower()
        if name in _WANTED:
            attributes.setdefault(name, found.span(value) if value else (at, at))
    name, is_closing = markup["name"].lower(), bool(markup["slash"])
    # The `/` of `href=a/>` belongs to the value.
    is_self_closing = text[at - 2] == "/" and bare_end != at - 1
    is_text = name in TEXT_ELEMENTS and not is_closing and not (is_self_closing and name in _MAY_CLOSE_ITSELF)
    return Tag(
        name=name,
        name_span=markup.span("name"),
        is_closing=is_closing,
        is_self_closing=is_self_closing,
        start=markup.start(),
        end=at,
        attributes=attributes,
        content_end=_end_of_text(text, name, at) if is_text else at,
    )


def _opens_value(text: str, at: int) -> bool:
    """Whether a value's quote stands here, behind a `=`, that nothing closes."""
    return _OPEN_VALUE.match(text, at) is not None


def _end_of_text(text: str, name: str, at: int) -> int:
    closing = _CLOSING[name].search(text, at)
    return closing.start() if closing else len(text)
