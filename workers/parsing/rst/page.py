"""A reStructuredText page as the documentation tool reads it: its headings and what it includes, by one scan, which is what costs."""

from workers.parsing.headings import Heading
from workers.parsing.rst.headings import Headings, scan_page
from workers.parsing.rst.includes import Includes


def headings_and_includes(text: str) -> tuple[list[Heading], list[str]]:
    """What `headings` and `includes` find in `text`. Raises: ParseRefused, as `headings`."""
    found = _Page()
    scan_page(text, found)
    return found.headings, found.in_order()


class _Page(Headings, Includes):
    def __init__(self) -> None:
        Headings.__init__(self)
        Includes.__init__(self)
