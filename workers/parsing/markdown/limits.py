"""What one parse of Markdown may cost, as ceilings on what it reads and makes. The start values; a measuring script settles them.

Both conditions must hold (DOC-115): the worst input within the ceilings fits in a reader's share, and no real file is refused.
"""

from typing import Final

MAX_LINES: Final = 15_000
"""Lines of a document (DOC-111). markdown-it-py keeps five numbers for each line before any rule runs, link definitions make no tokens,
and nested quotes keep lists of lines at each level (DOC-112). The longest page known has 3,557 lines. Below `MAX_SECTIONS` (DOC-118)."""

MAX_TOKENS: Final = 40_000
"""Block tokens of a document (DOC-113). Its own cap on a table's cells starts anew with every table, and lets 196,608 tokens pass in one:
this one is lower, so that table never is cut (MDG-39). The densest page known makes 8,423."""

MAX_LISTS: Final = 100
"""Lists inside one another, outside of quotes. Each costs a walk over the rest of its first line and three frames of the stack."""
