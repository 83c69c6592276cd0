"""What is wrong with values that a model refuses, told without the values: they may be content (PLT-141, BAT-17)."""

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from shared.limits import MAX_ECHOED_NAME_CHARS, MAX_ECHOED_NAMES

NO_WORDS: Final[Mapping[str, str]] = {}
"""pydantic's own words for every type of problem."""


def problems(error: ValidationError, words: Mapping[str, str] = NO_WORDS) -> list[dict[str, str]]:
    """The first `MAX_ECHOED_NAMES` problems: `where`, the path to the value, and `what`, by type of problem in `words` or pydantic's."""
    found = error.errors(include_url=False, include_input=False, include_context=False)[:MAX_ECHOED_NAMES]
    return [
        {"where": bounded_name(".".join(map(str, problem["loc"]))), "what": words.get(problem["type"], problem["msg"])} for problem in found
    ]


def bounded_name(name: str) -> str:
    """A name that a caller chose, shortened with an ellipsis to `MAX_ECHOED_NAME_CHARS` characters."""
    return name if len(name) <= MAX_ECHOED_NAME_CHARS else name[: MAX_ECHOED_NAME_CHARS - 1] + "…"
