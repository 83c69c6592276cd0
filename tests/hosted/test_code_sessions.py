"""The two stores of reading sessions against one model: whatever is done, in whatever order, both end up alike, and so does the gateway."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redis import Redis

from gateway.resources.live_sessions import Live, LiveInMemory, LiveInRedis
from shared.code_sessions.memory import MemorySessions
from shared.code_sessions.session import Session, new_run_id
from shared.code_sessions.store import Committed, SessionStore, Success, Unclaimed
from shared.errors import ErrorCode, Refused
from shared.forgotten_calls import note_ended, note_forgotten
from shared.limits import CODE_SESSION_TTL_S, CODE_SESSIONS_PER_USER
from shared.tasks import CODE_LEASE_S, cancelled_key
from tests.hosted.processes import RedisServer
from workers.code_sessions.redis_sessions import RedisSessions

USERS: Final = ("ann", "bób")
CALLS: Final = ("call-1", "call-2")
GONE: Final = "gone"
"""A call that nobody waits for."""

SESSION = Session(repo="r", ref="main", commit="c" * 40, cap=10_000)

_users, _calls, _places = st.sampled_from(USERS), st.sampled_from(CALLS), st.integers(0, 30)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("begin"), _users, st.sampled_from([*CALLS, *CALLS, GONE])),
        st.tuples(st.just("follow"), _users, _places, st.sampled_from([*CALLS, *CALLS, GONE])),
        st.tuples(st.just("claim"), _users, _places, _calls),
        st.tuples(st.just("release"), _places, _calls),
        st.sampled_from([("leases end",), ("sessions end",)]),
    ),
    max_size=45,  # as many leases end before a session does
)


@dataclass
class Model:
    """What a store is, in the fewest words: sessions in the order of their successes, and who holds them."""

    live: dict[str, tuple[str, Session, str]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)

    def claim(self, user: str, run_id: str, call_id: str) -> Session | Unclaimed:
        if run_id not in self.live or self.live[run_id][0] != user:
            return Unclaimed.STALE
        if self.held.setdefault(run_id, call_id) != call_id:
            return Unclaimed.BUSY
        return self.live[run_id][1]

    def release(self, run_id: str, call_id: str) -> None:
        if self.held.get(run_id) == call_id:
            del self.held[run_id]

    def commit(self, success: Success) -> Committed:
        if success.call_id == GONE:
            return Committed.CANCELLED
        if success.replaces is not None:
            if success.replaces not in self.live or self.live[success.replaces][0] != success.user:
                return Committed.STALE
            self._drop(success.replaces)
        self.live[success.run_id] = (success.user, success.session, success.text)
        own = [run_id for run_id, (user, _, _) in self.live.items() if user == success.user]
        for run_id in own[:-CODE_SESSIONS_PER_USER]:
            self._drop(run_id)
        return Committed.DONE

    def _drop(self, run_id: str) -> None:
        self.live.pop(run_id)
        self.held.pop(run_id, None)


class Three:
    """The model and both stores, each told the same."""

    def __init__(self, client: Redis, url: str) -> None:
        client.flushdb()
        client.set(cancelled_key(GONE), 1)
        self.now = 0.0
        self.client, self.url = client, url
        self.model, self.memory, self.redis = Model(), MemorySessions(lambda: self.now), RedisSessions(Redis.from_url(url))
        self.run_ids = [new_run_id()]  # the first was never anybody's

    def both(self, step: str, *arguments: Any) -> None:
        expected = getattr(self.model, step)(*arguments)
        assert getattr(self.memory, step)(*arguments) == expected
        assert getattr(self.redis, step)(*arguments) == expected

    def do(self, step: tuple[Any, ...]) -> None:
        name, *arguments = step
        at = [self.run_ids[one % len(self.run_ids)] if isinstance(one, int) else one for one in arguments]
        if name == "begin":
            self.commit(at[0], None, at[1])
        elif name == "follow":
            self.commit(*at)
        elif name == "leases end":
            self.now += CODE_LEASE_S
            self.model.held.clear()
            self.end("ck:code:busy:*")
        elif name == "sessions end":
            self.now += CODE_SESSION_TTL_S
            self.model.live.clear()
            self.model.held.clear()
            self.end("ck:code:run:*")
            self.end("ck:code:busy:*")
        else:
            self.both(name, *at)

    def commit(self, user: str, replaces: str | None, call_id: str) -> None:
        run_id = new_run_id()
        self.run_ids.append(run_id)
        session = SESSION.after(len(self.run_ids))
        self.both("commit", Success(user, run_id, session, f"שלום {len(self.run_ids)}", replaces, call_id))

    def end(self, keys: str) -> None:
        """What the time to live does, at once."""
        for key in self.client.scan_iter(keys):
            self.client.pexpire(key, 0)

    async def look(self) -> None:
        """What each user sees through a gateway is what the model has, in either form."""
        in_memory, in_redis = LiveInMemory(self.memory), LiveInRedis(self.url)
        for user in USERS:
            rows = [(run_id, session, text) for run_id, (of, session, text) in reversed(self.model.live.items()) if of == user]
            listed = [Live(run_id, session, len(text.encode())) for run_id, session, text in rows]
            texts = {run_id: text for run_id, _, text in rows}
            for store in (in_memory, in_redis):
                assert list(await store.listed(user)) == listed
                for run_id in self.run_ids:
                    assert await store.text(user, run_id) == texts.get(run_id)
                    assert await store.size(user, run_id) == (len(texts[run_id].encode()) if run_id in texts else None)
        await in_redis.close()


@pytest.mark.rule("RCC-32", "RCC-33", "RCC-34", "RCC-36")
def test_both_stores_do_what_the_model_does_and_leave_nothing_for_ever(redis_server: RedisServer) -> None:
    note_forgotten(GONE)
    client = Redis.from_url(redis_server.url)

    @settings(max_examples=60)
    @given(STEPS)
    def run(steps: list[tuple[Any, ...]]) -> None:
        three = Three(client, redis_server.url)
        for step in steps:
            three.do(step)
        asyncio.run(three.look())
        assert {key for key in client.scan_iter("ck:code:*") if client.ttl(key) < 0} == set()
        assert len(list(client.scan_iter("ck:code:run:*"))) <= CODE_SESSIONS_PER_USER * len(USERS)

    try:
        run()
    finally:
        note_ended(GONE)
        client.close()


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest, redis_server: RedisServer) -> Iterator[SessionStore]:
    if request.param == "memory":
        yield MemorySessions()
        return
    client = Redis.from_url(redis_server.url)
    client.flushdb()
    yield RedisSessions(client)
    client.close()


@pytest.mark.rule("RCC-32", "RCC-34")
def test_of_many_commits_from_one_run_exactly_one_is_done(store: SessionStore) -> None:
    begun = new_run_id()
    assert store.commit(Success("ann", begun, SESSION, "{}", None, "first")) is Committed.DONE
    for _ in range(20):
        successes = [Success("ann", new_run_id(), SESSION, "{}", begun, f"call-{number}") for number in range(6)]
        start, became = threading.Barrier(len(successes)), {}

        def commit(success: Success, start: threading.Barrier = start, became: dict[str, Committed] = became) -> None:
            start.wait()
            became[success.run_id] = store.commit(success)

        threads = [threading.Thread(target=commit, args=(success,)) for success in successes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(one.value for one in became.values()) == ["done"] + ["stale"] * (len(successes) - 1)
        (begun,) = [run_id for run_id, one in became.items() if one is Committed.DONE]
    assert store.claim("ann", begun, "last") == SESSION


def test_a_step_that_is_asked_twice_after_a_lost_connection_is_done_once(redis_server: RedisServer) -> None:
    client = Redis.from_url(redis_server.url)
    client.flushdb()
    store = RedisSessions(client)
    success = Success("ann", new_run_id(), SESSION.after(5), "{}", None, "call-1")
    assert [store.commit(success), store.commit(success)] == [Committed.DONE] * 2
    client.set(cancelled_key("call-1"), 1)
    assert store.commit(success) is Committed.DONE  # the caller left after it was done
    assert [store.claim("ann", success.run_id, "call-2") for _ in range(2)] == [SESSION.after(5)] * 2
    followed = Success("ann", new_run_id(), SESSION.after(9), "{}", success.run_id, "call-2")
    assert [store.commit(followed), store.commit(followed)] == [Committed.DONE] * 2
    assert client.zcard("ck:code:user:ann") == 1
    client.close()


@pytest.mark.rule("RCC-33", "PLT-142")
def test_with_redis_away_or_full_every_step_is_refused_and_nothing_is_half_done(redis_server: RedisServer) -> None:
    client = Redis.from_url(redis_server.url)
    client.flushdb()
    store = RedisSessions(client)
    begun = Success("ann", new_run_id(), SESSION, "{}", None, "call-1")
    assert store.commit(begun) is Committed.DONE
    followed = Success("ann", new_run_id(), SESSION.after(9), "{}", begun.run_id, "call-2")
    redis_server.client.config_set("maxmemory", 1)
    assert refusal(lambda: store.commit(followed)) is ErrorCode.QUEUE_UNAVAILABLE
    redis_server.client.config_set("maxmemory", 0)
    assert set(client.scan_iter("ck:code:*")) == {b"ck:code:user:ann", f"ck:code:run:{begun.run_id}".encode()}
    assert store.claim("ann", begun.run_id, "call-2") == SESSION
    redis_server.stop()
    for step in (
        lambda: store.claim("ann", begun.run_id, "call-2"),
        lambda: store.commit(followed),
        lambda: store.release(begun.run_id, "call-2"),
    ):
        assert refusal(step) is ErrorCode.QUEUE_UNAVAILABLE
    redis_server.start()
    assert store.claim("ann", begun.run_id, "call-2") is Unclaimed.STALE  # it came back empty
    client.close()


def refusal(step: Any) -> ErrorCode:
    with pytest.raises(Refused) as refused:
        step()
    return refused.value.code
