"""The pass over a batch and its byte budget, on drawn batches, against a plain one that keeps every answer until its turn."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.batch.answers import Answers
from workers.batch.groups import Group, grouped
from workers.batch.in_order import Stopped, in_order


@dataclass(frozen=True)
class Drawn:
    """A batch: what each item reads (None: it is refused before that), how large its answer is, and what may be read and sent."""

    keys: list[int | None]
    sizes: list[int]
    room: int
    reads: int
    """Reads before it is late."""


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    keys = draw(st.lists(st.none() | st.integers(0, 6), min_size=1, max_size=20))
    sizes = [draw(st.integers(1, 40)) for _ in keys]
    return Drawn(keys, sizes, draw(st.integers(40, 200)), draw(st.integers(0, 8)))


def plain(batch: Drawn) -> tuple[list[int], Stopped | None]:
    """The contract's answer: indexes that enter, in order, until the first that doesn't fit or isn't read in time."""
    read: set[int] = set()
    entered: list[int] = []
    for index, key in enumerate(batch.keys):
        if key is not None and key not in read:
            if len(read) >= batch.reads:
                return entered, Stopped.TIMEOUT
            read.add(key)
        if sum(batch.sizes[seen] for seen in [*entered, index]) + len(entered) > batch.room:
            return entered, Stopped.BYTE_BUDGET
        entered.append(index)
    return entered, None


class CountedAnswers(Answers):
    """`Answers` that looks at itself after every step."""

    def __init__(self, room: int) -> None:
        super().__init__(room)
        self.room = room
        self.most = 0

    def offer(self, index: int, answer: bytes) -> None:
        super().offer(index, answer)
        self.most = max(self.most, self.held_bytes)
        assert self.held_bytes <= self.room
        assert not any(self.waits(later) for later in range(self.stop or 0, 40) if self.stop is not None)

    def enter(self, index: int) -> None:
        before = self.held_bytes
        super().enter(index)
        assert self.held_bytes == before


@dataclass
class Run:
    """The pass over a drawn batch, and what it did."""

    batch: Drawn
    reads: list[Group] = field(default_factory=list)
    built: list[int] = field(default_factory=list)
    held: int = 0
    asked: int = 0

    def late(self) -> bool:
        self.asked += 1
        return sum(group.reads for group in self.reads) >= self.batch.reads

    def read(self, group: Group) -> Callable[[int], bytes]:
        assert self.held == 0, "the group before was not let go of"
        self.reads.append(group)
        loaded = Loaded(self)

        def answer(index: int) -> bytes:
            assert loaded.run is self
            self.built.append(index)
            return b"x" * self.batch.sizes[index]

        return answer


class Loaded:
    """Stands for the file of a group; it counts itself while it lives."""

    def __init__(self, run: Run) -> None:
        self.run = run
        run.held += 1

    def __del__(self) -> None:
        self.run.held -= 1


def passed(batch: Drawn) -> tuple[Run, CountedAnswers, Stopped | None]:
    run, answers = Run(batch), CountedAnswers(batch.room)
    return run, answers, in_order(grouped(batch.keys), answers, run.late, run.read)


@pytest.mark.rule("BAT-27", "BAT-48", "BAT-49", "BAT-50", "BAT-51", "BAT-52", "BAT-53", "BAT-54", "BAT-55", "BAT-56", "BAT-57", "BAT-59")
@given(drawn())
def test_what_enters_is_what_a_plain_pass_would_send_and_never_more_is_held(batch: Drawn) -> None:
    _, answers, stopped = passed(batch)
    entered, why = plain(batch)
    assert [len(answer) for answer in answers.entered] == [batch.sizes[index] for index in entered]
    assert stopped == why


@pytest.mark.rule("BAT-41", "BAT-42", "BAT-60", "BAT-61")
@given(drawn())
def test_a_group_is_read_once_let_go_of_and_no_item_is_answered_twice_or_behind_the_stop(batch: Drawn) -> None:
    run, answers, _ = passed(batch)
    assert len({group.members for group in run.reads}) == len(run.reads)
    assert len(set(run.built)) == len(run.built)
    assert run.held == 0
    if answers.stop is not None:
        first_read = [group.members[0] for group in run.reads]
        assert all(first <= answers.stop for first in first_read)


@pytest.mark.rule("BAT-77", "BAT-78", "BAT-79")
@given(drawn())
def test_the_clock_is_asked_before_each_read_of_a_mirror_and_nowhere_else(batch: Drawn) -> None:
    run, _, stopped = passed(batch)
    assert run.asked == sum(group.reads for group in run.reads) + (stopped is Stopped.TIMEOUT)


@pytest.mark.rule("BAT-78")
def test_when_it_is_late_what_was_refused_or_read_still_enters() -> None:
    _, answers, stopped = passed(Drawn([None, 1, None, 1, 2, None, 1], [1] * 7, 100, reads=1))
    assert (len(answers.entered), stopped) == (4, Stopped.TIMEOUT)
    _, answers, stopped = passed(Drawn([None, None, 1], [1] * 3, 100, reads=0))
    assert (len(answers.entered), stopped) == (2, Stopped.TIMEOUT)


@pytest.mark.rule("BAT-57")
def test_the_stop_that_is_reached_first_gives_the_reason() -> None:
    keys: list[int | None] = [0, 1, 2, 3, 0]
    sizes = [50, 1, 1, 1, 60]  # the last one is marked at the first read
    assert passed(Drawn(keys, sizes, 100, reads=2))[2] is Stopped.TIMEOUT
    assert passed(Drawn(keys, sizes, 100, reads=9))[2] is Stopped.BYTE_BUDGET


@pytest.mark.rule("BAT-58")
def test_sections_followed_by_their_files_in_reverse_never_hold_more_than_the_budget() -> None:
    """Each file is nearly a whole answer; each alone would still fit behind the sections that came before it."""
    keys: list[int | None] = [*range(10), *reversed(range(10))]
    run, answers, stopped = passed(Drawn(keys, [100] * 10 + [200_000] * 10, 255_876, reads=99))
    assert answers.most <= 255_876
    assert (len(answers.entered), stopped) == (11, Stopped.BYTE_BUDGET)
    assert run.built.count(10) == 1


@pytest.mark.rule("BAT-55", "BAT-60")
def test_an_answer_before_others_releases_what_it_pushed_out_and_what_comes_after() -> None:
    answers = Answers(100)
    for index, size in ((9, 30), (7, 30), (5, 30)):
        answers.offer(index, b"x" * size)
    assert (answers.stop, answers.held_bytes) == (None, 92)
    answers.offer(3, b"x" * 30)  # 30 + 30 + 30 and two commas; the fourth has no room
    assert (answers.stop, answers.waits(7), answers.waits(9), answers.held_bytes) == (9, True, False, 92)
    answers.offer(4, b"x" * 101)
    assert (answers.stop, answers.waits(3), answers.waits(5), answers.held_bytes) == (4, True, False, 30)
    assert [index for index in range(20) if answers.wants(index)] == [0, 1, 2, 3]


@pytest.mark.rule("BAT-41", "BAT-44")
@given(st.lists(st.none() | st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=20))
def test_items_share_a_group_exactly_when_they_read_the_same(keys: list[tuple[int, int] | None]) -> None:
    groups = grouped(keys)
    assert sorted(index for group in groups for index in group.members) == list(range(len(keys)))
    assert [group.members[0] for group in groups] == sorted(group.members[0] for group in groups)
    for group in groups:
        assert group.reads == (keys[group.members[0]] is not None)
        same = [index for index, key in enumerate(keys) if key == keys[group.members[0]]]
        assert list(group.members) == (same if group.reads else [group.members[0]])
