"""Calls of the embedded form that run though nobody waits for them any more; the hosted form has keys in Redis for that.

The gateway notes them and the task of such a call asks, on another thread of the same process.
"""

from typing import Final

_forgotten: Final[set[str]] = set()


def note_forgotten(call_id: str) -> None:
    """Nobody waits for the call any more."""
    _forgotten.add(call_id)


def note_ended(call_id: str) -> None:
    """The call's task has ended, or will never run: nobody will ask."""
    _forgotten.discard(call_id)


def was_forgotten(call_id: str) -> bool:
    """Whether nobody waits for the call any more."""
    return call_id in _forgotten
