"""Selector blocks and at-rules with a block, flat, named by the text before the block, with their lines (OUT-51 to OUT-63)."""

from workers.parsing.css.rules import rules
from workers.parsing.outline import Symbol
from workers.parsing.positions import lines_at


def outline(text: str) -> list[Symbol]:
    """The rules of the style sheet `text`, in file order; one that is never closed ends on the last line.

    Raises:
        NoOutline: `too_many_symbols`.
    """
    found = [(rule.name, rule.start, len(text) if rule.end is None else rule.end) for rule in rules(text)]
    lines = lines_at(text, (position for _, *span in found for position in span))
    return [Symbol(name, lines[start], lines[end]) for name, start, end in found]
