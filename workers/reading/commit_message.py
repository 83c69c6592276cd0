"""A commit's message as git shows it: its subject and its body (`%s` and `%b` of `git log`). Pure functions of text."""

from typing import Final

_SPACE: Final = " \t\n\r"
"""What git takes for white space."""


def subject_and_body(message: str) -> tuple[str, str]:
    """The first paragraph on one line, and what follows the empty lines after it, without the line ends at its end."""
    lines = message.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip(_SPACE)), len(lines))
    end = next((number for number in range(first, len(lines)) if not lines[number].strip(_SPACE)), len(lines))
    body = next((number for number in range(end, len(lines)) if lines[number].strip(_SPACE)), len(lines))
    return " ".join(line.rstrip(_SPACE) for line in lines[first:end]), "\n".join(lines[body:]).rstrip("\n")
