"""Two users of one store, at random: each finds exactly what a model of that user alone says, whatever the other one does."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select

from shared.database.store_tables import COLLECTION_ITEMS, NOTES, SAVED_FILES
from tests.store.tools import Tools
from workers.store import boards, collections, files, write_files
from workers.store.notes import own_notes
from workers.store.text_index import keys_with_any
from workers.store.transaction import OwnRows, reading_own, writing_own

NAMES = ("alpha.py", "beta.md", "gamma")
WORDS = ("red", "green", "blue", "grey")
NOBODYS = "0" * 24
_numbers = count()


@dataclass
class User:
    """What a user has, as the user knows it. `mark` is in every text that the user writes and in no other."""

    name: str
    mark: str
    active: dict[str, list[str]] = field(default_factory=dict)
    """Texts of all versions of each file."""
    deleted: dict[str, list[list[str]]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    """Body by id."""
    board: str = ""
    collection: str = ""
    collected: set[str] = field(default_factory=set)

    def text(self, word: str) -> str:
        return f"{word} {self.mark}"


class World:
    """Both users, and each operation on the store and on the model of the one who does it; `other`'s ids are tried too."""

    def __init__(self, tools: Tools, engine: Engine) -> None:
        number = next(_numbers)
        self.tools, self.engine = tools, engine
        self.users = [User(f"user{number}-{index}", f"mark{number}x{index}") for index in range(2)]
        for user in self.users:
            with writing_own(engine, user.name) as own:
                user.board = boards.default_board(own).id
                user.collection = collections.create_collection(own, user.text("c"))["id"]

    def call(self, user: User, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.tools.call(tool, user.name, **arguments)
        other = self.users[1 - self.users.index(user)]
        assert other.mark not in json.dumps(answer)
        return answer

    def code(self, user: User, tool: str, **arguments: Any) -> str | None:
        return self.call(user, tool, **arguments).get("error")

    def save(self, user: User, name: str, word: str) -> None:
        code = self.code(user, "save_file", file_name=name, code=user.text(word))
        assert code == ("file_exists" if name in user.active else None)
        user.active.setdefault(name, [user.text(word)])

    def append(self, user: User, name: str, word: str) -> None:
        answer = self.call(user, "append_file", file_name=name, content=user.text(word))
        if name not in user.active:
            assert answer["error"] == "not_found"
            return
        user.active[name].append(f"{user.active[name][-1]}\n{user.text(word)}")
        assert answer["file"]["version"] == len(user.active[name])
        assert answer["file"]["lines_count"] == user.active[name][-1].count("\n") + 1

    def edit(self, user: User, name: str, word: str) -> None:
        code = self.code(user, "edit_file", file_name=name, old_string=word, new_string="grey", replace_all=True)
        if name not in user.active:
            assert code == "not_found"
        elif word == "grey":
            assert code == "old_and_new_identical"
        elif word not in user.active[name][-1]:
            assert code == "no_match"
        else:
            assert code is None
            user.active[name].append(user.active[name][-1].replace(word, "grey"))

    def delete(self, user: User, name: str, _word: str) -> None:
        if name in user.active:
            with writing_own(self.engine, user.name) as own:
                write_files.delete_file(own, name)
            user.deleted.setdefault(name, []).append(user.active.pop(name))

    def restore(self, user: User, name: str, _word: str) -> None:
        if name not in user.active and user.deleted.get(name):
            with writing_own(self.engine, user.name) as own:
                record = write_files.restore_file(own, name)
            user.active[name] = user.deleted[name].pop()
            assert record["version"] == len(user.active[name])

    def note_on_file(self, user: User, name: str, word: str) -> None:
        answer = self.call(user, "create_note", file_name=name, content=user.text(word), line=1)
        if name in user.active:
            user.notes[answer["note"]["id"]] = user.text(word)
        else:
            assert answer["error"] == "file_not_found"

    def note_on_board(self, user: User, _name: str, word: str) -> None:
        for owner in self.users:
            answer = self.call(user, "create_board_note", board_id=owner.board, content=user.text(word))
            if owner is user:
                user.notes[answer["note"]["id"]] = user.text(word)
            else:
                assert answer == self.call(user, "create_board_note", board_id=NOBODYS, content=user.text(word))

    def change_note(self, user: User, _name: str, word: str) -> None:
        for owner in self.users:
            for note in list(owner.notes)[-2:]:
                answer = self.call(user, "update_note", note_id=note, content=user.text(word))
                if owner is user:
                    assert answer["ok"]
                    user.notes[note] = user.text(word)
                else:
                    assert answer == self.call(user, "update_note", note_id=NOBODYS, content=user.text(word))

    def collect(self, user: User, name: str, _word: str) -> None:
        for owner in self.users:
            answer = self.call(user, "add_to_collection", collection_id=owner.collection, file_name=name)
            if owner is not user:
                assert answer == self.call(user, "add_to_collection", collection_id=NOBODYS, file_name=name)
            elif name not in user.active:
                assert answer["error"] == "file_not_found"
            else:
                assert answer["added"] == (name not in user.collected)
                user.collected.add(name)

    def check(self) -> None:
        for user in self.users:
            with reading_own(self.engine, user.name) as own:
                assert own is not None
                self._check_rows(user, own)

    def _check_rows(self, user: User, own: OwnRows) -> None:
        def column(query: Any) -> list[Any]:
            return list(own.connection.execute(query).scalars())

        assert set(column(files.newest_versions(own, SAVED_FILES.c.name))) == set(user.active)
        for name, texts in user.active.items():
            found = files.existing(own, name)
            assert (found.code, found.row.version) == (texts[-1], len(texts))
        assert sorted(column(own_notes(own, NOTES.c.content))) == sorted(user.notes.values())
        assert set(column(select(COLLECTION_ITEMS.c.file_name).where(COLLECTION_ITEMS.c.owner_key == own.owner_key))) == user.collected
        for word in (*WORDS, *(each.mark for each in self.users)):
            keys = keys_with_any(own.connection, own.owner_key, [word])
            with_word = {name for name, texts in user.active.items() if word in texts[-1].split()}
            assert set(column(select(SAVED_FILES.c.name).where(SAVED_FILES.c.key.in_(keys)))) == with_word, word


OPERATIONS: dict[str, Callable[[World, User, str, str], None]] = {
    name: vars(World)[name]
    for name in ("save", "append", "edit", "delete", "restore", "note_on_file", "note_on_board", "change_note", "collect")
}

STEPS = st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 1), st.sampled_from(NAMES), st.sampled_from(WORDS))


def run(tools: Tools, engine: Engine, steps: list[tuple[str, int, str, str]]) -> None:
    world = World(tools, engine)
    for operation, index, name, word in steps:
        OPERATIONS[operation](world, world.users[index], name, word)
    world.check()


@pytest.mark.rule("PLT-33", "SCN-9")
# Making a failure smaller takes minutes, longer than a test may; the deep test does.
@settings(max_examples=6, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=25, max_size=25))
def test_neither_user_ever_sees_or_changes_what_is_the_others(tools: Tools, engine: Engine, steps: list[tuple[str, int, str, str]]) -> None:
    run(tools, engine, steps)


@pytest.mark.deep
@pytest.mark.timeout(1_200)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEPS, min_size=100, max_size=100))
def test_the_same_over_a_hundred_operations(tools: Tools, engine: Engine, steps: list[tuple[str, int, str, str]]) -> None:
    run(tools, engine, steps)
