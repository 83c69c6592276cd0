"""Which items of a batch share a read (BAT-41, BAT-44, BAT-47). Pure data."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """Items that one read answers."""

    members: tuple[int, ...]
    """Their indexes in the request, ascending."""
    reads: bool
    """Whether the mirror is read for them. An item that is refused before that is a group of its own."""


def grouped(keys: Sequence[Hashable | None]) -> list[Group]:
    """The groups, by their first item. `keys` names what each item reads, by index; None when it reads nothing."""
    members: dict[Hashable, list[int]] = {}
    for index, key in enumerate(keys):
        members.setdefault(("refused", index) if key is None else ("read", key), []).append(index)
    return [Group(tuple(indexes), reads=keys[indexes[0]] is not None) for indexes in members.values()]
