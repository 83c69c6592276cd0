"""The headings of a Markdown page, as CommonMark with tables and front matter has them (MDG-1)."""

import re
from typing import Final

from workers.parsing.headings import MAX_SECTIONS, Heading, ParseRefused
from workers.parsing.markdown.blocks import block_tokens, first_line, is_heading
from workers.parsing.markdown.limits import MAX_LINES, MAX_TOKENS
from workers.parsing.outline import has_lone_carriage_return

_LONE_CARRIAGE_RETURN: Final = re.compile(r"\r(?!\n)")
_LINE_BREAK: Final = re.compile(r"[ \t]*\n[ \t]*")


def headings(
    text: str,
    *,
    max_lines: int | None = MAX_LINES,
    max_tokens: int | None = MAX_TOKENS,
    max_sections: int | None = MAX_SECTIONS,
) -> list[Heading]:
    """The headings of the outermost level of `text`, in order. A ceiling that is None is off, for the comparison with GitHub (MDG-6).

    Raises:
        ParseRefused: `inconsistent_line_endings` with `line`, `too_many_lines` with `max` and `total_lines`, both before the parse;
            `too_many_tokens` or `too_many_sections` with `max` and `line`, the moment the ceiling is crossed. A document of
            lists nested too deep to be read is `too_many_tokens` too.
    """
    if has_lone_carriage_return(text):
        lone = _LONE_CARRIAGE_RETURN.search(text)
        raise ParseRefused("inconsistent_line_endings", line=text.count("\n", 0, lone.start() if lone else 0) + 1)
    total_lines = text.count("\n") + 1
    if max_lines is not None and total_lines > max_lines:
        raise ParseRefused("too_many_lines", max=max_lines, total_lines=total_lines)
    # Not the parser's own normalization, which would replace a NUL in a title.
    tokens = block_tokens(text.replace("\r\n", "\n"), max_tokens=max_tokens, max_sections=max_sections)
    return [
        Heading(_LINE_BREAK.sub(" ", tokens[index + 1].content), int(token.tag[1:]), first_line(token))
        for index, token in enumerate(tokens)
        if is_heading(token)
    ]
