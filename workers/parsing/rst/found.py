"""What a scan of the blocks tells whoever listens: a title, a label, an included file. Pure data, and who listens."""

from dataclasses import dataclass
from typing import NamedTuple

from workers.parsing.rst.lines import Lines


class Title(NamedTuple):
    """A title with its adornments, whatever its level turns out to be (OUT-66 to OUT-68)."""

    text: str
    """Source text without the white space around it (OUT-88)."""
    style: str
    """The adornment's character, twice when there is an overline (OUT-67)."""
    line: int
    """The overline's, else the title's own (OUT-91)."""


class Label(NamedTuple):
    """An internal hyperlink target."""

    name: str
    """As written, without the underscore in front and without backquotes around it."""
    line: int


class Listener:
    """Takes what a scan finds, and by default drops it. It ends the scan by raising."""

    wants_nested: bool = False
    """Whether what stands inside indented blocks and tables is looked for too. No title does."""

    def title(self, title: Title) -> None:
        """A title at the outermost level; they come in the order of the text."""

    def label(self, label: Label) -> None:
        """A label, at any depth; those of the outermost level come first."""

    def include(self, path: str, line: int) -> None:
        """An `include` directive at any depth."""


class Aside:
    """Where blocks are put that stand inside others, to be scanned when the outer text is done. This one drops them."""

    def wants(self, place: int, stop: int) -> bool:  # noqa: ARG002 - for those who listen
        """Whether anything that is looked for can stand between `place` and `stop`."""
        return False

    def block(self, place: int, stop: int, first: int, indent: int | None = None) -> None:
        """Put the lines from `place` to `stop` aside with `first` columns cut off the first line and `indent` off each other.

        None is the least that they have.
        """

    def text(self, text: str, place: int) -> None:
        """Put `text` aside, whose first line stands on that of `place`, less the least indentation of its lines."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """One text that is being scanned."""

    lines: Lines
    listener: Listener
    aside: Aside
    """Where the blocks inside its blocks go."""
