"""The families of generated Markdown forms: for each row of the table of divergences the forms that its numbers were measured on.

A family is every combination of its parts, so that "N of M" can be measured again by anyone (MDG-10).
"""

from collections.abc import Callable, Iterator
from itertools import product

from tests.unit.workers.parsing.markdown_causes import BLOCK_TAGS, ONLY_ONE_SIDE, PYTHON_ONLY_SPACES, TYPE_1

TAG_FORMS = ("<{}>", "</{}>", '<{} class="x">', "<{}> text", "<{}")
"""Opening, closing, with an attribute, with text after the tag, not closed; and `tag_forms` adds upper case (MDG-24)."""

CONTEXTS = (
    "## Before\n\ntext\n{}\n## After\n",
    "## Before\n\n- item\n{}\n## After\n",
    "## Before\n\ntext\n\n{}\n## After\n",
    "## Before\n{}\n## After\n",
    "## Before\n\n> text\n> {}\n## After\n",
)
"""Directly after a paragraph, directly after a list item, after an empty line, directly after a heading, inside a quote (MDG-25)."""


def tag_forms(name: str) -> list[str]:
    return [*(form.format(name) for form in TAG_FORMS), f"<{name.upper()}>"]


def in_contexts(lines: list[str]) -> Iterator[str]:
    for line, context in product(lines, CONTEXTS):
        yield context.format(line)


def after_a_container() -> Iterator[str]:
    """Row 1: a line directly after a list item or a quote."""
    lines = ("<br>", "</br>", '<br class="x">', "<BR>", '<img src="x">', "<span>", "<pre>", "<!-- c -->", "<?php ?>", "<!DOCTYPE html>",
             "<![CDATA[x]]>", "<div>", "<br> text")  # fmt: skip
    for container, line in product(("- item", "> item"), lines):
        yield f"## Before\n\n{container}\n{line}\n## After\n"


def tags_of_one_side() -> Iterator[str]:
    """Row 2: `source` and `search` (MDG-22)."""
    for name in ONLY_ONE_SIDE:
        yield from in_contexts(tag_forms(name))


def tables_at_the_cap() -> Iterator[str]:
    """Row 3: a table exactly at the cap of completed cells and one row over it (MDG-36)."""
    head = "# Title\n\n" + "|a" * 257 + "|\n" + "|-" * 257 + "|\n"
    for rows, follower in product((256, 257), ("---\n", "===\n", "text\n", "")):
        yield head + "x\n" * rows + follower


def around_definitions() -> Iterator[str]:
    """Row 4: what stands before a link definition, its form, and what follows (MDG-40)."""
    contexts = ("", "text\n\n", "text\n", "## Before\n\n", "- item\n\n", "> item\n\n", "- item\n\n  ", "- ", "> ")
    definitions = (
        "[a]: /u",
        '[a]: /u "t"',
        "[a]: <u>",
        "[a]:\n/u",
        '[a]: /u\n"t"',
        "[a\nb]: /u",
        "[a]: /u\n[b]: /v",
        "[a]:",
        "[^1]: note",
        "[a]: /u 't' x",
    )
    followers = ("After\n---\n", "After\n===\n", "---\n", "===\n", "After\nmore\n---\n", "After\n", "## After\n", "\nAfter\n---\n")
    for context, definition, follower in product(contexts, definitions, followers):
        yield f"{context}{definition}\n{follower}"


def strange_spaces() -> Iterator[str]:
    """Row 5: every tag with a no-break space, and three of them with each of the 23 characters, in all written forms."""
    forms = (
        '<{0}{1}class="x">',
        '<{2}{1}class="x">',
        "</{0}{1}>",
        "<{0}{1}",
        '<{0}{1}class="x"> text',
        '<{0} id="y"{1}class="x">',
        "<{0} {1}>",
    )
    tags = [(name, "\xa0") for name in (*BLOCK_TAGS, *TYPE_1, "b", "span", "x-y")]
    tags += [(name, space) for name, space in product(("div", "pre", "b"), PYTHON_ONLY_SPACES) if space != "\xa0"]
    for name, space in tags:
        yield from in_contexts([form.format(name, space, name.upper()) for form in forms])


def blocks_after_a_definition() -> Iterator[str]:
    """Row 6: what stands directly after a link definition, before a heading that has no underline."""
    definitions = ("[a]: /u", '[a]: /u "t"', "[a]:\n/u", "[^1]: note")
    lines = ("<br>", "</span>", "    code", "\tcode", "2. two", "-", "1.", "<div>", "- item", "# H")
    for context, definition, line, follower in product(("", "text\n\n", "> "), definitions, lines, ("## After", "text")):
        yield f"{context}{definition}\n{line}\n{follower}\n"


def tables_of_one_column() -> Iterator[str]:
    """Row 7: what may be a table with one column."""
    heads = ("head", "|head", "head|", "|head|", "text\n|head")
    delimiters = ("---", "-", "|-", "-|", "|-|", ":-", "-:", "---\f", "===")
    for head, delimiter, follower in product(heads, delimiters, ("", "row\n---\n", "===\n", "|row|\n\n## After\n")):
        yield f"{head}\n{delimiter}\n{follower}"


def tables_after_a_second_try() -> Iterator[str]:
    """Row 8: two lines of a paragraph that could each be the second line of a table."""
    delimiters = ("|-|-|", "-|-", "|:-|-:|", "|-|-|-|")
    for head, one, two, follower in product(("text", "a|b", "|a|b|c|"), delimiters, delimiters, ("===\n", "---\n", "text\n===\n", "")):
        yield f"{head}\n{one}\n{two}\n{follower}"


def lazy_lines_of_nested_quotes() -> Iterator[str]:
    """Row 9: a line without a sign of its own that goes on with a paragraph in two quotes."""
    quotes = ("> text", "> > text", ">> text", "> - > text", "> > > text")
    lines = ("    # H", "    - item", "    > text", "    ```", "    text", "\t# H", "# H", "   # H")
    for quote, line, follower in product(quotes, lines, ("===\n===\n", "text\n---\n", "text\n", "## After\n")):
        yield f"{quote}\n{line}\n{follower}"


def empty_items() -> Iterator[str]:
    """Row 10: a list item without text on its first line, a line of spaces, and a line."""
    markers, blanks = ("-", "- ", "1.", "+", "*"), ("", " ", "  ", "   ", "\t")
    for marker, blank, line, follower in product(markers, blanks, ("  # H", "   # H", "# H", "  text"), ("", "---\n")):
        yield f"{marker}\n{blank}\n{line}\n{follower}"


def tags_after_a_table() -> Iterator[str]:
    """Row 11: a line directly after the last row of a table."""
    lines = ("<br>", "</br>", '<br class="x">', "<BR>", '<img src="x">', "<span>", "<pre>", "<!-- c -->", "<?php ?>", "<!DOCTYPE html>",
             "<![CDATA[x]]>", "<div>", "<br> text")  # fmt: skip
    for table, line in product(("|a|b|\n|-|-|\n", "|a|b|\n|-|-|\n|1|2|\n"), lines):
        yield f"## Before\n\n{table}{line}\n## After\n"


def every_other_tag() -> Iterator[str]:
    """The family beside the rows: all block tags and tags of type 1 that both sides know, in the forms and contexts of row 2 (MDG-17)."""
    for name in (*BLOCK_TAGS, *TYPE_1):
        yield from in_contexts(tag_forms(name))


FAMILIES: dict[int, Callable[[], Iterator[str]]] = {
    1: after_a_container,
    2: tags_of_one_side,
    3: tables_at_the_cap,
    4: around_definitions,
    5: strange_spaces,
    6: blocks_after_a_definition,
    7: tables_of_one_column,
    8: tables_after_a_second_try,
    9: lazy_lines_of_nested_quotes,
    10: empty_items,
    11: tags_after_a_table,
}
"""The family of each row."""
