"""The labels of a reStructuredText page: the internal hyperlink targets, at any depth (OUT-94 to OUT-100)."""

from workers.parsing.rst.blocks import scan
from workers.parsing.rst.found import Label, Listener


def labels(text: str) -> list[Label]:
    """The labels of `text` by line. Equal names are all there (OUT-5)."""
    found = _Labels()
    scan(text, found)
    return sorted(found.labels, key=lambda label: label.line)


class _Labels(Listener):
    wants_nested = True

    def __init__(self) -> None:
        self.labels: list[Label] = []

    def label(self, label: Label) -> None:
        self.labels.append(label)
