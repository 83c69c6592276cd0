"""Sessions in memory: when they end, who makes room for whom, and how their resources are addressed."""

import pytest

from shared.code_sessions.memory import MemorySessions
from shared.code_sessions.session import Session, is_run_id, new_run_id, resource_uri, run_id_of
from shared.code_sessions.store import Committed, Success, Unclaimed
from shared.limits import CODE_SESSION_TTL_S, CODE_SESSIONS_PER_USER
from shared.tasks import CODE_LEASE_S, READ_CODE_CONTEXT

SESSION = Session(repo="r", ref="main", commit="c" * 40, cap=100)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def begin(store: MemorySessions, user: str, text: str = "{}") -> str:
    run_id = new_run_id()
    assert store.commit(Success(user, run_id, SESSION.after(1), text, None, "call")) is Committed.DONE
    return run_id


def live(store: MemorySessions, *users: str) -> list[str]:
    return [run_id for user in users for run_id, _ in store.listed(user)]


@pytest.mark.rule("RCC-32", "RCC-34")
def test_a_session_lives_a_quarter_of_an_hour_after_its_last_success_whoever_reads_it() -> None:
    clock = Clock()
    store = MemorySessions(clock)
    assert CODE_SESSION_TTL_S == 15 * 60
    old, other = begin(store, "ann"), begin(store, "ann")
    clock.now = CODE_SESSION_TTL_S - 1
    assert store.read("ann", old) is not None
    new = new_run_id()
    assert store.commit(Success("ann", new, SESSION.after(2), "{}", old, "call")) is Committed.DONE
    clock.now = CODE_SESSION_TTL_S
    assert live(store, "ann") == [new]
    assert store.claim("ann", other, "call") is Unclaimed.STALE
    assert store.commit(Success("ann", new_run_id(), SESSION, "{}", other, "call")) is Committed.STALE
    clock.now = 2 * CODE_SESSION_TTL_S
    assert live(store, "ann") == []


@pytest.mark.rule("RCC-36")
def test_a_hold_ends_with_the_hard_limit_of_its_task() -> None:
    clock = Clock()
    store = MemorySessions(clock)
    run_id = begin(store, "ann")
    assert READ_CODE_CONTEXT.hard_s == CODE_LEASE_S
    assert store.claim("ann", run_id, "killed") == SESSION.after(1)
    clock.now = CODE_LEASE_S - 0.1
    assert store.claim("ann", run_id, "another") is Unclaimed.BUSY
    clock.now = CODE_LEASE_S
    assert store.claim("ann", run_id, "another") == SESSION.after(1)


def test_a_user_makes_room_before_others_do_and_the_newest_always_fits() -> None:
    store = MemorySessions(max_sessions=4, max_bytes=1_000)
    bob, ann, second = begin(store, "bob"), begin(store, "ann"), begin(store, "bob")
    third = begin(store, "ann", "x" * 900)
    assert live(store, "ann", "bob") == [third, ann, second, bob]
    fourth = begin(store, "ann")  # the fifth of all
    assert live(store, "ann", "bob") == [fourth, third, second, bob]
    fifth = begin(store, "ann", "x" * 200)  # too many bytes: hers go, the oldest first
    assert live(store, "ann", "bob") == [fifth, fourth, second, bob]
    last = begin(store, "ann", "ש" * 1_000)  # four bytes each in memory: all must go but itself
    assert live(store, "ann", "bob") == [last]
    roomy = MemorySessions()
    begun = [begin(roomy, "ann") for _ in range(CODE_SESSIONS_PER_USER + 1)]
    assert live(roomy, "ann") == begun[:0:-1]


@pytest.mark.parametrize(
    "uri",
    [
        "codekeeper://code/{}/code.json/",
        "codekeeper://code/{}/Code.json",
        "codekeeper://code/{}",
        "codekeeper://code/{}x/code.json",
        "codekeeper://code//code.json",
        "codekeeper://code/../code.json",
        "codekeeper://{}/code.json",
        "https://code/{}/code.json",
        " codekeeper://code/{}/code.json",
        "codekeeper://code/{}/code.json\n",
    ],
)
def test_an_address_is_the_one_form_and_no_other(uri: str) -> None:
    run_id = new_run_id()
    assert is_run_id(run_id)
    assert run_id_of(resource_uri(run_id)) == run_id
    assert resource_uri(run_id) == f"codekeeper://code/{run_id}/code.json"
    assert run_id_of(uri.format(run_id)) is None


def test_run_ids_have_128_random_bits() -> None:
    made = {new_run_id() for _ in range(1_000)}
    assert len(made) == 1_000
    assert {len(run_id) for run_id in made} == {22}  # of 6 bits each, the last one's 4 unused
