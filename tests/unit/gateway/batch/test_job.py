"""A job against a service that answers what it was asked: killed at any byte and resumed, its results are those of a run without a stop."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.batch.ask import Asking, ServiceAway
from gateway.batch.job import BEGUN_PER_IN_FLIGHT, run_job
from gateway.batch.results import Tally, open_results
from gateway.batch.run import summary
from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.local_user import LOCAL_CALLER
from shared.tasks import BATCH, TaskKind
from shared.wire.call import Call

COUNT = 60
IN_FLIGHT = 2
ITEMS = [b'{"kind":"file","repo":"r","path":"%d"}' % number for number in range(COUNT - 1)] + [b'{"kind":"none"}']


class Service:
    """Answers each path with itself; the one that it goes away at never."""

    def __init__(self, away_at: str | None = None) -> None:
        self.asked: list[str] = []
        self._away_at = away_at

    async def answer(self, kind: TaskKind, call: Call) -> bytes:
        assert kind.queue == BATCH
        path = call.arguments["path"]
        self.asked.append(path)
        for _ in range(len(path) * 7 % 5 + len(self.asked) % 3):
            await asyncio.sleep(0)
        if path == self._away_at:
            raise Refused(ErrorCode.QUEUE_UNAVAILABLE)
        return render({"ok": True, "path": path})


async def no_pause(_seconds: float) -> None:
    pass


def run(out: Path, service: Service) -> None:
    with open_results(str(out), ITEMS) as results:
        asking = Asking(service, LOCAL_CALLER, IN_FLIGHT, no_pause)  # type: ignore[arg-type]
        asyncio.run(run_job(ITEMS, asking, results, IN_FLIGHT, lambda: None))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("job")


@pytest.fixture(scope="module")
def whole(folder: Path) -> bytes:
    run(folder / "whole", Service())
    return (folder / "whole").read_bytes()


def test_every_item_has_its_line_in_order(whole: bytes) -> None:
    lines = [json.loads(line) for line in whole.splitlines()]
    assert [(line["index"], line["item"]) for line in lines] == list(enumerate(map(json.loads, ITEMS)))
    assert [line["result"] for line in lines[:-1]] == [{"ok": True, "path": str(number)} for number in range(COUNT - 1)]
    assert lines[-1]["result"]["error"] == "invalid_item"


@given(st.data())
def test_a_run_killed_at_any_byte_and_resumed_ends_with_the_same_bytes(folder: Path, whole: bytes, data: st.DataObject) -> None:
    kept = data.draw(st.integers(min_value=0, max_value=len(whole)))
    out = folder / "killed"
    out.write_bytes(whole[:kept])
    service = Service()
    run(out, service)
    assert out.read_bytes() == whole
    assert sorted(map(int, service.asked)) == list(range(whole[:kept].count(b"\n"), COUNT - 1))


@given(st.integers(min_value=0, max_value=COUNT - 2))
def test_a_service_that_goes_away_leaves_everything_before_and_is_asked_for_little_behind(folder: Path, at: int) -> None:
    out = folder / "away"
    out.unlink(missing_ok=True)
    service = Service(away_at=str(at))
    with pytest.raises(ServiceAway):
        run(out, service)
    assert out.read_bytes().count(b"\n") == at
    assert max(map(int, service.asked)) < at + IN_FLIGHT * BEGUN_PER_IN_FLIGHT
    run(out, Service())
    assert out.read_bytes() == (folder / "whole").read_bytes()


def test_the_summary_says_what_was_refused_and_what_happened_on_the_way() -> None:
    tally = Tally()
    for answer in (b'{"ok":true}', b'{"ok":false,"error":"not_found"}', b'{"ok":false,"error":"not_found"}'):
        tally.add(answer)
    assert summary(tally, 4, 1, 2, 3.14) == (
        "3 of 4 items: 1 answered, 2 refused (not_found 2); 1 were there before; asked again 2 times; 3.1 s"
    )
    assert summary(Tally(), 0, 0, 0, 0.0) == "0 of 0 items: 0 answered, 0 refused; 0.0 s"
