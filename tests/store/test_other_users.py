"""What a user's reading tools answer is the same, byte for byte, whatever another user does in the same store meanwhile.

The same operations are done by two users, one of them beside a neighbour who does other ones between them. Ids are random, so each is
replaced by the order in which its owner got it; the clock is the tests'.
"""

import json
import re
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.errors import Refused
from tests.store.saving import write
from tests.store.tools import Tools, call_text, caller
from workers.store import transaction
from workers.store.boards import create_board
from workers.store.collections import CollectionChange, add_file, create_collection, remove_file, update_collection
from workers.store.write_files import append_to_file, create_file, delete_file, describe_file, restore_file
from workers.store.write_notes import NoteChange, archive_note, create_board_note, create_file_note, put_on_board, update_note

_numbers = count()
NAMES = ("a.py", "b.md", "notes")
WORDS = ("red", "green", "blue")
ID = re.compile(r"\b[0-9a-f]{24}\b")


class User:
    """One user, and the ids that the user was given, in order."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ids: list[str] = []

    def kept(self, record: Any) -> None:
        self.ids += [found for found in ID.findall(json.dumps(record)) if found not in self.ids]

    def do(self, operation: tuple[int, int, int]) -> None:
        """One of the operations; what it can't be done with is refused, which is no change."""
        kind, name, word = operation
        try:
            self.kept(write(self.name, *OPERATIONS[kind % len(OPERATIONS)](self, NAMES[name], WORDS[word])))
        except Refused:
            return

    def any_id(self, number: int) -> str:
        return self.ids[number % len(self.ids)] if self.ids else "0" * 24

    def in_order(self, text: str) -> str:
        """The text with each of the user's ids as a number, and the user's name as nobody's."""
        for number, own in enumerate(self.ids):
            text = text.replace(own, f"id{number:022}")
        return text.replace(self.name, "nobody")


OPERATIONS: tuple[Callable[[User, str, str], tuple[Any, ...]], ...] = (
    lambda _, name, word: (create_file, name, f"{word} text"),
    lambda _, name, word: (append_to_file, name, word),
    lambda _, name, word: (lambda own: describe_file(own, name, description=word, tags=[word]),),
    lambda _, name, __: (delete_file, name),
    lambda _, name, __: (restore_file, name),
    lambda _, name, word: (create_file_note, name, f"{word} note"),
    lambda _, __, word: (create_board, f"board {word}"),
    lambda user, name, word: (lambda own: create_board_note(own, user.any_id(len(name)), f"{word} pinned", title=f"{word} title"),),
    lambda user, name, word: (update_note, user.any_id(len(name) * len(word)), NoteChange(content=f"{word} changed")),
    lambda user, name, word: (archive_note, user.any_id(len(name) + len(word))),
    lambda user, name, word: (put_on_board, user.any_id(len(word)), user.any_id(len(name))),
    lambda _, __, word: (create_collection, word),
    lambda user, name, word: (add_file, user.any_id(len(word)), name, word),
    lambda user, name, word: (remove_file, user.any_id(len(word)), name),
    lambda user, _, word: (update_collection, user.any_id(len(word)), CollectionChange(is_favorite=True)),
)


def view(user: User, ids: list[str]) -> list[str]:
    """The text of every reading tool's answer to the user, to whom `ids` are the ids to ask for."""
    calls: list[tuple[str, dict[str, Any]]] = [("list_files", {}), ("list_boards", {}), ("list_collections", {})]
    calls += [(tool, {"file_name": name}) for tool in ("list_versions", "list_notes") for name in NAMES]
    calls += [("search_code", {"query": word}) for word in (*WORDS, "red text description")]
    calls += [("search_notes", {"query": "e", "search_content": every, "include_archived": every}) for every in (False, True)]
    for each in ids:
        calls += [(tool, {"note_id": each}) for tool in ("get_note", "list_note_versions")]
        calls += [("get_note_version", {"note_id": each, "version": 1}), ("list_board_notes", {"board_id": each})]
        calls += [(tool, {"collection_id": each}) for tool in ("get_collection", "get_collection_items")]
    return [call_text(f"codekeeper_{tool}", caller(user.name), 20, **arguments) for tool, arguments in calls]


OPERATION = st.tuples(st.integers(0, len(OPERATIONS) - 1), st.integers(0, 2), st.integers(0, 2))


def check(monkeypatch: pytest.MonkeyPatch, steps: list[tuple[bool, tuple[int, int, int]]]) -> None:
    number = next(_numbers)
    alone, beside, neighbour = (User(f"user-{number}-{name}") for name in ("alone", "beside", "neighbour"))
    with monkeypatch.context() as patch:
        for second, (is_neighbours, operation) in enumerate(steps):
            patch.setattr(transaction, "time", SimpleNamespace(time=lambda second=second: 1_700_000_000 + second))
            for user in (neighbour,) if is_neighbours else (beside, alone):
                user.do(operation)
    for user in (alone, beside):
        user.kept(view(user, []))  # such as the default board's
    told = [user.in_order("\n".join(view(user, user.ids[-8:]))) for user in (alone, beside)]
    assert told[0] == told[1]
    # The neighbour's ids, to this user, are those that nobody has.
    strange, absent = (view(beside, ids)[len(view(beside, [])) :] for ids in (neighbour.ids[-4:], ["f" * 24]))
    assert strange == absent * len(neighbour.ids[-4:])


@pytest.mark.rule("SCN-9", "SCN-35", "PLT-33")
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.booleans(), OPERATION), min_size=20, max_size=40))
def test_no_answer_depends_on_what_another_user_does(
    tools: Tools, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[bool, tuple[int, int, int]]]
) -> None:
    assert tools
    check(monkeypatch, steps)


@pytest.mark.deep
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.booleans(), OPERATION), min_size=100, max_size=110))
def test_no_answer_depends_on_a_hundred_things_that_another_user_does(
    tools: Tools, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[bool, tuple[int, int, int]]]
) -> None:
    assert tools
    check(monkeypatch, steps)
