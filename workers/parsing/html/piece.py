"""A part of a template that another language's scanner reads: the same positions as written and with Jinja's marks masked. Pure data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of a template between two positions."""

    text: str
    """The whole template."""
    masked: str
    """The whole template with Jinja's marks masked, character by character."""
    start: int
    end: int
