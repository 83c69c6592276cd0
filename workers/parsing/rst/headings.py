"""The headings of a reStructuredText page. What is one, and of which level, is what docutils 0.23 says (OUT-65)."""

from workers.parsing.headings import MAX_SECTIONS, Heading, ParseRefused
from workers.parsing.outline import has_lone_carriage_return
from workers.parsing.rst.blocks import scan
from workers.parsing.rst.found import Listener, Title
from workers.parsing.rst.levels import Levels


def headings(text: str) -> list[Heading]:
    """The headings of `text`, in order; levels follow the order in which their styles appear (DOC-135).

    Raises:
        ParseRefused: `inconsistent_line_endings`, without a line (DOC-110), or `too_many_sections` with `max`, the moment the
            cap is crossed (DOC-116, DOC-117).
    """
    found = Headings()
    scan_page(text, found)
    return found.headings


def scan_page(text: str, found: Listener) -> None:
    """Tell `found` what is in a page. Raises: as `headings` for its line ends, and what `found` raises."""
    if has_lone_carriage_return(text):
        raise ParseRefused("inconsistent_line_endings")
    scan(text, found)


class Headings(Listener):
    """Keeps the headings that a scan finds."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._levels = Levels()

    def title(self, title: Title) -> None:
        """Raises: ParseRefused, when it is one heading too many."""
        level = self._levels.of(title.style)
        if level is None:
            return
        if len(self.headings) == MAX_SECTIONS:
            raise ParseRefused("too_many_sections", max=MAX_SECTIONS)
        self.headings.append(Heading(title.text, level, title.line))
