"""What one parse of Markdown may cost, as ceilings on what it reads, makes and walks over.

Both conditions of DOC-115 must hold: the worst input within the ceilings fits in a reader's share (`shared/budget.py`), and no real page is
refused. `python -m infra.bench.parse_cost` checks both; run it after every change of the parser or of a ceiling. What it found on
2026-12-01 with markdown-it-py 4.3.0 on Python 3.11, at the read ceiling of 512,000 bytes:

- most CPU time, `WORST_CASE_CPU_SECONDS`;
- most memory, 18 MiB: a page that is two thirds link definitions below lists, one third link definitions in three lists of their own each,
  refused as `too_many_tokens`;
- of 988 real Markdown pages, of 54 packages, those that pass the read ceiling are all accepted. The longest has 9,757 lines (the
  specification in markdown-it-py), the densest 15,640 tokens (mypy's change log); quotes walk over 81 lines at most (xarray's questions).

The longest page is nearer to its ceiling than the densest is to its own, so room for growth is first of all room in lines (PLT-80).
"""

from typing import Final

MAX_LINES: Final = 15_000
"""Lines of a document (DOC-111). markdown-it-py keeps five numbers for each line before any rule runs, link definitions make no tokens,
and nested quotes keep lists of lines at each level (DOC-112). Below `MAX_SECTIONS` (DOC-118)."""

MAX_TOKENS: Final = 40_000
"""Block tokens of a document (DOC-113). The library's own cap on a table's cells starts anew with every table, and lets 196,608 tokens pass
in one: this one is lower, so that table never is cut (MDG-39)."""

MAX_LISTS: Final = 100
"""Lists inside one another, outside of quotes. Each costs a walk over the rest of its first line and three frames of the stack."""

MAX_QUOTED: Final = 25_000
"""Lines that all quotes of a document together walk over to find their ends. Quotes in quotes walk over the same lines once each, and a
quote that ends early has walked over what follows, which the next one walks over again: 24,000 bytes of `> # h` and `a` in turn were
18 CPU seconds. A page of the read ceiling that is all one quote takes 15,000 + 5,120 and passes."""

CHARACTERS_OF_A_LINE: Final = 100
"""Characters that a quote walks over count as one more line of `MAX_QUOTED`: at each of them, signs of other blocks are looked for."""

WORST_CASE_CPU_SECONDS: Final = 0.8
"""CPU seconds of the dearest Markdown parse found, with room (PLT-84): 0.69 to 0.77 on 2026-12-01, for 3,000 times these lines:
`[a0]: /u`, `'a`, `> > > [a0]: /u` with other labels each time, `-|` 53 times, and an empty one. Deadlines are computed from it (BAT-80)."""
