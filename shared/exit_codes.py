"""How a command of `codekeeper` ends, whichever package brings it (DESIGN, "Command line")."""

from typing import Final

EXIT_ANSWER: Final = 0
"""There was an answer."""

EXIT_REFUSAL: Final = 1
"""There was a refusal; it stands on stdout."""

EXIT_USAGE: Final = 2
"""The command was written wrongly; click's own code."""

EXIT_UNREACHABLE: Final = 3
"""The queue, the gateway or the database could not be reached."""

EXIT_STOPPED: Final = EXIT_UNREACHABLE
"""A job that didn't come to its end, whyever: the same command goes on."""
