"""Python text to its syntax tree, by the grammar of the interpreter that runs this; what can't be parsed is `parse_error` (OUT-17).

No text crashes the interpreter: its parser counts its own depth, and what it doesn't bound is judged before (see `costs.py`).
"""

import ast
import threading
import warnings
from typing import Final

from workers.parsing.outline import NoOutline
from workers.parsing.python.costs import is_too_dear

_SILENCE: Final = threading.Lock()
"""Warning filters belong to the whole process, so only one thread at a time may set and restore them. The parse holds the
interpreter's lock anyway."""


def parse(text: str) -> ast.Module:
    """The tree of `text`, which has no BOM any more; its `coding:` line has no effect, because it is decoded already (OUT-28).

    A text that would take more than `costs.py` allows is a `MemoryError`, as it is where memory is limited.

    Raises:
        NoOutline: `parse_error` with `error_type`, and with `line` where one is known (OUT-17, OUT-18).
    """
    if is_too_dear(text):
        raise NoOutline("parse_error", error_type=MemoryError.__name__)
    try:
        with _SILENCE, warnings.catch_warnings():
            # Where warnings are errors, a good file with an odd escape would become a `SyntaxError`.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = _line(error, text)
        where = {} if line is None else {"line": line}
        raise NoOutline("parse_error", error_type=type(error).__name__, **where) from None


def _line(error: Exception, text: str) -> int | None:
    """The line that the error names, from 1 and inside the file; None when it names none."""
    if isinstance(error, UnicodeEncodeError):
        return 1 + text.count("\n", 0, error.start)
    line = getattr(error, "lineno", None)
    return None if not line else min(line, 1 + text.count("\n"))
