"""The tokens of CSS Syntax Level 3 that decide where a rule begins and ends; everything else is `PLAIN`. One pattern, linear in the text.

A library's tokens were measured and not used. tinycss2 makes an object of every token: 10 MB of open braces took 20 s and 2.5 GB, a number
of 5,000 digits is a `ValueError`, and a form feed counts as a line. tree-sitter's grammar regroups the text around what it takes for an
error, which a hack or a stray brace already is. tinycss2 is what the tests compare with; `python -m infra.bench.outline_cost --libraries`
measures it again.
"""

import re
from typing import Final

COMMENT: Final = "comment"
OPAQUE: Final = "opaque"
"""A string or an unquoted `url(…)`: nothing inside is structure (OUT-61)."""
MARK: Final = "mark"
"""One of `{ } ( ) [ ]`."""
ENDED: Final = "ended"
"""A run of plain text that ends with a `;`, as declarations are: one token, however many `;` are in it."""
PLAIN: Final = "plain"
"""A run of anything else, escapes included, with the whitespace around it."""

WHITESPACE: Final = " \t\n\r\f"
"""What CSS calls whitespace; a no-break space is a letter of a name."""

TOKEN: Final = re.compile(
    r"""
      (?P<comment> /\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z) )
    | (?P<opaque>
          "(?:[^"\\\n\r\f]++|\\(?:\r\n|.))*+"?+
        | '(?:[^'\\\n\r\f]++|\\(?:\r\n|.))*+'?+
        | \((?<=(?i:url)\()(?<![-\w\x80-\U0010ffff\\\#@](?i:url)\()(?![ \t\n\r\f]*+["'])(?:[^)\\]++|\\.)*+\)?+ )
    | (?P<ended> (?:[^/"'\\(){}\[\];]*+;)++ )
    | (?P<mark> [{}()\[\]] )
    | (?P<plain> (?:[^/"'\\(){}\[\];]++|\\.|\\\Z|/(?!\*))++ )
    """,
    re.VERBOSE | re.DOTALL,
)
"""Matches everywhere in every text: a string ends at its quote, before a line end or at the end, `url(` at its bracket or at the end."""
