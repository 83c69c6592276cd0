"""The files that a reStructuredText page includes. They are named and never opened (OUT-86, DOC-131)."""

from workers.parsing.rst.blocks import scan
from workers.parsing.rst.found import Listener


def includes(text: str) -> list[str]:
    """The targets of `.. include::` in `text`, as written, in the order of their lines. One that is named twice is there twice."""
    found = _Includes()
    scan(text, found)
    return [path for _, path in sorted(found.includes, key=lambda include: include[0])]


class _Includes(Listener):
    wants_nested = True

    def __init__(self) -> None:
        self.includes: list[tuple[int, str]] = []

    def include(self, path: str, line: int) -> None:
        self.includes.append((line, path))
