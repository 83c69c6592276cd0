"""The files that a reStructuredText page includes. They are named and never opened (OUT-86, DOC-131)."""

from workers.parsing.rst.blocks import scan
from workers.parsing.rst.found import Listener


def includes(text: str) -> list[str]:
    """The targets of `.. include::` in `text`, as written, in the order of their lines. One that is named twice is there twice."""
    found = Includes()
    scan(text, found)
    return found.in_order()


class Includes(Listener):
    """Keeps the files that are included."""

    wants_nested = True

    def __init__(self) -> None:
        self._found: list[tuple[int, str]] = []

    def include(self, path: str, line: int) -> None:
        """Take one."""
        self._found.append((line, path))

    def in_order(self) -> list[str]:
        """Their paths in the order of their lines."""
        return [path for _, path in sorted(self._found, key=lambda include: include[0])]
